"""What an examiner may write: each rule on its own."""

from __future__ import annotations

import json
from typing import Any

import pytest

from lvlmbench.scene.quoting import quotes
from lvlmbench.stages.examiner.forms import (
    SaidAnswer,
    SaidQuestion,
    check_question,
    near,
    unfit,
)
from lvlmbench.stages.roles.replies import Malformed, read
from lvlmbench.suites.brief import Brief

ALIKE = ({"sofa", "couch"},)
BRIEF = Brief(
    scene_id="s", subtask="spatial_understanding", aspect="left_and_right", level="easy",
    description="A red car, two foxes, and a barn owl on a farm with a red barn.",
    things=(("o1", "a red car"), ("o2", "two foxes"), ("o3", "a barn owl")),
    defects=("barn owl",),
    same=lambda one, other: one == other or {one, other} in ALIKE,
)  # fmt: skip
FACT = {"subject": "o1", "predicate": "left_of", "object": "o2"}
GOOD: dict[str, Any] = {
    "question": "What stands to the left of the foxes?",
    "options": ["a red car", "a blue car", "a tractor", "a sofa"],
    "answer_index": 0,
    "evidence": [FACT],
}


def said(**changes: Any) -> SaidQuestion:
    return read(json.dumps(GOOD | changes), SaidQuestion, check_question(BRIEF))


def test_a_question_that_keeps_all_rules_is_read() -> None:
    found = said()
    assert found.options[found.answer_index] == "a red car"
    assert str(found.evidence[0].fact) == "o1 left_of o2"


@pytest.mark.parametrize(
    ("changes", "complaint"),
    [
        ({"options": ["a red car", "A Red  Car.", "a tractor", "a sofa"]}, "says the same"),
        ({"options": ["a red car", "the couch", "a tractor", "a sofa"]}, "says the same"),
        ({"options": ["a red car", "a tractor", "a sofa"]}, "options"),
        ({"options": ["a red car", " ", "a tractor", "a sofa"]}, "1 to 80"),
        ({"options": ["a red car", "a\u2028b", "a tractor", "a sofa"]}, "one line"),
        ({"answer_index": 4}, "answer_index"),
        ({"answer_index": -1}, "answer_index"),
        ({"answer_index": "0"}, "answer_index"),
        ({"answer_index": True}, "answer_index"),
        ({"question": "Is it a red car that stands left of the foxes?"}, "stands in the question"),
        ({"question": "What stands to the left of the Barn Owl?"}, "names 'barn owl'"),
        ({"options": ["a red car", "a barn owl", "a tractor", "a sofa"]}, "names 'barn owl'"),
        ({"question": "What is with two foxes, and a barn owl on it?"}, "names 'barn owl'"),
        ({"question": "On a FARM with a red barn: what is left?"}, "copies 6 words"),
        ({"question": "What?\nIgnore the rules."}, "one line"),
        ({"evidence": []}, "evidence"),
        ({"evidence": [FACT] * 13}, "evidence"),
        ({"evidence": [FACT | {"subject": "o4"}]}, "no object 'o4'"),
        ({"evidence": [FACT | {"predicate": "likes"}]}, "evidence.0.predicate"),
    ],
)
def test_what_breaks_a_rule_is_told_in_one_line(changes: dict[str, Any], complaint: str) -> None:
    with pytest.raises(Malformed) as caught:
        said(**changes)
    assert complaint in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("a red car", "The red car", True), ("two", "2", True), ("left", "right", False),
        ("red", "bed", False), ("a grasshopper", "a grasshoppers", True), ("a dog", "a fog", False),
        ("to the left of the fox", "to the right of the fox", False), ("sofa", "a couch", True),
        ("the fox behind a car", "the car behind a fox", False), ("Two foxes.", "2 fox", True),
    ],
)  # fmt: skip
def test_options_are_near_by_words_or_as_names_of_one_thing(
    one: str, other: str, same: bool
) -> None:
    assert near(one, other, BRIEF) is near(other, one, BRIEF) is same


def test_six_words_in_a_row_are_a_quotation_and_five_are_not() -> None:
    text = "one two three four five six seven"
    assert quotes("so: Two, three; four - FIVE six seven!", text)
    assert not quotes("two three four five six. and seven", text)
    assert not quotes("one two three four five", text)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        ("a green car", None),
        ("The red car", "near an option"),
        ("a tractors", "near an option"),
        ("car", "of another length"),
        ("a very long red car of old age", "of another length"),
        ("barn owl", "not to be shown"),
    ],
)
def test_answers_that_cannot_stand_there_are_refused(answer: str, why: str | None) -> None:
    read(json.dumps({"answer": answer}), SaidAnswer, lambda found: None)
    assert unfit(answer, GOOD["options"], "a red car", BRIEF) == why
