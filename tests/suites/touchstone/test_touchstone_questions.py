"""Questions, what was said before them, and the values that decide: earlier turns leave the picture
needed, scenes of all kinds come by turns, and no reference gives a rival of its value."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

from lvlmbench.scene.answers import accepted
from lvlmbench.scene.truth.names import names_of
from lvlmbench.suites.dialogue import TASKS
from lvlmbench.suites.touchstone.knowledge import places
from lvlmbench.suites.touchstone.tasks.text import unusual
from lvlmbench.suites.touchstone.values import apart, clock, entry, misread
from support.render_scenes import vocabulary
from support.touchstone_scenes import Asked, asked

Row = dict[str, Any]
DRAWN = tuple(name for name, task in TASKS.items() if task.decided != "not drawn")
TURNED = tuple(name for name in DRAWN if not TASKS[name].rated)
#: Tasks whose turns say something of what is shown, and which of it the question builds on.
EXACT = tuple(name for name in TURNED if TASKS[name].decided == "seen")


def turned(found: Asked) -> list[tuple[Row, Row, str]]:
    """Scenes and questions that have turns, with what was answered before."""
    return [
        (scene, question, " ".join(turn["answer"] for turn in question["turns"]))
        for scene, _, question in found.pairs()
        if question["turns"]
    ]


def says(form: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(form)}(?!\w)", text, re.I) is not None


@pytest.mark.parametrize("task", EXACT)
def test_no_turn_gives_the_value(task: str) -> None:
    found = turned(asked((task,), 24, 9))
    assert len(found) >= 5
    for _, question, told in found:
        assert not [form for form in question["accepted"] or () if says(form, told)], question


def test_no_turn_names_a_landmark() -> None:
    """Where a landmark is, everybody knows: the picture is to tell which one it is."""
    for scene, question, _ in turned(asked(("touchstone_landmark",), 24, 9)):
        said = " ".join(f"{turn['question']} {turn['answer']}" for turn in question["turns"])
        for thing in scene["objects"]:
            names = names_of(vocabulary(), "pictograph").of("landmark", thing["label"]).forms
            assert not [name for name in names if says(name, f"{said} {question['question']}")]


def test_no_turn_tells_the_time_nor_all_terms_of_a_sum() -> None:
    """From the numbers that turns and question name no result follows by one step."""
    kinds = set()
    for scene, question, told in turned(asked(("touchstone_math",), 48, 9)):
        chart, right = scene["objects"][0]["chart"], question["accepted"][0]
        kinds.add(chart["kind"])
        assert not re.search(r"\d:\d\d", told), question
        if not right.isdecimal():
            continue
        known = [int(each) for each in re.findall(r"\d+", f"{told} {question['question']}")]
        made = {op for a in known for b in known for op in (a + b, a - b, a * b, b and a / b)}
        count = len(chart["categories"])
        assert int(right) not in made | {a / count for a in known}, question
    assert {"bar", "table", "pie", "clock", "number_line"} <= kinds


@pytest.mark.parametrize("task", [name for name in TURNED if TASKS[name].decided == "taste"])
def test_no_turn_lists_what_a_text_is_to_be_made_of(task: str) -> None:
    for scene, question, told in turned(asked((task,), 24, 9)):
        for thing in scene["objects"]:
            assert not says(thing["label"], told), question


def test_equal_turns_and_questions_have_different_answers() -> None:
    """The same is asked of other pictures, and is answered otherwise there."""
    asks: dict[str, set[str]] = {}
    for _, question, told in turned(asked(("touchstone_landmark",), 48, 9)):
        key = f"{question['turns'][0]['question']} {told} {question['question']}"
        asks.setdefault(key, set()).add(question["accepted"][0])
    assert max(map(len, asks.values())) >= 3


def test_landmarks_have_turns_whatever_their_number() -> None:
    found = asked(("touchstone_landmark",), 24, 9).pairs()
    numbers = Counter(len(scene["objects"]) for scene, _, q in found if q["turns"])
    assert {*numbers} == {1, 2, 3}


KINDS = {"touchstone_math": 6, "touchstone_chart": 4, "touchstone_landmark": 3}


@pytest.mark.parametrize("task", KINDS)
def test_each_kind_comes_once_before_one_comes_again(task: str) -> None:
    n, orders = KINDS[task], set()
    for seed in (9, 10):
        scenes = asked((task,), 24, seed).scenes.to_pylist()
        kinds = [
            each["objects"][0]["chart"]["kind"] if each["objects"][0]["chart"] else
            len(each["objects"])
            for each in scenes
        ]  # fmt: skip
        rounds = [tuple(kinds[at : at + n]) for at in range(0, len(kinds), n)]
        assert all(len({*each}) == n for each in rounds)
        orders |= {*rounds}
    assert len(orders) >= 4


def test_words_of_text_scenes_are_none_that_answers_are_made_of() -> None:
    pool = unusual(tuple(vocabulary().words))
    assert len(pool) > 1000
    bad = {"been", "west", "left", "first", "right", "top", "white", "three", "sign", "says"}
    assert bad.isdisjoint(pool)
    for scene in asked(("touchstone_text",), 24, 9).scenes.to_pylist():
        assert bad.isdisjoint(thing["text"] for thing in scene["objects"])


def test_species_have_names_of_their_own() -> None:
    plants = 0
    for scene in asked(("touchstone_species",), 24, 9).scenes.to_pylist():
        labels = {thing["label"] for thing in scene["objects"]}
        plants += any(thing["list"] == "plant" for thing in scene["objects"])
        assert not labels & {"bare tree", "deciduous tree", "potted plant", "fallen leaves"}
    assert plants == 6


#: Tasks whose questions one value may decide.
DECIDED = tuple(name for name, task in TASKS.items() if task.decided == "seen" and not task.rated)


def gives(word: str, text: str) -> bool:
    """Whether a text holds a word or number, in whatever form."""
    forms = "|".join(re.escape(each) for each in accepted(word))
    return re.search(rf"(?<![\w.])(?:{forms})(?!\w|[.,]\d)", text, re.I) is not None


@pytest.mark.parametrize("task", DECIDED)
def test_each_value_has_rivals_that_the_reference_does_not_give(task: str) -> None:
    found = asked((task,), 24, 9)
    decided = [question for _, _, question in found.pairs() if question["accepted"]]
    assert len(decided) >= 6
    for question in decided:
        rivals, forms = question["rivals"], question["accepted"]
        assert rivals and len({*map(str.casefold, rivals)}) == len(rivals), question
        for rival in rivals:
            assert not gives(rival, " ".join([question["answer"], *forms])), question
            assert not any(gives(form, rival) for form in forms if len(form) == len(rival))
    assert not [q for _, _, q in found.pairs() if q["rivals"] and not q["accepted"]]


def test_rivals_are_what_the_picture_shows_otherwise() -> None:
    for scene, _, question in asked(("touchstone_text",), 24, 9).pairs():
        told = " ".join(turn["answer"] for turn in question["turns"] or ())
        words = {each["text"] for each in scene["objects"]} - {question["accepted"][0]}
        if "written on?" not in question["question"] and "do you find" not in question["question"]:
            assert {*question["rivals"]} == {word for word in words if not gives(word, told)}
    for scene, _, question in asked(("touchstone_chart",), 24, 9).pairs():
        chart = scene["objects"][0]["chart"]
        if question["accepted"] and not question["accepted"][0].isdecimal():
            right = question["accepted"][0]
            there = chart["series"] if right in chart["series"] else chart["categories"]
            shown = {
                name for name in there if name != right and not gives(name, question["answer"])
            }
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
