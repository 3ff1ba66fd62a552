"""An answer's way through a judge: every answer has a row, equal ones are judged once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.scene.claims import Claim, Feature, Match, Scope, Truth, tally
from lvlmbench.stages.judge.judge import Comparison, Holding, Pair, Reading
from lvlmbench.stages.judge.judging import Judging, Question, as_annotated, windows
from lvlmbench.stages.judge.pairs import both_orders
from support.scripted_judge import TRUTH, Scripted, by_word, words

_QUESTIONS = {
    "q1": Question("s1", "animal", "Describe this image.", "A dog and a red ball."),
    "q2": Question("s1", "animal", "What does this image show?", "A dog and a red ball."),
}


def _row(text: str | None, question: str = "q1", status: str = "answered") -> dict[str, Any]:
    return {
        "model": "m", "scenario": "clean", "question_id": question, "image_id": "i1",
        "text": text, "status": status,
    }  # fmt: skip


def _judging(judge: Scripted, pairs: bool = False) -> Judging:
    return Judging(judge, "scripted", _QUESTIONS, {"s1": TRUTH}, pairs)


def test_sums() -> None:
    row = _judging(Scripted()).rows([_row("dog cat grass no ball no bird dog")]).judgements[0]
    said = {name: row[name] for name in ("status", "true_claims", "wrong_claims", "covered")}
    # dog, said twice, counts once; grass is true and not owed.
    assert said == {"status": "judged", "true_claims": 2, "wrong_claims": 1, "covered": 1}
    assert (row["owed"], row["false_denials"], row["unverifiable"]) == (3, 1, 0)


def test_rows_are_of_their_tables() -> None:
    found = _judging(Scripted(), pairs=True).rows([_row("dog no cat"), _row("ball", "q2")])
    for table, rows in (
        (tables.CLAIMS, found.claims), (tables.MATCHES, found.matches),
        (tables.JUDGEMENTS, found.judgements), (tables.PAIRWISE, found.pairwise),
    ):  # fmt: skip
        assert rows and {*rows[0]} <= {*table.names}, table.name
        assert table.of(rows).num_rows == len(rows)
    assert [row["judge"] for row in found.claims] == ["scripted"] * 3
    assert [(m["claim"], m["verdict"]) for m in found.matches] == [
        (0, "matched"), (1, "true_denial"), (0, "matched"),
    ]  # fmt: skip


def test_equal_answers_are_judged_once() -> None:
    judge = Scripted()
    rows = [_row("dog"), _row("dog") | {"image_id": "i2"}, _row("dog", "q2")]
    found = _judging(judge).rows(rows)
    assert judge.asked == ["dog", "dog"]  # one of each question
    assert [(r["question_id"], r["image_id"]) for r in found.judgements] == [
        ("q1", "i1"), ("q1", "i2"), ("q2", "i1"),
    ]  # fmt: skip
    assert len(found.claims) == 3


@pytest.mark.parametrize("status", ["refused", "error", "timeout"])
def test_no_answer_is_a_row(status: str) -> None:
    judge = Scripted()
    row = _judging(judge).rows([_row("no", status=status)]).judgements[0]
    assert (row["status"], row["answer_status"]) == ("unanswered", status)
    assert not judge.asked


def test_nothing_said_is_judged() -> None:
    row = _judging(Scripted()).rows([_row("")]).judgements[0]
    assert (row["status"], row["true_claims"], row["covered"], row["owed"]) == ("judged", 0, 0, 3)


def test_answers_to_other_questions_are_passed_over() -> None:
    assert not _judging(Scripted()).rows([_row("dog", "q9")]).judgements


@pytest.mark.parametrize("status", ["refused", "malformed", "error", "timeout", "unjudged"])
def test_what_cannot_be_judged_is_a_row(status: Any) -> None:
    silent = Scripted(reads=lambda text: Reading(status, why="it said so"))
    found = _judging(silent).rows([_row("dog")])
    row = found.judgements[0]
    assert (row["status"], row["why"]) == (status, "it said so")
    assert row.get("true_claims") is None and not found.matches
    stuck = Scripted(holds=lambda claims, truth: Holding(status, why="it said so"))
    found = _judging(stuck).rows([_row("dog")])
    assert found.judgements[0]["status"] == status
    assert len(found.claims) == 1 and not found.matches


@pytest.mark.parametrize(
    "matches",
    [
        (),
        (Match(0, "o1", "matched", "word"),) * 2,
        (Match(1, "o1", "matched", "word"),),
        (Match(0, "o9", "matched", "word"),),
    ],
)
def test_a_judge_invents_nothing(matches: tuple[Match, ...]) -> None:
    judge = Scripted(holds=lambda claims, truth: Holding("judged", matches))
    with pytest.raises(ValueError, match="a judge"):
        _judging(judge).rows([_row("dog")])


def test_order_changes_nothing() -> None:
    rows = [_row("dog"), _row("cat ball", "q2"), _row("dog no ball") | {"image_id": "i3"}]
    there = _judging(Scripted(), pairs=True).rows(rows)
    back = _judging(Scripted(), pairs=True).rows(rows[::-1])

    def named(found: list[dict[str, Any]]) -> list[str]:
        return sorted(map(repr, found))

    assert named(there.judgements) == named(back.judgements)
    assert named(there.pairwise) == named(back.pairwise)


def _pair(key: str, first: str, second: str) -> Pair:
    return Pair(key, "Describe this image.", first, second, TRUTH)


def test_both_orders() -> None:
    rounds = both_orders(Scripted(), [_pair("p", "dog ball grass", "dog")])["p"]
    assert (rounds.given, rounds.swapped) == ((5.0, 2.0), (4.0, 3.0))
    assert (rounds.margin, rounds.bias) == (2.0, 1.0)


def test_one_failed_order_leaves_no_score() -> None:
    def second_fails(pair: Pair) -> Comparison:
        failed = pair.first == "dog"
        return Comparison("timeout", why="too late") if failed else Comparison("judged", 7, 3)

    rounds = both_orders(Scripted(compares=second_fails), [_pair("p", "ball", "dog")])["p"]
    assert (rounds.status, rounds.why) == ("timeout", "too late")
    assert rounds.given is rounds.swapped is rounds.margin is rounds.bias is None
    row = _judging(Scripted(compares=second_fails), pairs=True).rows([_row("dog")]).pairwise[0]
    assert row["status"] == "timeout" and "as_first" not in row


def test_scripted_matches_by_word() -> None:
    claims = words("dog no cat").claims
    assert [m.verdict for m in by_word(claims, TRUTH).matches] == ["matched", "true_denial"]


def test_windows() -> None:
    rows = [{"n": n} for n in range(5)]
    assert [len(some) for some in windows(rows, 2)] == [2, 2, 1]
    assert not list(windows([], 2))


def test_claims_that_are_not_asked_for_count_nowhere() -> None:
    """Asked about things, things count; about attributes, the color that is left out."""
    sums = []
    for kinds in (("object",), ("attribute",)):
        scopes = {"animal": Scope(kinds)}
        judging = Judging(Scripted(), "scripted", _QUESTIONS, {"s1": TRUTH}, scopes=scopes)
        [row] = judging.rows([_row("dog cat")]).judgements
        sums.append(tuple(row[name] for name in ("true_claims", "wrong_claims", "covered", "owed")))
    assert sums == [(1, 1, 1, 2), (0, 0, 0, 1)]


@pytest.mark.parametrize("annotated", [False, True])
def test_what_annotation_is_silent_on_is_made_up_within_the_scope(annotated: bool) -> None:
    claims = (
        Claim(0, "object", "dog"),
        Claim(1, "attribute", "dog", "size", value="large"),
        Claim(2, "attribute", "dog", "color", value="blue", negated=True),
    )
    held = Holding("judged", tuple(Match(n, None, "unverifiable", "word") for n in range(3)))
    truth = replace(TRUTH, annotated=annotated)
    found = as_annotated(claims, held, truth, Scope(("attribute",)))
    silent = "hallucinated" if annotated else "unverifiable"
    assert [match.verdict for match in found.matches] == ["unverifiable", silent, "unverifiable"]


def test_a_relation_and_its_paraphrase_are_owed_once() -> None:
    one = Feature("r1", "relation", "cup", "left_of", "plate", group="r1")
    features = (
        one,
        replace(one, feature="r1.1", subject="plate", relation="right_of", object="cup"),
    )
    claims = (Claim(0, "relation", "plate", "right_of", "cup"),)
    for feature in features:
        found = tally(claims, [Match(0, feature.feature, "matched", "word")], Truth(features))
        assert (found.owed, found.covered) == (1, 1)
