"""Relations: listed, opposite, measured, broader, of what is not there."""

from collections.abc import Mapping
from dataclasses import dataclass

from support.matching import matches, stands, thing, verdicts

CUP, BOX, FISH = thing("o1", "cup"), thing("o2", "box"), thing("o3", "fish")


@dataclass
class _Measured:
    known: Mapping[tuple[str | None, ...], bool]

    def holds(self, relation: str, a: str, b: str, c: str | None = None) -> bool | None:
        parts = (relation, a, b) if c is None else (relation, a, b, c)
        return self.known.get(parts)


def test_listed_relations_either_way_round() -> None:
    features = [CUP, BOX, stands(CUP, "left_of", BOX)]
    rows = (
        ("relation", 0, "left_of", 1), ("relation", 1, "right_of", 0),
        ("relation", 0, "right_of", 1), ("relation", 0, "above", 1),
        ("relation", "cup", "left_of", "box"),
    )  # fmt: skip
    assert verdicts(features, "cup", "box", *rows)[2:] == [
        ("matched", "o1.left_of.o2"), ("matched", "o1.left_of.o2"),
        ("contradicted", "o1.left_of.o2"), ("unverifiable", None), ("matched", "o1.left_of.o2"),
    ]  # fmt: skip


def test_measured_relations() -> None:
    geometry = _Measured({("on", "o1", "o2"): True, ("inside", "o1", "o2"): False})
    rows = [("relation", 0, name, 1) for name in ("on", "inside", "larger")]
    found = matches([CUP, BOX], "cup", "box", *rows, geometry=geometry)[2:]
    assert [(each.verdict, each.how) for each in found] == [
        ("matched", "geometry"), ("contradicted", "geometry"), ("unverifiable", "word"),
    ]  # fmt: skip


def test_beside_says_less_than_the_side() -> None:
    row = ("relation", 0, "next_to", 1)
    features = [CUP, BOX, stands(BOX, "right_of", CUP)]
    assert verdicts(features, "cup", "box", row)[2] == ("broader", "o2.right_of.o1")
    near = _Measured({("next_to", "o1", "o2"): True})
    assert verdicts(features, "cup", "box", row, geometry=near)[2] == ("matched", None)
    far = _Measured({("next_to", "o1", "o2"): False})
    assert verdicts([CUP, BOX], "cup", "box", row, geometry=far)[2] == ("contradicted", None)


def test_between_two_in_either_order() -> None:
    features = [CUP, BOX, FISH, stands(CUP, "between", BOX, "fish")]
    rows = [("relation", 0, "between", *pair) for pair in ((1, "fish"), ("fish", "box"))]
    found = verdicts(features, "cup", "box", *rows, ("relation", 0, "between", 1, "horse"))[2:]
    assert found == [("matched", "o1.between.o2")] * 2 + [("hallucinated", None)]
    geometry = _Measured({("between", "o2", "o1", "o3"): False})
    row = ("relation", 1, "between", 0, "fish")
    assert verdicts([CUP, BOX, FISH], "cup", "box", row, geometry=geometry)[2][0] == "contradicted"


def test_relations_of_what_is_not_there() -> None:
    rows = ("relation", 0, "left_of", 1), ("relation", 1, "left_of", 0)
    assert verdicts([CUP, BOX], "cup", "horse", *rows)[2:] == [("hallucinated", None)] * 2


def test_what_somebody_holds() -> None:
    person, held = thing("o1", "person"), thing("o1.held", "umbrella", "parasol")
    features = [person, held, BOX, stands(person, "holds", held)]
    geometry = _Measured({("holds", "o1", "o2"): False})
    rows = ("relation", 0, "holds", 1), ("relation", 0, "holds", "box")
    assert verdicts(features, "woman", "parasol", *rows, geometry=geometry)[2:] == [
        ("matched", "o1.holds.o1.held"), ("contradicted", None),
    ]  # fmt: skip


def test_which_of_two_is_told_by_how_they_stand() -> None:
    dogs = [thing("o1", "dog"), thing("o2", "dog")]
    features = [*dogs, thing("o3", "cat"), stands(dogs[1], "left_of", FISH)]
    rows = "dog", "cat", ("relation", 0, "left_of", 1)
    assert verdicts(features, *rows)[0] == ("matched", "o2")


def test_many_are_told_apart_by_how_they_stand() -> None:
    dogs = [thing(f"d{at}", "dog") for at in range(8)]
    things = [thing(f"o{at}", word) for at, word in enumerate("abcdefgh")]
    features = [*dogs, *things]
    features += [stands(dog, "on", to) for dog, to in zip(dogs, reversed(things), strict=True)]
    words = [each.subject for each in things]
    rows = [("relation", at, "on", 8 + at) for at in range(8)]
    found = verdicts(features, *["dog"] * 8, *words, *rows)
    assert {verdict for verdict, _ in found} == {"matched"}
