"""Objects: words, synonyms, broader words, people, denials, open and closed pictures."""

import random
from dataclasses import replace

import pytest

from lvlmbench.scene.claims import Feature
from support.matching import has, matches, stands, thing, verdicts, wears

DOG = thing("o1", "dog", source="layout")
TIGER = thing("o2", "tiger", group="cat/tiger")


@pytest.mark.parametrize(
    ("word", "verdict", "how"),
    [
        ("dog", "matched", "word"),
        ("Dog", "matched", "word"),
        ("domestic dog", "matched", "synonym"),
        ("cat", "matched", "synonym"),
        ("animal", "broader", "ancestor"),
        ("creature", "broader", "ancestor"),
        ("poodle", "hallucinated", "closed_world"),
        ("hot dog", "hallucinated", "closed_world"),
        ("car", "hallucinated", "closed_world"),
        ("thing", "unverifiable", "word"),
    ],
)
def test_words_for_what_is_there(word: str, verdict: str, how: str) -> None:
    (match,) = matches([DOG, TIGER], word)
    assert (match.verdict, match.how) == (verdict, how)


def test_nouns_with_a_rare_sense_of_people_are_no_people() -> None:
    person, goat = thing("o1", "person", "man"), thing("o2", "goat")
    assert verdicts([person], "goat", "chef", closed=False) == [
        ("hallucinated", None), ("narrower", "o1"),
    ]  # fmt: skip
    assert verdicts([goat], "person") == [("hallucinated", None)]


def test_a_woman_beside_the_only_man_is_not_there() -> None:
    man = thing("o1", "person", "man", "guy")
    rows = "man", "woman", "woman", ("attribute", 1, "gender", "female")
    assert [verdict for verdict, _ in verdicts([man], *rows)] == [
        "matched", "hallucinated", "hallucinated", "hallucinated",
    ]  # fmt: skip


def test_who_has_a_profession_is_a_person_too() -> None:
    chef = thing("o1", "chef")
    person = thing("o1.person", "person", "woman", optional=True, source="listed")
    features = [chef, person, wears(chef, "hat", "white")]
    rows = "woman", ("garment", 0, "wears", "hat", "white")
    assert verdicts(features, *rows) == [("matched", "o1.person"), ("matched", "o1.wears.hat")]


def test_what_a_drawing_shows_beside_may_be_named_often() -> None:
    tree = thing("listed.tree", "tree", optional=True, source="listed")
    assert verdicts([DOG, tree], "tree", "tree") == [("matched", "listed.tree")] * 2


def test_owed_features_come_before_optional_ones() -> None:
    beside = thing("a.dog", "dog", optional=True, source="listed")
    assert verdicts([beside, DOG], "dog") == [("matched", "o1")]


def test_denials() -> None:
    red = has(DOG, "color", "red")
    rows = "dog", "no dog", "no horse", ("attribute", 0, "color", "red", "no")
    assert verdicts([DOG, red], *rows) == [
        ("matched", "o1"), ("false_denial", "o1"), ("true_denial", None),
        ("false_denial", "o1.color"),
    ]  # fmt: skip
    assert verdicts([DOG, red], "dog", ("attribute", 0, "color", "blue", "no"))[1] == (
        "true_denial", None,
    )  # fmt: skip


def test_repeated_claims_have_one_verdict() -> None:
    blue = has(DOG, "color", "blue")
    rows = "dog", "dog", ("attribute", 0, "color", "red"), ("attribute", 1, "color", "red")
    found = verdicts([DOG, blue], *rows, "horse", "horse")
    assert found[0::2] == found[1::2]


def test_the_order_of_features_does_not_matter() -> None:
    tiger = replace(TIGER, feature="o9")
    dogs = [thing(f"o{at}", "dog") for at in range(1, 5)]
    features: list[Feature] = [*dogs, tiger]
    shades = ("red", "blue", "blue", "white")
    features += [has(dog, "color", c) for dog, c in zip(dogs, shades, strict=True)]
    features += [stands(dogs[0], "left_of", dogs[2]), stands(tiger, "above", dogs[1])]
    rows = (
        "dog", "dog", "dog", "animal", "cat", ("attribute", 0, "color", "blue"),
        ("attribute", 1, "color", "red"), ("relation", 4, "above", 0),
        ("relation", 1, "left_of", 2), ("count", "dog", "count", "4"),
    )  # fmt: skip
    expected = matches(features, *rows)
    assert {each.verdict for each in expected[5:]} == {"matched"}
    for seed in range(20):
        random.Random(seed).shuffle(features)
        assert matches(features, *rows) == expected


def test_what_is_worn_is_meant_before_what_is_listed() -> None:
    woman = thing("o1", "person", "woman")
    listed = thing("listed.bag", "bag", optional=True, source="listed")
    rows = "woman", "bag", ("attribute", 1, "color", "pink")
    worn = [woman, wears(woman, "backpack", "pink", "bag"), listed]
    assert verdicts(worn, *rows)[1:] == [("matched", "o1.wears.backpack")] * 2
    assert verdicts([woman, listed], *rows)[1:] == [
        ("matched", "listed.bag"), ("unverifiable", None),
    ]  # fmt: skip
    suitcase = thing("o2", "suitcase", "bag")
    assert verdicts([*worn, suitcase], "bag") == [("matched", "o2")]
