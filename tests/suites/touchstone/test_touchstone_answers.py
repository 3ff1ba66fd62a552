"""References of the suite ``touchstone`` hold by a second reader of the rows."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import pytest

from lvlmbench.scene.lists import COUNTABLE
from support.render_scenes import vocabulary
from support.touchstone_oracle import (
    NUMBERS,
    OUT,
    REL,
    Check,
    Picture,
    Row,
    bare,
    checked,
    is_somebody,
)
from support.touchstone_scenes import Asked, asked

Checks = tuple[tuple[str, Check], ...]


@cache
def plurals() -> dict[str, str]:
    """Label -> plural of all things."""
    lists = vocabulary().lists
    names = (*COUNTABLE, "clothes", "carrier")
    return {entry.label: entry.plural for name in names for entry in lists[name].entries}


def picture_of(of: Asked, scene: Row) -> Picture:
    layout = of.layouts[scene["scene_id"]]
    return Picture.of(scene, layout, of.params.render.size, plurals())


def _counted(p: Picture, m: re.Match[str]) -> bool:
    there = [t for t in p.things if t.color == m[2]]
    said = re.split(r", and | and |, ", m[3])
    return NUMBERS[len(there)] == m[1].lower() and sorted(map(bare, said)) == sorted(
        t.label for t in there
    )


def _same(p: Picture, m: re.Match[str]) -> bool:
    alike = [t.label for t in p.things if t.color == m[2] and t.label != m[3]]
    return alike == [m[1]] and p.one(m[3]).color == m[2]


def _nth(p: Picture, m: re.Match[str]) -> bool:
    there = [t.color for t in sorted(p.kind(m[2]), key=lambda each: each.center)]
    return there[NTH.index(m[1])] == m[3]


def _aside(p: Picture, m: re.Match[str]) -> bool:
    other = p.one(m[3])
    there = [f"{t.color} {t.label}" for t in p.things if t.beside(m[2], other)]
    said = [bare(each) for each in re.split(r", and | and |, ", m[4])]
    return NUMBERS[len(there)] == m[1].lower() and sorted(said) == sorted(there)


NTH = ("first", "second", "third", "fourth")
ATTRIBUTES: Checks = (
    (
        r"Counted from the left, the (\w+) of the (.+) is (\w+)\.",
        _nth,
    ),
    (rf"(\w+) things are {REL} the (.+?): (.+)\.", _aside),
    (
        rf"It is (\w+): the thing {OUT} is (.+)\.",
        lambda p, m: (p.outer(m[2]).label, p.outer(m[2]).color) == (bare(m[3]), m[1]),
    ),
    (
        r"The (larger|largest|smaller|smallest) one of the (.+) is (\w+)\.",
        lambda p, m: p.sized(m[1], p.kind(m[2])).color == m[3],
    ),
    (
        rf"The (.+?) {REL} the (.+) is (\w+)\.",
        lambda p, m: (
            p.which(m[2], p.one(m[3]), [t for t in p.things if t.label == m[1]]).color == m[4]
        ),
    ),
    (r"(\w+) things are (\w+): (.+)\.", _counted),
    (r"The (.+): it is (\w+), too, just as the (.+)\.", _same),
)
SPECIES: Checks = (
    (
        rf"(.+?) \(.+\): that is the [\w ]+? {OUT}\.",
        lambda p, m: p.outer(m[2]).label == bare(m[1]),
    ),
    (
        rf"(.+?) \(.+\): that is the [\w ]+? {REL} the (.+?)\.",
        lambda p, m: p.which(m[2], p.one(m[3]), p.things).label == bare(m[1]),
    ),
)
TEXT: Checks = (
    (r'The (.+) says "(.+)"\.', lambda p, m: p.one(m[1]).text == m[2]),
    (
        rf'The word {OUT} is "(.+)"; it is written on the (.+)\.',
        lambda p, m: (p.outer(m[1]).text, p.outer(m[1]).label) == (m[2], m[3]),
    ),
    (
        r'The word "(.+?)" is written on the (.+)\. The other words are (.+)\.',
        lambda p, m: (
            p.one(m[2]).text == m[1]
            and {*re.findall(r'"(.+?)"', m[3])} == {t.text for t in p.things} - {m[1]}
        ),
    ),
)


def _feel(p: Picture, m: re.Match[str]) -> bool:
    there = [t for t in p.things if t.person and t.person["expression"] == m[3]]
    return (m[1].lower(), m[2]) == (NUMBERS[len(there)], NUMBERS[len(p.things)])


EMOTION: Checks = (
    (r"(\w+) of the (\w+) people looks? (\w+): .+\.", _feel),
    (
        rf"(\w+): that is how the person {OUT} looks, as .+\.",
        lambda p, m: (p.outer(m[2]).person or {})["expression"] == m[1].lower(),
    ),
    (
        r"(\w+): that is how the person wearing (.+) looks, as .+\.",
        lambda p, m: (p.who(m[2]).person or {})["expression"] == m[1].lower(),
    ),
)
LANDMARK: Checks = (
    (
        r"This is (.+?) \(.+?\)\.( It is in .+\.)?",
        lambda p, m: [bare(t.label) for t in p.things] == [bare(m[1])],
    ),
    (
        rf"(.+?) \(.+?\): that is the one {OUT}\.( It is in .+\.)?",
        lambda p, m: bare(p.outer(m[2]).label) == bare(m[1]),
    ),
    (
        r"In (.+): the picture shows (.+?) \(.+\)\.",
        lambda p, m: [bare(m[2])] == [bare(t.label) for t in p.things],
    ),
    (
        rf"In (.+): the one {OUT} shows (.+?) \(.+\)\.",
        lambda p, m: bare(m[3]) == bare(p.outer(m[2]).label),
    ),
)
EXACT: dict[str, Checks] = {
    "touchstone_attributes": ATTRIBUTES,
    "touchstone_species": SPECIES,
    "touchstone_text": TEXT,
    "touchstone_emotion": EMOTION,
    "touchstone_landmark": LANDMARK,
}


#: Turns as "question / answer".
TURNS: Checks = (
    (
        r"Which of the (.+) is farthest to the left\? / The (\w+) one\.",
        lambda p, m: min(p.kind(m[1]), key=lambda each: each.center).color == m[2],
    ),
    (
        r"How many (.+) does the picture show\? / It shows (\w+) (.+)\.",
        lambda p, m: NUMBERS[len(p.kind(m[1]))] == m[2] and m[1] == m[3],
    ),
    (
        rf"Leaving the background aside, which thing is {OUT}\? / That is (.+)\.",
        lambda p, m: p.outer(m[1]).label == bare(m[2]),
    ),
    (
        r"Which of the (.+) is the (\w+) one\? / The (\w+) one\.",
        lambda p, m: p.sized(m[2], p.kind(m[1])).color == m[3],
    ),
    (r"What color is the (.+)\? / It is (\w+)\.", lambda p, m: p.one(m[1]).color == m[2]),
    (r"What does the (.+) say\? / It says \"(.+)\"\.", lambda p, m: p.one(m[1]).text == m[2]),
    (
        rf"What is the word written on that is {OUT} in this picture\? / It is written on (.+)\.",
        lambda p, m: p.outer(m[1]).label == bare(m[2]),
    ),
    (
        r"Who wears (.+)\? / (.+) does\.",
        lambda p, m: is_somebody(m[2][0].lower() + m[2][1:], p.who(m[1]).person or {}),
    ),
    (
        rf"Who is {OUT}\? / That is (.+)\.",
        lambda p, m: is_somebody(m[2], p.outer(m[1]).person or {}),
    ),
    (
        r"Does this picture show a famous place\? / Yes, it shows a landmark\.",
        lambda p, m: len(p.things) == 1,
    ),
    (
        r"How many landmarks does the picture show\? / There are (\w+)\.",
        lambda p, m: NUMBERS[len(p.things)] == m[1],
    ),
    (
        rf"Which (?:animal|plant|living thing) is {OUT}\? / It is (.+)\.",
        lambda p, m: bare(p.outer(m[1]).label) == bare(m[2]),
    ),
    (
        r"(?:Leaving the background aside, how many things do you count|How many things are drawn "
        r"in this picture, apart from any background)\? / (\w+)\.",
        lambda p, m: NUMBERS[len(p.things)] == m[1].lower(),
    ),
    (
        r"Is this a plain, unprocessed drawing\? / No, the whole picture has a style\.",
        lambda p, m: p.style != "flat illustration",
    ),
)


@pytest.mark.parametrize("task", EXACT)
def test_references_hold_by_a_second_reader(task: str) -> None:
    found = asked((task,), 20, 9)
    assert len(found.questions) >= 18
    for scene, _, question in found.pairs():
        assert checked(picture_of(found, scene), question["answer"], EXACT[task]), question


@pytest.mark.parametrize("task", EXACT)
def test_what_decides_is_in_the_reference(task: str) -> None:
    for _, _, question in asked((task,), 20, 9).pairs():
        value, *_ = question["accepted"]
        said = [value, NUMBERS[int(value)]] if value.isdecimal() else [value]
        assert any(each.lower() in question["answer"].lower() for each in said), question
        forms = [form.casefold() for form in question["accepted"]]
        assert len({*forms}) == len(forms)


@pytest.mark.parametrize("task", EXACT)
def test_questions_ask_for_what_the_reference_tells(task: str) -> None:
    """Whatever names the one thing in the reference also does so in the question or its turns."""
    for _, _, question in asked((task,), 20, 9).pairs():
        turns = " ".join(turn["question"] for turn in question["turns"] or ())
        asks = f"{turns} {question['question']}"
        for how in re.findall(f"(?:{OUT[1:-1]})", question["answer"]):
            assert how in asks, question
        first = question["answer"].split(".")[0]
        for rel in re.findall(rf"{REL} the", first):
            assert rel in asks, question
        for nth in re.findall(r"(?:first|second|third|fourth)", first):
            assert nth in asks, question


def test_turns_are_true() -> None:
    tasks = (
        *EXACT, "touchstone_problem", "touchstone_style", "touchstone_story", "touchstone_ideas",
        "touchstone_poem", "touchstone_email", "touchstone_advice",
    )  # fmt: skip
    for task in tasks:
        found = asked((task,), 20, 9)
        held = 0
        for scene, _, question in found.pairs():
            assert question["turns"] is None or scene["ordinal"] % 3 == 2
            for turn in question["turns"] or ():
                said = f"{turn['question']} / {turn['answer']}"
                assert checked(picture_of(found, scene), said, TURNS), said
                held += 1
        assert held >= 4, task


def test_the_second_reader_sees_what_is_wrong() -> None:
    """In a picture that is turned by half, what is outermost is something else."""
    found = asked(("touchstone_species",), 20, 9)
    wrong = 0
    for scene, _, question in found.pairs():
        picture = picture_of(found, scene)
        turned = [replace(t, center=(1 - t.center[0], 1 - t.center[1])) for t in picture.things]
        try:
            wrong += not checked(
                replace(picture, things=tuple(turned)), question["answer"], SPECIES
            )
        except ValueError:  # nothing stands so any more, or several do
            wrong += 1
    assert wrong == len(found.questions)
