"""Exams on pictures of texts: what validators confirm is asked about, the rest is drawn anew."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.suites.autodavis.confirming import confirmed
from lvlmbench.suites.planned import Planned
from lvlmbench.suites.suite import suite_of
from support.answer_tables import running_server, stats
from support.render_scenes import vocabulary
from support.text_exam import TEXT_SERVER, Writes, asked, drawn, text_params
from support.written_pictures import SPOILED


@pytest.fixture(autouse=True)
def _folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LVLMBENCH_CACHE_DIR", str(tmp_path))


@pytest.fixture
def url() -> Iterator[str]:
    with running_server(script=TEXT_SERVER) as found:
        yield found


def test_a_picture_is_asked_about_as_far_as_validators_confirm_it(url: str, tmp_path: Path) -> None:
    exam = drawn(text_params(url), Writes(), tmp_path)
    described = {row["scene_id"]: row for row in exam.descriptions.to_pylist()}
    assert {row["status"] for row in described.values()} == {"made"}
    assert {row["truth"] for row in described.values()} == {"description"}
    for scene in exam.scenes.to_pylist():  # the words are the prompt
        assert scene["prompt"] == described[scene["scene_id"]]["description"]
    later = [row for row in described.values() if row["number"] > 0]
    assert all(row["banned"] for row in later)
    for row in later:
        assert not {*row["banned"]} & {row["topic_word"], *row["key_words"]}
    assert len(exam.images) == len(exam.scenes) == 24
    proposals, questions = asked(exam, tmp_path)
    assert {*proposals["status"].to_pylist()} == {"made"}
    assert len(questions) == 24
    for question in questions.to_pylist():
        assert question["answer"] in described[question["scene_id"]]["description"]
    letters = Counter(questions["answer_index"].to_pylist())
    assert max(letters.values()) - min(letters.values()) <= 3
    checked = suite_of(exam.params).validated(
        exam.params, vocabulary(), exam.scenes, tables.LAYOUTS.empty_table(), exam.checks
    )
    assert len(checked) == 24 * 5 and {*checked["validator"].to_pylist()} == {"eye"}


def test_a_picture_that_is_not_as_described_is_drawn_anew(url: str, tmp_path: Path) -> None:
    """Easy pictures must show all; the others four of five things."""
    renderer = Writes(spoils=1)
    exam = drawn(text_params(url, at=["easy"]), renderer, tmp_path)
    outcomes = Counter((r["attempt"], r["outcome"]) for r in exam.attempts.to_pylist())
    assert outcomes == {(0, "rejected"): 8, (1, "kept"): 8}
    seeds = Counter(attempt.scene["scene_id"] for attempt in renderer.asked)
    assert {*seeds.values()} == {2}
    assert len({attempt.seed for attempt in renderer.asked}) == 16
    rejected = [r for r in exam.attempts.to_pylist() if r["outcome"] == "rejected"]
    assert all(r["score"] == pytest.approx(0.8) and r["threshold"] == 1 for r in rejected)
    _, questions = asked(exam, tmp_path)
    assert len(questions) >= 0.95 * len(exam.scenes)
    looked = Counter(row["round"] for row in exam.requests.to_pylist())
    assert looked == {0: 40, 1: 40}


def test_later_attempts_say_what_was_missed_and_then_it_is_given_up(
    url: str, tmp_path: Path
) -> None:
    renderer = Writes(spoils=9)
    exam = drawn(text_params(url, at=["easy"], rounds=1, attempts=3), renderer, tmp_path)
    prompts = {a.number: a for a in renderer.asked if a.scene["scene_id"] ==
               exam.scenes["scene_id"][0].as_py()}  # fmt: skip
    assert len(prompts) == 4
    own = exam.scenes["prompt"][0].as_py()
    first = own.partition(". ")[0].removeprefix("There is ")
    assert prompts[1].scene["prompt"] == own
    assert prompts[2].scene["prompt"] == f"{own} Plain to see: There is {first}."
    rows = exam.attempts.to_pylist()
    assert Counter(row["outcome"] for row in rows) == {"rejected": 16}
    assert [r["prompt"] for r in rows[:2]] == [None, None] and rows[2]["prompt"] is not None
    proposals, questions = asked(exam, tmp_path)
    assert len(questions) == 0
    assert {*proposals["status"].to_pylist()} == {"not_drawn"}
    assert proposals["why"][0].as_py().startswith("not as described: ")


def test_what_is_not_confirmed_reaches_the_examiner_and_no_question(
    url: str, tmp_path: Path
) -> None:
    exam = drawn(text_params(url, at=["hard"], rounds=1), Writes(spoils=9), tmp_path)
    assert {*exam.attempts["outcome"].to_pylist()} == {"kept"}  # four of five are enough
    proposals, questions = asked(exam, tmp_path)
    assert len(questions) == len(exam.scenes)
    for row in proposals.to_pylist():
        (defect,) = row["defects"]
        said = " ".join([row["question"], *row["options"]])
        assert defect not in said and SPOILED not in said


def test_an_attempt_that_fails_is_tried_again(url: str, tmp_path: Path) -> None:
    exam = drawn(text_params(url, rounds=1), Writes(failing=[0]), tmp_path)
    assert len(exam.images) == len(exam.scenes)
    assert Counter(exam.attempts["outcome"].to_pylist()) == {"failed": 12, "kept": 12}


def test_a_second_run_asks_nothing(url: str, tmp_path: Path) -> None:
    params = text_params(url, ("eye", "other", "third"), rounds=1)
    first = drawn(params, Writes(spoils=1), tmp_path)
    asked(first, tmp_path)
    sent = sum(stats(url)["asked"].values())
    again = drawn(params, Writes(spoils=1), tmp_path)
    asked(again, tmp_path)
    assert sum(stats(url)["asked"].values()) == sent
    assert again.checks == first.checks and again.images == first.images


def test_planted_checks_are_about_what_the_other_text_does_not_have(
    url: str, tmp_path: Path
) -> None:
    exam = drawn(text_params(url, rounds=1), Writes(), tmp_path)
    suite, prompt = suite_of(exam.params), {}
    prompt = dict(zip(*(exam.scenes[c].to_pylist() for c in ("scene_id", "prompt")), strict=True))
    layouts = tables.LAYOUTS.empty_table()
    given = exam.params, vocabulary(), exam.scenes, layouts, 2, exam.checks, "eye"
    posed = [*suite.posed(*given)]
    planted = [check for check in posed if check.planted]
    assert len(planted) == 2 * len(exam.scenes)
    for check in planted:
        assert check.shown_id != check.scene_id
        assert check.element not in prompt[check.shown_id]
        assert check.options[check.shown_index or 0] == "no"
    assert {check.shown_index for check in posed if not check.planted} == {None}


def test_what_the_vocabulary_excludes_is_banned_from_texts(url: str) -> None:
    given = text_params(url).model_dump(mode="json", exclude_unset=True)
    params = validate(given | {"vocabulary": {"exclude": {"animal": ["owl"]}}})
    suite = suite_of(params)
    briefs = suite.pictures_wanted(params, vocabulary(), Planned.nothing())
    assert len(briefs) == 12
    for brief in briefs:
        assert "owl" in brief.banned
        assert all("owl" not in line.split(": ")[1].split(", ") for line in brief.known)


def row(number: int, validator: str, given: int | None, **changes: object) -> dict[str, object]:
    """An answer to a check whether a yellow car is there, or what color it is."""
    asked = [
        {"element": "yellow car", "question": "Is there a car?", "options": ["yes", "no", "?"]},
        {"element": "yellow car", "question": "What color is the car?",
         "options": ["yellow", "blue", "?"]},
    ][number]  # fmt: skip
    return {
        "number": number, "validator": validator, "answer_index": 0, "answered_index": given,
        "status": "timeout" if given is None else "answered", **asked, **changes,
    }  # fmt: skip


def test_a_statement_says_no_more_than_was_asked() -> None:
    """Of a yellow car that is blue, that it is a car is confirmed, and no color may be named."""
    found = confirmed([row(0, "eye", 0), row(1, "eye", 1)])
    assert found.facts == {"s1": "Is there a car? yes"}
    assert found.missed == ("yellow car",) and "yellow" in found.barred
    assert "car" not in found.barred


@pytest.mark.parametrize(
    ("given", "so"),
    [
        ((0, 0, 0), True), ((0, 0, 1), True), ((0, 1, 1), False), ((0, 0, None), True),
        ((0, 1, None), None), ((0, None, None), None), ((1, 1, None), False), ((0, 1), False),
        ((0, None), None), ((0,), True), ((None,), None),
    ],
)  # fmt: skip
def test_more_than_half_of_those_who_were_asked_confirm(
    given: tuple[int | None, ...], so: bool | None
) -> None:
    found = confirmed(row(0, f"eye{n}", each) for n, each in enumerate(given))
    assert found.checks[0].confirmed is so


def test_where_answers_are_missing_nothing_is_drawn_anew_that_may_be_right() -> None:
    """One of four is seen otherwise and two are not answered: 3 of 4 may still be confirmed."""
    rows = [row(0, "eye", 0) | {"number": n} for n in range(4)]
    for n, given in ((1, 1), (2, None), (3, None)):
        rows[n] |= {"answered_index": given, "status": "answered" if given else "timeout"}
    found = confirmed(rows)
    assert (found.share(), found.share(undecided=True)) == (0.25, 0.75)


def test_coin_flippers_are_not_measured_by_their_own_votes(url: str, tmp_path: Path) -> None:
    exam = drawn(text_params(url, ("a", "b", "c"), rounds=1, at=["hard"]), Writes(), tmp_path)
    flipped = [
        one | ({"answered_index": 1 - one["answered_index"], "correct": False}
               if one["validator"] == "a" else {})
        for one in exam.checks.to_pylist()
    ]  # fmt: skip
    seen = tables.ATTEMPT_CHECKS.of(flipped)
    layouts, suite = tables.LAYOUTS.empty_table(), suite_of(exam.params)
    for name, known in (("a", True), ("b", False)):
        given = exam.params, vocabulary(), exam.scenes, layouts, 0, seen, name
        shown = {check.shown_index == check.answer_index for check in suite.posed(*given)}
        assert shown == {known}  # b and c agree; of a and c nobody has the most


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"renderer": "pictograph"}, "draws what a graph says"),
        ({"renderer": "auto"}, "takes no prompt"),
        ({"validators": []}, "validator.validators names none"),
        ({"twins": True}, "needs a graph"),
        ({"checks": 0}, "is 0"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(changes: dict[str, object], said: str) -> None:
    from lvlmbench.suites.autodavis.check_plan import check_plan

    given = text_params("http://127.0.0.1:9/v1").model_dump(mode="json", exclude_unset=True)
    if "renderer" in changes:
        given["render"]["renderer"] = changes["renderer"]
    elif "validators" in changes:
        given["validator"] = {"validators": []}
    else:
        given["corpus"]["autodavis"] |= changes
    with pytest.raises(UserError, match=said):
        check_plan(validate(given), "params.yaml")
