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
    PLACES,
    REL,
    Check,
    Picture,
    Row,
    Thing,
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
    alike = [t.label for t in p.things if t.color == m[3] and t.label != m[2]]
    return alike == [m[1]] and p.one(m[2]).color == m[3]


def _nth(p: Picture, m: re.Match[str]) -> bool:
    own = [t for t in p.things if t.label == m[2]]
    there = [t.color for t in sorted(own, key=lambda each: each.center)]
    return there[NTH.index(m[1])] == m[3]


def _aside(p: Picture, m: re.Match[str]) -> bool:
    other = p.one(m[3])
    there = [f"{t.color} {t.label}" for t in p.things if t.beside(m[2], other)]
    said = [bare(each) for each in re.split(r", and | and |, ", m[4])]
    return NUMBERS[len(there)] == m[1].lower() and sorted(said) == sorted(there)


NTH = ("first", "second", "third", "fourth")
ATTRIBUTES: Checks = (
    (
        r"Counting from the left, the (\w+) (.+) is (\w+)\.",
        _nth,
    ),
    (rf"(\w+) objects are {REL} the (.+?): (.+)\.", _aside),
    (
        rf"The object that is {OUT} is (.+), and it is (\w+)\.",
        lambda p, m: (p.outer(m[1]).label, p.outer(m[1]).color) == (bare(m[2]), m[3]),
    ),
    (
        r"The (larger|largest|smaller|smallest) of the (\w+) (.+) is (\w+)\.",
        lambda p, m: (
            p.sized(m[1], p.kind(m[3])).color == m[4] and len(p.kind(m[3])) == NUMBERS.index(m[2])
        ),
    ),
    (
        rf"The (.+?) {REL} the (.+) is (\w+)\.",
        lambda p, m: (
            p.which(m[2], p.one(m[3]), [t for t in p.things if t.label == m[1]]).color == m[4]
        ),
    ),
    (r"(\w+) objects are (\w+): (.+)\.", _counted),
    (r"The (.+)\. Like the (.+), it is (\w+)\.", _same),
)
SPECIES: Checks = (
    (
        rf"The [\w ]+? that is {OUT} is (.+?), which is an? .+\.",
        lambda p, m: p.outer(m[1]).label == bare(m[2]),
    ),
    (
        rf"The [\w ]+? {REL} the (.+?) is (.+?), which is an? .+\.",
        lambda p, m: p.which(m[1], p.one(m[2]), p.things).label == bare(m[3]),
    ),
)
TEXT: Checks = (
    (r'The (.+) says "(.+)"\.', lambda p, m: p.one(m[1]).text == m[2]),
    (
        rf'The word that is {OUT} is "(.+)"\. It is written on the (.+)\.',
        lambda p, m: (p.outer(m[1]).text, p.outer(m[1]).label) == (m[2], m[3]),
    ),
    (
        r'The word "(.+?)" is written on the (.+)\.',
        lambda p, m: _placed(p, m[2]).text == m[1],
    ),
    (r"It is on the (.+)\.", lambda p, m: _placed(p, m[1]).text is not None),
)


def _placed(p: Picture, said: str) -> Thing:
    """What is named with its place, which is where it is."""
    label, spot = next(
        (said.removesuffix(f" {spot}"), spot)
        for spot in (*sorted(PLACES, key=len, reverse=True), "")
        if said.endswith(f" {spot}") or not spot
    )
    one = p.one(label)
    column, row = PLACES.get(spot, (None, None))
    assert column in (None, int(3 * one.center[0])) and row in (None, int(3 * one.center[1]))
    return one


def _feel(p: Picture, m: re.Match[str]) -> bool:
    there = [t for t in p.things if t.person and t.person["expression"] == m[3]]
    return (m[1].lower(), m[2]) == (NUMBERS[len(there)], NUMBERS[len(p.things)])


EMOTION: Checks = (
    (r"(\w+) of the (\w+) people looks? (\w+): .+\.", _feel),
    (
        rf"The person {OUT} looks (\w+): .+\.",
        lambda p, m: (p.outer(m[1]).person or {})["expression"] == m[2],
    ),
    (
        r"The person wearing (.+) looks (\w+): .+\.",
        lambda p, m: (p.who(m[1]).person or {})["expression"] == m[2],
    ),
)
LANDMARK: Checks = (
    (
        r"(?:It is in .+?\. )?The picture shows (.+?)\.( (?:It|They) .+\.)?",
        lambda p, m: [bare(t.label) for t in p.things] == [bare(m[1])],
    ),
    (
        rf"(?:It is in .+?\. )?The landmark that is {OUT} is (.+?)\.( (?:It|They) .+\.)?",
        lambda p, m: bare(p.outer(m[1]).label) == bare(m[2]),
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
        r"How many (.+) are there in the picture\? / There (?:is|are) (\w+)(?: (.+))?\.",
        lambda p, m: (
            NUMBERS[len(p.things if m[1] == "landmarks" else p.kind(m[1]))] == m[2]
            and m[3] in (None, m[1])
        ),
    ),
    (
        rf"Not counting the background, which object is {OUT}\? / It is (.+)\.",
        lambda p, m: p.outer(m[1]).label == bare(m[2]),
    ),
    (
        r"Which of the (.+) is the (\w+)\? / The (\w+) one\.",
        lambda p, m: p.sized(m[2], p.kind(m[1])).color == m[3],
    ),
    (r"What color is the (.+)\? / It is (\w+)\.", lambda p, m: p.one(m[1]).color == m[2]),
    (r"What does the (.+) say\? / It says \"(.+)\"\.", lambda p, m: p.one(m[1]).text == m[2]),
    (
        rf"What is the word that is {OUT} written on\? / It is written on (.+)\.",
        lambda p, m: p.outer(m[1]).label == bare(m[2]),
    ),
    (
        r"Who is wearing (.+)\? / (.+)\.",
        lambda p, m: is_somebody(m[2][0].lower() + m[2][1:], p.who(m[1]).person or {}),
    ),
    (
        rf"Who is {OUT}\? / (.+)\.",
        lambda p, m: is_somebody(m[2][0].lower() + m[2][1:], p.outer(m[1]).person or {}),
    ),
    (
        r"Does this picture show a famous place\? / Yes, it shows a landmark\.",
        lambda p, m: len(p.things) == 1,
    ),
    (
        rf"Which (?:animal|plant|living thing) is {OUT}\? / It is (.+)\.",
        lambda p, m: bare(p.outer(m[1]).label) == bare(m[2]),
    ),
    (
        r"(?:Not counting the background, how many [\w ]+ do you see|Apart from any background, "
        r"how many [\w ]+ are there in this picture)\? / (\w+)\.",
        lambda p, m: NUMBERS[len(p.things)] == m[1].lower(),
    ),
    (
        r"Is this a plain drawing\? / No, the whole picture has a style\.",
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
