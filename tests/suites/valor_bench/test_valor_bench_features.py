"""Released annotation as features: what is one, what is owed, what may be said."""

from __future__ import annotations

from pathlib import Path

import pytest

from lvlmbench.scene.claims import Feature
from lvlmbench.suites import claimed
from lvlmbench.suites.valor_bench.copy import open_copy
from lvlmbench.suites.valor_bench.counts import _COUNTED
from lvlmbench.suites.valor_bench.features import features_of
from lvlmbench.suites.valor_bench.formats import Entry, Pair, Somebody
from lvlmbench.suites.valor_bench.statements import Stated, read
from lvlmbench.suites.valor_bench.telling import description
from support import own_copy


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return own_copy.write(tmp_path_factory.mktemp("copy") / "mine")


def entry(subset: str, *items: object) -> Entry:
    return Entry(subset, "p", "f", 1, items)


def of_kind(found: tuple[Feature, ...], kind: str) -> list[Feature]:
    return [feature for feature in found if feature.kind == kind]


def test_the_look_alike_is_read_as_it_is_meant(folder: Path) -> None:
    copy = open_copy(folder, None, own_copy.SUBSETS)
    assert copy.told.mistakes == []
    assert {name: len(found) for name, found in copy.shown.items()} == dict.fromkeys(
        own_copy.SUBSETS, 2
    )
    assert [each.path.name for found in copy.shown.values() for each in found] == [
        *own_copy.PICTURES
    ]
    assert [f"{slip.place}: {slip.what}" for slip in copy.told.slips] == [
        own_copy.SLIPS[0],
        own_copy.SLIPS[1],
    ]
    assert copy.released == (claimed.OBJECTS,)
    assert copy.prompts[claimed.OBJECTS] == "Say which things you can see."


def test_objects_are_one_by_lemma() -> None:
    found = features_of(entry(claimed.OBJECTS, "flower", "Flowers", "dog", "dog", "the bus"))
    assert [(f.feature, f.subject) for f in found] == [
        ("o1", "flower"),
        ("o2", "dog"),
        ("o3", "bus"),
    ]
    assert found[0].forms == ("flower", "flowers")


def test_alternatives_are_forms_of_one_attribute() -> None:
    pairs = (Pair("white", "brush"), Pair("red", "paintbrush"))
    found = features_of(entry(claimed.ATTRIBUTES, pairs, pairs[:1], (Pair("", "cup"),)))
    attributes = of_kind(found, "attribute")
    assert [(f.about, f.relation, f.value, f.forms) for f in attributes] == [
        ("o1", "color", "white", ("white", "red")),
        ("o2", "color", "white", ("white",)),
    ]
    assert found[0].forms == ("brush", "paintbrush")


@pytest.mark.parametrize(
    ("value", "of"),
    [("red", "color"), ("light blue", "color"), ("grey", "color"), ("black and white", "color"),
     ("wooden", "material"), ("striped", "pattern"), ("large", "size"), ("quaint", "other")],
)  # fmt: skip
def test_an_attribute_is_of_something(value: str, of: str) -> None:
    found = features_of(entry(claimed.ATTRIBUTES, (Pair(value, "thing"),)))
    assert of_kind(found, "attribute")[0].relation == of


def test_a_person_is_what_the_word_says_wears_and_does() -> None:
    worn = (
        Pair("black", "jacket"),
        Pair("striped", "scarf"),
        Pair("blond", "hair"),
        Pair("", "hat"),
    )
    somebody = Somebody("old woman", worn, "is riding a red bicycle")
    found = features_of(entry(claimed.PEOPLE, somebody))
    owed = {(f.kind, f.relation, f.object, f.value) for f in found[1:] if not f.optional}
    assert owed == {
        ("attribute", "gender", None, "female"),
        ("attribute", "age", None, "elderly"),
        ("garment", "wears", "jacket", "black"),
        ("garment", "wears", "scarf", None),
        ("garment", "wears", "hat", None),
        ("attribute", "hair", None, "blond"),
        ("action", "does", None, "ride bicycle"),
    }
    assert [f.value for f in found if f.optional] == ["striped"]


@pytest.mark.parametrize("action", ["standing", "holding a cup", "wearing a hat", "", "is"])
def test_what_says_no_action_is_none(action: str) -> None:
    found = features_of(entry(claimed.PEOPLE, Somebody("man", (), action)))
    assert not of_kind(found, "action")


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("the cup is to the left of the plate", Stated("cup", "left_of", "plate")),
        ("(cup, left of, plate)", Stated("cup", "left_of", "plate")),
        ("Two cups are standing on the wooden table.", Stated("cup", "on", "wooden table")),
        ("a lamp hanging above the tables", Stated("lamp", "above", "table")),
        ("the bird is at the top left of the image", Stated("bird", "at", "top left")),
        ("a clock in the upper right corner", Stated("clock", "at", "top right")),
        ("the man is on the left", Stated("man", "at", "left")),
        ("the man is to the left of the picture", Stated("man", "at", "left")),
        ("trees in the background", Stated("tree", "at", "background")),
        ("(trees, in, background)", Stated("tree", "at", "background")),
        ("the girl is holding an umbrella", Stated("girl", "holds", "umbrella")),
        ("the ball lies between the dog and the cat", Stated("ball", "between", "dog and the cat")),
        ("dog wearing sunglasses", Stated("dog wearing sunglass", None)),
    ],
)
def test_statements_are_read(text: str, stated: Stated) -> None:
    found = read(text)
    assert found.relation == stated.relation
    if stated.relation not in (None, "between"):
        assert found == stated


@pytest.mark.parametrize(
    "text",
    [
        "the man on the left is next to the dog",
        "the man on the left next to the dog",
        "the man holding a cup is next to the dog",
        "the cup is not on the table",
        "the cup isn't on the table",
        "(cup, is not on, table)",
        "the bird is not at the top left of the image",
    ],
)
def test_what_is_denied_or_says_two_things_is_not_read(text: str) -> None:
    assert read(text).relation is None
    assert dict(counted(claimed.POSITIONS, (text,)))["in words that are not read"] == 1


def counted(subset: str, *items: object) -> list[tuple[str, int]]:
    return [(name, count(entry(subset, *items))) for name, count, _ in _COUNTED[subset]]


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        ("the cup is on the top shelf", Stated("cup", "on", "top shelf")),
        ("the dog is next to the man who is reading", Stated("dog", "next_to", "man")),
        ("the cup that is red is on the table", Stated("cup", "on", "table")),
    ],
)
def test_what_is_said_of_a_thing_does_no_harm(text: str, stated: Stated) -> None:
    assert read(text) == stated


def test_what_something_is_between_has_no_order() -> None:
    said = ("the ball is between the cat and the bird", "the ball is between the bird and the cat")
    found = of_kind(features_of(entry(claimed.POSITIONS, *((text,) for text in said))), "relation")
    assert [(f.feature, f.group) for f in found] == [("r1", "r1"), ("r2", "r1")]


def test_a_relation_and_its_paraphrase_are_one() -> None:
    said = ("the cup is left of the plate", "the plate is right of the cup")
    also = ("the plate is to the right of the cup",)
    found = of_kind(features_of(entry(claimed.POSITIONS, said, also)), "relation")
    assert [(f.feature, f.group) for f in found] == [("r1", "r1"), ("r1.1", "r1"), ("r2", "r1")]


def test_ranks_follow_the_order_and_larger_follows_from_ranks() -> None:
    found = features_of(entry(claimed.SIZES, ("house", "building"), ("car",), ("dog",)))
    assert [(f.subject, f.value) for f in of_kind(found, "rank")] == [
        ("house", "1"), ("car", "2"), ("dog", "3"),
    ]  # fmt: skip
    larger = of_kind(found, "relation")
    assert {(f.subject, f.object) for f in larger} == {
        ("house", "car"), ("house", "dog"), ("car", "dog"),
    }  # fmt: skip
    assert all(f.optional for f in larger)
    assert found[0].forms == ("house", "building")


def test_descriptions_say_what_is_annotated(folder: Path) -> None:
    copy = open_copy(folder, None, own_copy.SUBSETS)
    said = {name: description(found[0].entry) for name, found in copy.shown.items()}
    assert said[claimed.OBJECTS] == "The picture shows a dog, a bench, a flower, and a tree."
    assert "a white brush" in said[claimed.ATTRIBUTES]
    assert said[claimed.PEOPLE].startswith(
        "A man is riding a bicycle, wearing a black jacket and blue jeans."
    )
    assert said[claimed.POSITIONS].startswith("The cup is to the left of the plate.")
    assert said[claimed.SIZES].endswith("there are a house, a car, and a dog.")
