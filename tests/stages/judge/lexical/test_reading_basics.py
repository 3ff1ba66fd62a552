"""What plain answers say: subject, relation, object, value; ``no`` and ``?`` marked."""

from functools import cache

import pytest

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.scene.claims import Claim
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.judge.kinds.lexical.reading import Words, read


@cache
def _words(vocabulary: bool) -> Words:
    folder = PROJECT_ROOT / "data" / "vocabulary"
    return Words.of(load_vocabulary(folder) if vocabulary else None)


def _line(claim: Claim) -> str:
    parts = (claim.subject, claim.relation, claim.object, claim.value)
    marks = "no " * claim.negated + "? " * claim.hedged
    return marks + " ".join(part for part in parts if part)


def _said(text: str, vocabulary: bool = True) -> set[str]:
    return {_line(claim) for claim in read(text, _words(vocabulary))}


_CAPTIONS = {
    "A watercolor painting of two red umbrellas in a cave with stalactites.": {
        "watercolor painting style watercolor painting", "umbrella", "umbrella color red",
        "umbrella count 2", "cave background cave",
    },
    "Two swans before a sunset over the sea.": {
        "swan", "swan count 2", "sunset over the sea background sunset over the sea",
    },
    "A man wearing a black hat and a woman in a red dress.": {
        "man", "man gender male", "man wears hat black",
        "woman", "woman gender female", "woman wears dress red",
    },
    "There is no dog or cat.": {"no dog", "no cat"},
    "A cup without a handle.": {"cup", "no handle"},
    "The car is red and shiny.": {"car", "car color red", "car other shiny"},
    "A bird is at the top left.": {"bird", "bird at top left"},
    "From largest to smallest: a house, a car, and a cat.": {
        "house", "car", "cat", "house rank 1", "car rank 2", "cat rank 3",
    },
}  # fmt: skip


@pytest.mark.parametrize(("text", "claims"), _CAPTIONS.items(), ids=range(len(_CAPTIONS)))
def test_a_caption_says(text: str, claims: set[str]) -> None:
    assert _said(text) == claims


def test_things_are_read_without_a_vocabulary() -> None:
    assert {"traffic light", "bus", "bus color green"} <= _said(
        "A green bus waits at a traffic light.", vocabulary=False
    )


def test_a_thing_that_is_named_again_is_claimed_once() -> None:
    found = read("A dog lies on a rug. The dog is brown. It has a tail.", _words(True))
    dogs = [claim for claim in found if claim.kind == "object" and claim.subject == "dog"]
    brown = [claim for claim in found if claim.value == "brown"]
    assert len(dogs) == 1
    assert [claim.about for claim in brown] == [dogs[0].number]


def test_two_that_differ_are_two() -> None:
    found = read("A brown dog and a white dog.", _words(True))
    dogs = [claim.number for claim in found if claim.kind == "object"]
    bound = {claim.value: claim.about for claim in found if claim.kind == "attribute"}
    assert len(dogs) == 2
    assert bound == {"brown": dogs[0], "white": dogs[1]}


def test_claims_tell_the_words_that_say_them() -> None:
    text = "- **Two** “red” cars\n- a *dog*"
    told = {claim.subject: text[claim.start : claim.end] for claim in read(text, _words(True))
            if claim.kind == "object"}  # fmt: skip
    assert told == {"car": "cars", "dog": "dog"}
