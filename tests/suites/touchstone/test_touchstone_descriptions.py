"""Descriptions, and references of tasks of taste: all that they name is there, where they say."""

from __future__ import annotations

import re

import pytest

from lvlmbench.scene.graph import Garment, Person
from lvlmbench.suites.touchstone.describing import person
from support.render_scenes import vocabulary
from support.touchstone_oracle import PLACES, Picture, Thing, bare, garment, is_somebody
from support.touchstone_scenes import asked

DRAWN = (
    "touchstone_simple", "touchstone_detailed", "touchstone_attributes", "touchstone_species",
    "touchstone_text", "touchstone_emotion", "touchstone_landmark", "touchstone_problem",
    "touchstone_story", "touchstone_ideas", "touchstone_poem", "touchstone_email",
    "touchstone_advice",
)  # fmt: skip
NAMING = ("simple", "detailed", "problem", "story", "ideas", "poem", "email", "advice")
#: Words for what somebody does -> the label of the action.
DOES = {
    "standing still": "standing", "waving": "waving", "raising both arms": "arms raised",
    "stretching both arms out to the sides": "arms stretched out",
    "posing with hands on hips": "hands on hips", "running": "running",
    "crossing both arms": "arms crossed", "sitting on a stool": "sitting",
    "kneeling": "kneeling", "standing on one leg": "standing on one leg",
}  # fmt: skip


def _place(said: str) -> str:
    """The words for a place that a phrase holds; the longest ones that fit."""
    fits = [words for words in PLACES if re.search(rf" {words}(,| is |$)", said)]
    return max(fits, key=len, default="")


def _is_at(thing: Thing, place: str) -> bool:
    column, row = PLACES.get(place, (None, None))
    x, y = (int(3 * at) for at in thing.center)
    return column in (None, x) and row in (None, y)


def _is_person(said: str, thing: Thing) -> bool:
    person = thing.person or {}
    parts = re.match(r"(.+?)(?:,| is) ([^,]+), with ", said)
    assert parts is not None, said
    who, does = parts[1], parts[2]
    who = who.removesuffix(_place(who)).strip()
    worn = re.search(r", wearing (.+?)(, holding|$)", said)
    clothes = re.split(r", and |, | and ", worn[1]) if worn else []
    garments = [garment(each) for each in clothes]
    face = re.search(r"(?:with|and) an? (\w+) expression(, wearing|, holding|$)", said)
    holds = person["held"] is None or said.endswith(f"{person['held_color']} {person['held']}")
    assert face is not None, said
    return (
        is_somebody(who, person)
        and {*garments} <= thing.worn
        and (face[1], DOES[does]) == (person["expression"], person["action"])
        and holds
    )


def _is_thing(said: str, thing: Thing) -> bool:
    if thing.person is not None:
        return _is_person(said, thing) and _is_at(thing, _place(said))
    place = _place(said)
    named = said.removesuffix(f" {place}") if place else said
    text = f' that says "{thing.text}"' if thing.text else ""
    color = f"{thing.color} " if thing.color else ""
    return bare(named) == bare(f"{color}{thing.label}{text}") and _is_at(thing, place)


@pytest.mark.parametrize("task", DRAWN)
def test_descriptions_name_what_is_there(task: str) -> None:
    found = asked((task,), 12, 9)
    for scene, layout, question in found.pairs():
        picture = Picture.of(scene, layout, found.params.render.size, {})
        in_order = sorted(picture.things, key=lambda thing: thing.center)
        first = re.match(r"The picture shows (.+?)\. ?", question["description"])
        assert first is not None
        said = first[1].split(", from left to right: ")[-1].split("; ")
        phrase = vocabulary().lists["background"].by_label.get(scene["setting"]["background"] or "")
        if len(in_order) == 1 and phrase is not None:
            said = [said[0].removesuffix(f" {phrase.extra['phrase']}")]
        assert len(said) == len(in_order), question
        for words, thing in zip(said, in_order, strict=True):
            assert _is_thing(words, thing), (words, thing)


@pytest.mark.parametrize("task", NAMING)
def test_references_name_all_that_is_there(task: str) -> None:
    """Each thing is named, and colors are those that were drawn."""
    found = asked((f"touchstone_{task}",), 12, 9)
    assert len(found.questions) == 12
    for scene, layout, question in found.pairs():
        picture = Picture.of(scene, layout, found.params.render.size, {})
        for thing in picture.things:
            if thing.person is None:
                color = f"{thing.color} " if thing.color else ""
                assert f"{color}{thing.label}".lower() in question["answer"].lower(), question


def test_a_detailed_reference_tells_of_people_as_they_were_drawn() -> None:
    found, seen = asked(("touchstone_detailed",), 12, 9), 0
    for scene, layout, question in found.pairs():
        picture = Picture.of(scene, layout, found.params.render.size, {})
        people = sorted((t for t in picture.things if t.person), key=lambda each: each.center)
        told = question["answer"].split(". ")[1 : 1 + len(people)]
        said = [each[:1].lower() + each[1:] for each in told]
        assert len(said) == len(people)
        seen += len(said)
        assert all(_is_thing(words, one) for words, one in zip(said, people, strict=True)), said
    assert seen


def test_a_problem_has_at_least_two_things_that_help_and_one_that_does_not() -> None:
    for scene, _, question in asked(("touchstone_problem",), 12, 9).pairs():
        first, *steps, last = question["answer"].splitlines()
        assert len(steps) >= 2
        for at, step in enumerate(steps, 1):
            assert step.startswith(f"{at}. ")
        rest = [t for t in scene["objects"] if t["label"] in last]
        assert rest and len(rest) + len(steps) == len(scene["objects"])
        assert all(each["label"] in first for each in scene["objects"] if each not in rest)


def test_a_style_is_the_one_that_was_drawn() -> None:
    entries = vocabulary().lists["style"].by_label
    for scene, _, question in asked(("touchstone_style",), 24, 9).pairs():
        style = scene["setting"]["style"]
        caption = entries[style].extra["caption"].replace(" of {subject}", "")
        assert caption in question["answer"]
        others = [label for label in entries if label != style and label not in caption]
        assert not [label for label in others if f" {label}" in question["answer"]]


def test_nothing_is_said_of_clothes_that_cannot_be_told() -> None:
    """Brown on dark skin: neither the shirt nor the belt on it, nor what covers the legs."""
    worn = tuple(Garment(kind, "brown") for kind in ("T-shirt", "trousers", "belt"))
    about = Person(
        age="adult", gender="woman", race="dark", expression="neutral", garments=worn,
        action="standing", hair="bald", hair_color="black", beard="none",
    )  # fmt: skip
    assert person(about) == "a woman, standing still, with a bald head and a neutral expression"
