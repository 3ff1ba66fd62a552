"""Features in plain words."""

from __future__ import annotations

from typing import Any

import pytest

from lvlmbench.scene.claims import KINDS, RELATIONS, Feature
from lvlmbench.scene.truth_words import phrase, phrases

DOG, CUP = Feature("o1", "object", "dog"), Feature("o2", "object", "cup")


def about(kind: str, relation: str, value: str | None = None, **more: Any) -> Feature:
    return Feature("f", kind, "dog", relation, value=value, about="o1", **more)


@pytest.mark.parametrize(
    ("feature", "words"),
    [
        (DOG, "there is a dog"),
        (Feature("l", "object", "egg", optional=True), "there may be an egg"),
        (Feature("l", "object", "glasses"), "there are glasses"),
        (about("attribute", "color", "brown"), "the dog is brown"),
        (about("attribute", "text", "rex"), 'the dog says "rex"'),
        (about("garment", "wears", "red", object="hat"), "the dog wears a red hat"),
        (about("garment", "wears", object="boots"), "the dog wears boots"),
        (about("action", "does", "play guitar"), "the dog plays guitar"),
        (about("action", "does", "wash hand"), "the dog washes hand"),
        (about("action", "does", "carry box"), "the dog carries box"),
        (about("count", "count", "3"), "the number of dog is 3"),
        (about("relation", "on", object="cup", other="o2"), "the dog is on the cup"),
        (
            about("relation", "left_of", object="cup", other="o2"),
            "the dog is to the left of the cup",
        ),
        (about("relation", "holds", object="cup", other="o2"), "the dog holds a cup"),
        (
            about("relation", "between", "box", object="cup", other="o2"),
            "the dog is between the cup and the box",
        ),
        (about("place", "at", "top left"), "the dog is at the top left"),
        (about("place", "at", "foreground"), "the dog is in the foreground"),
        (about("rank", "rank", "1"), "the dog is the largest"),
        (about("rank", "rank", "-2"), "the dog is number 2 from the smallest"),
        (Feature("s", "scene", "rain", "weather", value="rain"), "the weather is: rain"),
    ],
)
def test_each_kind_has_its_words(feature: Feature, words: str) -> None:
    assert phrase(feature, (DOG, CUP, feature)) == words


def test_every_kind_and_relation_is_said() -> None:
    for kind in KINDS:
        assert "None" not in phrase(about(kind, "text", "1", object="cup"), (DOG, CUP))
    for relation in RELATIONS:
        said = phrase(about("relation", relation, "box", object="cup", other="o2"), (DOG, CUP))
        assert "_" not in said and "cup" in said


def test_things_of_one_name_are_told_apart() -> None:
    others = (DOG, Feature("o3", "object", "dog"))
    brown = Feature("o1.color", "attribute", "dog", "color", value="brown", about="o1")
    white = Feature("o3.color", "attribute", "dog", "color", value="white", about="o3")
    right = Feature("o1.r", "relation", "dog", "right_of", "dog", about="o1", other="o3")
    every = (*others, brown, white, right)
    assert phrase(right, every) == "the brown dog is to the right of the white dog"
    assert phrase(brown, every) == "the dog (o1) is brown"
    assert phrase(DOG, others) == "there is a dog (o1)"
    at = Feature("o1.at", "place", "dog", "at", value="left", about="o1")
    assert phrase(brown, (*every, at)) == "the dog at the left is brown"
    part = Feature("listed.dog", "object", "dog", optional=True, source="listed")
    assert phrase(DOG, (DOG, part)) == "there is a dog"
    assert phrases(every) == [phrase(each, every) for each in every]
