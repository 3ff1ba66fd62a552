"""What decides, and what must not be said instead: forms of the value, and its rivals."""

from __future__ import annotations

import re

import pytest

from lvlmbench.scene.answers import accepted
from lvlmbench.suites.dialogue import TASKS
from lvlmbench.suites.touchstone.knowledge import places
from lvlmbench.suites.touchstone.values import apart, clock, entry, misread
from support.touchstone_scenes import asked

#: Tasks whose questions one value may decide.
EXACT = tuple(name for name, task in TASKS.items() if task.decided == "seen" and not task.rated)


def says(word: str, text: str) -> bool:
    """Whether a text holds a word or number, in whatever form."""
    forms = "|".join(re.escape(each) for each in accepted(word))
    return re.search(rf"(?<![\w.])(?:{forms})(?!\w|[.,]\d)", text, re.I) is not None


@pytest.mark.parametrize("task", EXACT)
def test_each_value_has_rivals_that_the_reference_does_not_give(task: str) -> None:
    found = asked((task,), 24, 9)
    decided = [question for _, _, question in found.pairs() if question["accepted"]]
    assert len(decided) >= 6
    for question in decided:
        rivals, forms = question["rivals"], question["accepted"]
        assert rivals and len({*map(str.casefold, rivals)}) == len(rivals), question
        for rival in rivals:
            assert not says(rival, " ".join([question["answer"], *forms])), question
            assert not any(says(form, rival) for form in forms if len(form) == len(rival))
    assert not [q for _, _, q in found.pairs() if q["rivals"] and not q["accepted"]]


def test_rivals_are_what_the_picture_shows_otherwise() -> None:
    for scene, _, question in asked(("touchstone_text",), 24, 9).pairs():
        told = " ".join(turn["answer"] for turn in question["turns"] or ())
        words = {each["text"] for each in scene["objects"]} - {question["accepted"][0]}
        if "written on?" not in question["question"] and "do you find" not in question["question"]:
            assert {*question["rivals"]} == {word for word in words if not says(word, told)}
    for scene, _, question in asked(("touchstone_chart",), 24, 9).pairs():
        chart = scene["objects"][0]["chart"]
        if question["accepted"] and not question["accepted"][0].isdecimal():
            right = question["accepted"][0]
            there = chart["series"] if right in chart["series"] else chart["categories"]
            shown = {name for name in there if name != right and not says(name, question["answer"])}
            assert shown <= {*question["rivals"]}


def test_numbers_come_first_or_end_the_sum() -> None:
    """Whoever reads a number out of a reference finds the one that was asked for."""
    tasks = ("attributes", "emotion", "reasoning", "chart", "math", "products", "differences")
    seen = 0
    for task in tasks:
        for _, _, question in asked((f"touchstone_{task}",), 24, 9).pairs():
            value = (question["accepted"] or ["none"])[0]
            if not value.isdecimal():
                continue
            seen += 1
            said = question["answer"]
            begins = any(
                re.match(rf"(?:There are |There is |They are )?{each}\b", said, re.I)
                for each in accepted(value)
            )
            assert begins or re.search(rf"= {value}(?: \w+²?| %|°)?\.$", said), question
    assert seen >= 60


def test_rivals_never_are_the_right_value() -> None:
    assert apart(("red", "Gray", "silver"), ("gray", "grey"), "It is gray.") == ("red", "silver")
    assert apart(("3", "4", "5"), ("7", "seven"), "Three and 4 = 7.") == ("5",)
    assert apart(("polar bear", "bear"), ("bear",), "A bear.") == ("polar bear",)
    assert apart(("1", "9"), ("5",), "From 1.5 to 9 = 5.") == ("1",)
    assert "7" not in misread(7, 7, 8)


def test_one_value_is_said_in_several_ways() -> None:
    assert entry("Jul") == ("Jul", "July") and entry("Ada") == ("Ada",)
    assert entry("figs") == ("figs", "fig") and entry("Sat") == ("Sat", "Saturday")
    assert {"UK", "U.K.", "England"} <= {*places()["Big Ben"].country}
    for _, _, question in asked(("touchstone_differences",), 24, 9).pairs():
        if len(question["panels"]) == 4:
            said = question["accepted"][0]
            assert {said, said.replace(" ", "-")} <= {*question["accepted"]}
    assert {"3:20", "03:20", "15:20", "3.20"} <= {*clock(3, 20)}
    assert {"12:05", "00:05", "0:05"} & {*clock(12, 5)} == {"12:05", "00:05"}
