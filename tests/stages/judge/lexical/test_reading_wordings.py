"""Ways to put one claim: phrases, lists, pronouns, words that parsers mistake."""

from __future__ import annotations

import pytest

from support.reading import told

ATTRIBUTES = {
    # by a phrase
    "The stool is made of oak rather than pine.": (
        "not stool material pine", "stool", "stool material oak",
    ),
    "A cake shaped like a heart.": ("cake", "cake shape heart"),
    "The buckets look like tin.": ("bucket", "maybe bucket material tin"),
    "The radio is switched off.": ("radio", "radio state off"),
    "The headlights are on.": ("headlight", "headlight state on"),
    # by a word that no list has, or that parsers mistake
    "A cream-white door and rust-colored shutters.": (
        "door", "door color cream-white", "shutter", "shutter color rust-colored",
    ),
    "The sofa is a plain leather one.": ("sofa", "sofa material leather", "sofa other plain"),
    "The cushions are either gold or lemon yellow.": (
        "cushion", "maybe cushion color gold", "maybe cushion color lemon yellow",
    ),
    "A half-eaten bagel on a plate.": (
        "bagel", "bagel on plate", "bagel state half-eaten", "plate",
    ),
    "A clay mug, green, hand-painted.": (
        "mug", "mug color green", "mug material clay", "mug other hand-painted",
    ),
    "A basket with peeled ginger.": ("basket", "ginger", "ginger state peeled"),
    # participles with a place of their own say no state
    "A swing hanging from a branch.": ("branch", "swing"),
    "Two canoes moored at a jetty.": ("canoe", "canoe count 2", "canoe state moored", "jetty"),
    # coordinated over a semicolon
    "A van and a scooter are parked there; a dog barks.": (
        "dog", "dog does bark", "scooter", "scooter state parked", "van", "van state parked",
    ),
}  # fmt: skip


@pytest.mark.parametrize("text", ATTRIBUTES)
def test_how_things_are_is_read_in_other_wordings(text: str) -> None:
    assert told(text, vocabulary=False) == sorted(ATTRIBUTES[text])


PEOPLE = {
    "The man has light skin and a bald head.": (
        "man", "man gender male", "man hair bald", "man race light",
    ),
    "A woman with a medium skin tone and short curly hair in a bob.": (
        "woman", "woman gender female", "woman hair bob", "woman hair curly", "woman hair short",
        "woman race medium",
    ),
    "A grinning boy.": ("boy", "boy age child", "boy expression grinning", "boy gender male"),
    # lists of clothes, and what follows them
    "- A woman in a red coat, a blue T-shirt, and a green top, dancing, holding the lamp": (
        "lamp", "woman", "woman does dance", "woman gender female", "woman holds lamp",
        "woman wears coat, red", "woman wears t-shirt, blue", "woman wears top, green",
    ),
    "There is a girl. She wears green short pants, dark glasses and a knitted hat.": (
        "girl", "girl age child", "girl gender female", "girl wears dark glasses",
        "girl wears knitted hat", "girl wears short pants, green",
    ),
    # one of unknown gender
    "A child sits there. It rains. They wear a yellow hood.": (
        "child", "child age child", "child does sit", "child wears hood, yellow",
    ),
    "A clerk is putting his hands on his hips.": ("clerk", "clerk does put hand on hip"),
}  # fmt: skip


@pytest.mark.parametrize("text", PEOPLE)
def test_people_are_read_in_other_wordings(text: str) -> None:
    assert told(text) == sorted(PEOPLE[text])


def test_ordinals_name_those_that_were_named_before() -> None:
    text = "There is a sad man. There is another man. The second man waves. The first man sleeps."
    found = told(text)
    assert found.count("man") == 2
    assert {"man does sleep", "man does wave"} <= set(found)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('The poster reads "garden".', "poster text garden"),
        ('A mug that says "beach"', "mug text beach"),
        ('- A crate, reading "tiger"', "crate text tiger"),
    ],
)
def test_what_is_written_is_no_thing(text: str, written: str) -> None:
    found = told(text)
    assert written in found
    assert not {"garden", "beach", "tiger"} & set(found)


@pytest.mark.parametrize(
    "text",
    [
        "The setting is a farm.", "The backdrop is a farm.", "All of this is set against a farm.",
        "The background shows a farm.",
    ],
)  # fmt: skip
def test_a_setting_is_read_by_its_name(text: str) -> None:
    assert told(text) == ["scene background farm"]


@pytest.mark.parametrize(
    "text",
    [
        "I will go through it step by step.",
        "The view leaves room for a second thought.",
        "These are the main points and highlights.",
    ],
)
def test_idioms_name_nothing(text: str) -> None:
    assert told(text) == []


def test_what_lies_behind_a_picture_is_not_behind_a_thing() -> None:
    text = "A lamp and a radio. One may wonder about the meaning behind it."
    assert told(text) == ["lamp", "radio"]


def test_names_with_of_are_denied_as_a_whole() -> None:
    assert told("There is no cup of coffee.") == ["not cup of coffee"]


def test_the_frame_of_the_picture_is_none() -> None:
    assert told("At the edge of the frame.") == []
    assert told("A mirror with a golden frame.") == [
        "frame", "frame color golden", "mirror",
    ]  # fmt: skip
