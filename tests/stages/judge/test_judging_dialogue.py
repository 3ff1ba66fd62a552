"""Answers of dialogue tasks: compared with references in both orders, some rated."""

from __future__ import annotations

from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.scene.claims import Scope
from lvlmbench.stages.judge.judge import Answer, Comparison, Pair, Rating
from lvlmbench.stages.judge.judging import Judged, Judging, Question
from lvlmbench.stages.judge.recused import Recused
from lvlmbench.suites.dialogue import TASKS
from support.scripted_judge import TRUTH, Scripted, by_length

_QUESTIONS = {
    "plain": Question("s1", "animal", "Describe this image.", "A dog."),
    "rated": Question("s1", "touchstone_simple", "Describe it.", "A dog.", description="A dog!"),
    "value": Question("s1", "touchstone_species", "Which animal?", "A dog.", accepted=("dog",),
                      turns=(("What is red?", "The ball."),)),
    "taste": Question("s1", "touchstone_story", "Tell a story.", "Once there was a dog."),
}  # fmt: skip


def _row(text: str | None, question: str, status: str = "answered") -> dict[str, Any]:
    return {
        "model": "m", "scenario": "clean", "question_id": question, "image_id": "i1",
        "text": text, "status": status,
    }  # fmt: skip


def judged(rows: list[dict[str, Any]], judge: Any = None, pairs: bool = False) -> Judged:
    scopes = {"touchstone_simple": Scope(("object",))}
    judging = Judging(
        judge or Scripted(), "scripted", _QUESTIONS, {"s1": TRUTH}, pairs, scopes, TASKS
    )
    return judging.rows(rows)


@pytest.mark.parametrize("pairs", [False, True])
def test_answers_of_dialogue_are_always_compared_others_where_asked(pairs: bool) -> None:
    """Also those whose claims nobody reads."""
    found = judged([_row("dog", name) for name in _QUESTIONS], pairs=pairs)
    compared = [row["question_id"] for row in found.pairwise]
    assert compared == [name for name in _QUESTIONS if pairs or name != "plain"]
    assert {row["status"] for row in found.pairwise} == {"judged"}
    assert tables.PAIRWISE.of(found.pairwise).num_rows == len(compared)
    assert tables.JUDGEMENTS.of(found.judgements).num_rows == len(_QUESTIONS)


def test_a_judge_is_told_all_that_is_known_of_a_pair() -> None:
    shown: dict[str, Pair] = {}

    def compare(pair: Pair) -> Comparison:
        shown[pair.question] = pair
        return by_length(pair)

    judged([_row("dog", name) for name in _QUESTIONS], Scripted(compares=compare))
    assert "Describe this image." not in shown
    rated, value, taste = (shown[_QUESTIONS[n].question] for n in ("rated", "value", "taste"))
    assert (rated.description, rated.scope, rated.taste) == ("A dog!", Scope(("object",)), False)
    assert (value.forms, value.turns) == (("dog",), (("What is red?", "The ball."),))
    assert taste.taste and not taste.forms


def test_reasons_of_both_orders_are_kept() -> None:
    def compare(pair: Pair) -> Comparison:
        return Comparison("judged", 5, 5, reasons=f"{pair.first} comes first")

    [row] = judged([_row("dog", "value")], Scripted(compares=compare)).pairwise
    assert row["reasons"] == "dog comes first"
    assert row["reasons_swapped"] == "A dog. comes first"


@pytest.mark.parametrize(
    ("text", "status"), [("", "answered"), (" \n", "answered"), (None, "error"), ("no", "refused")]
)
def test_no_answer_is_compared_or_rated(text: str | None, status: str) -> None:
    def never(item: Any) -> Any:
        raise AssertionError(f"asked about {item}")

    found = judged([_row(text, "rated", status)], Scripted(compares=never, rates=never))
    [row], [judgement] = found.pairwise, found.judgements
    assert (row["status"], row["why"]) == ("unanswered", "there is no answer")
    assert "as_first" not in row and judgement["invented"] is None


def test_answers_of_rated_tasks_alone_are_rated_once_each() -> None:
    asked: list[Answer] = []

    def rate(answer: Answer) -> Rating:
        asked.append(answer)
        return Rating("judged", 4.0)

    rows = [*(_row("dog", name) for name in _QUESTIONS), _row("dog", "rated") | {"image_id": "i2"}]
    found = judged(rows, Scripted(rates=rate))
    assert [(each.text, each.description) for each in asked] == [("dog", "A dog!")]
    rated = {(row["question_id"], row["image_id"]): row["invented"] for row in found.judgements}
    assert {key for key, value in rated.items() if value == 4.0} == {
        ("rated", "i1"),
        ("rated", "i2"),
    }
    assert {value for key, value in rated.items() if key[0] != "rated"} == {None}


def test_a_rating_that_fails_leaves_the_claims_as_they_are() -> None:
    broken = Scripted(rates=lambda answer: Rating("malformed", why="no number"))
    [row] = judged([_row("dog", "rated")], broken).judgements
    assert (row["status"], row["true_claims"], row["invented"]) == ("judged", 1, None)


def test_who_leaves_a_model_to_others_compares_and_rates_nothing() -> None:
    found = judged([_row("dog", "rated")], Recused())
    [row], [judgement] = found.pairwise, found.judgements
    assert row["status"] == judgement["status"] == "unjudged"
    assert judgement["invented"] is None
