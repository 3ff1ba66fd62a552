"""Attributes, garments, actions, counts, places, ranks and the setting."""

from dataclasses import replace

import pytest

from lvlmbench.scene.claims import Feature
from lvlmbench.scene.truth.colors import colors
from support.matching import has, matches, thing, verdicts, wears

CAR = thing("o1", "car")
ANNA, BEN = thing("o1", "person", "woman"), thing("o2", "person", "man")


@pytest.mark.parametrize(
    ("said", "true", "verdict"),
    [
        ("red", "red", "matched"),
        ("grey", "gray", "matched"),
        ("crimson", "red", "narrower"),
        ("dark blue", "blue", "narrower"),
        ("blue", "navy", "broader"),
        ("white", "brown", "contradicted"),
        ("red", "blue", "contradicted"),
        ("blue-green", "green", "narrower"),
        ("shiny", "red", None),
        ("colorful", "red", None),
    ],
)
def test_colors(said: str, true: str, verdict: str | None) -> None:
    assert colors().compared(said, true) == verdict


def test_attributes_of_a_thing() -> None:
    features = [CAR, has(CAR, "color", "red", "scarlet"), has(CAR, "text", "Stop here")]
    rows = [
        ("attribute", 0, "color", "scarlet"),
        ("attribute", 0, "color", "crimson"),
        ("attribute", 0, "color", "blue"),
        ("attribute", 0, "size", "large"),
        ("attribute", 0, "text", "stop, here!"),
        ("attribute", 0, "text", "stop"),
        ("attribute", 0, "text", "go"),
        ("attribute", "car", "color", "red"),
        ("attribute", "horse", "color", "red"),
    ]
    assert verdicts(features, "car", *rows)[1:] == [
        ("matched", "o1.color"), ("narrower", "o1.color"), ("contradicted", "o1.color"),
        ("unverifiable", None), ("matched", "o1.text"), ("broader", "o1.text"),
        ("contradicted", "o1.text"), ("matched", "o1.color"), ("hallucinated", None),
    ]  # fmt: skip


def test_the_form_and_the_color_of_hair_do_not_contradict_each_other() -> None:
    form = has(ANNA, "hair", "long", "long hair")
    color = Feature(
        *("o1.hair_color", "attribute", "person", "hair"), value="blond", about="o1",
        forms=("blond", "blonde"),
    )  # fmt: skip
    said = [("attribute", 0, "hair", value) for value in ("long", "blonde", "black", "curly")]
    assert verdicts([ANNA, form, color], "woman", *said)[1:] == [
        ("matched", "o1.hair"), ("matched", "o1.hair_color"), ("contradicted", "o1.hair_color"),
        ("contradicted", "o1.hair"),
    ]  # fmt: skip
    assert verdicts([ANNA, form], "woman", ("attribute", 0, "hair", "black"))[1] == (
        "unverifiable", None,
    )  # fmt: skip


def test_which_of_two_dogs_is_the_one_of_which_more_is_so() -> None:
    dogs = [thing("o1", "dog"), thing("o2", "dog")]
    features = [*dogs, has(dogs[0], "color", "brown"), has(dogs[1], "color", "white")]
    features.append(has(dogs[1], "at", "left", kind="place"))
    rows = "dog", ("attribute", 0, "color", "white"), "dog", ("attribute", 2, "color", "brown")
    assert verdicts(features, *rows) == [
        ("matched", "o2"), ("matched", "o2.color"), ("matched", "o1"), ("matched", "o1.color"),
    ]  # fmt: skip
    wrong = "dog", ("attribute", 0, "color", "white"), "dog", ("attribute", 2, "color", "white")
    assert sorted(verdict for verdict, _ in verdicts(features, *wrong)) == [
        "contradicted", "matched", "matched", "matched",
    ]  # fmt: skip


def test_many_of_a_kind_are_told_apart() -> None:
    shades = ["red", "blue", "green", "yellow", "white", "black", "brown", "pink"]
    balls = [thing(f"o{at}", "ball") for at in range(len(shades))]
    features = [*balls, *(has(ball, "color", c) for ball, c in zip(balls, shades, strict=True))]
    rows: list[tuple[object, ...] | str] = ["ball"] * len(shades)
    rows += [("attribute", at, "color", c) for at, c in enumerate(reversed(shades))]
    assert {verdict for verdict, _ in verdicts(features, *rows)} == {"matched"}


def test_several_share_their_attributes() -> None:
    dogs = [thing("o1", "dog"), thing("o2", "dog")]
    features = [*dogs, has(dogs[0], "color", "brown"), has(dogs[1], "color", "white")]
    rows = (
        "dog", ("count", 0, "count", "2"), ("attribute", 0, "color", "brown"),
        ("attribute", 0, "color", "white"), ("attribute", 0, "color", "blue"),
    )  # fmt: skip
    assert [verdict for verdict, _ in verdicts(features, *rows)] == [
        "matched", "matched", "matched", "matched", "contradicted",
    ]  # fmt: skip


def test_garments() -> None:
    features = [
        *(ANNA, BEN, wears(ANNA, "hat", "black", "cap"), wears(ANNA, "gloves"), has(BEN, "a", "b")),
        wears(BEN, "coat", "red"),
    ]
    said = [
        ("cap", "black"), ("hat", None), ("hat", "red"), ("glove", "blue"), ("coat", "red"),
        ("scarf", None), ("clothing", None),
    ]  # fmt: skip
    rows = [("garment", 0, "wears", word, color) for word, color in said]
    assert verdicts(features, "woman", *rows)[1:] == [
        ("matched", "o1.wears.hat"), ("matched", "o1.wears.hat"),
        ("contradicted", "o1.wears.hat"), ("matched", "o1.wears.gloves"),
        ("contradicted", "o2.wears.coat"), ("hallucinated", None), ("broader", "o1.wears.gloves"),
    ]  # fmt: skip
    doubtful = [replace(each, optional=True) for each in features[2:4]]
    rows = [("garment", 0, "wears", *each) for each in (("cap", "red"), ("glove", "blue"))]
    assert verdicts([ANNA, *doubtful], "woman", *rows)[1:] == [
        ("contradicted", "o1.wears.hat"), ("unverifiable", None),
    ]  # fmt: skip
    assert verdicts([ANNA], "woman", ("garment", 0, "wears", "hat"), closed=False)[1] == (
        "unverifiable", None,
    )  # fmt: skip


def test_actions() -> None:
    does = has(ANNA, "does", "play guitar", "strum", kind="action")
    said = ["play guitar", "strum", "play", "play piano", "play instrument", "swim"]
    rows = [("action", 0, "does", value) for value in said]
    found = [verdict for verdict, _ in verdicts([ANNA, does], "woman", *rows)[1:]]
    assert found == ["matched", "matched", "broader", "contradicted", "broader", "contradicted"]
    assert verdicts([ANNA], "woman", rows[0])[1] == ("unverifiable", None)


def test_who_smiles_has_an_expression() -> None:
    face = has(ANNA, "expression", "happy", "smiling")
    rows = [("action", 0, "does", value) for value in ("smile", "cry")]
    found = [verdict for verdict, _ in verdicts([ANNA, face], "woman", *rows)[1:]]
    assert found == ["matched", "contradicted"]


def test_counts() -> None:
    apples = thing("o1", "apple")
    features = [apples, has(apples, "count", "3", kind="count")]
    rows = "apple", ("count", 0, "count", "3"), ("count", 0, "count", "4")
    assert verdicts(features, *rows)[1:] == [
        ("matched", "o1.count"), ("contradicted", "o1.count"),
    ]  # fmt: skip
    assert verdicts(features, "pear", ("count", 0, "count", "3"))[1] == ("hallucinated", None)


def test_counts_of_all_that_are_called_so() -> None:
    every = Feature(
        *("all.person.count", "count", "person", "count"), value="2", forms=("2", "two")
    )
    rows = "person", ("count", 0, "count", "2"), ("count", 0, "count", "3")
    assert verdicts([ANNA, BEN, every], *rows)[1:] == [
        ("matched", "all.person.count"), ("contradicted", "all.person.count"),
    ]  # fmt: skip


def test_counts_that_no_feature_says() -> None:
    dogs = [thing("o1", "dog"), thing("o2", "dog")]
    rows = "dog", ("count", 0, "count", "2"), ("count", 0, "count", "3")
    found = matches(dogs, *rows)[1:]
    assert [(each.verdict, each.how) for each in found] == [
        ("matched", "closed_world"), ("contradicted", "closed_world"),
    ]  # fmt: skip
    assert verdicts(dogs, *rows, closed=False)[1:] == [("unverifiable", None)] * 2


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("top left", "matched"),
        ("left", "broader"),
        ("top", "broader"),
        ("right", "contradicted"),
        ("top right", "contradicted"),
        ("center", "contradicted"),
        ("foreground", "unverifiable"),
    ],
)
def test_places(said: str, verdict: str) -> None:
    at = has(CAR, "at", "top left", kind="place")
    assert verdicts([CAR, at], "car", ("place", 0, "at", said))[1][0] == verdict
    assert verdicts([CAR], "car", ("place", 0, "at", said))[1] == ("unverifiable", None)


def test_ranks_from_both_ends() -> None:
    dog = thing("o2", "dog")
    features = [CAR, dog, has(CAR, "rank", "1", kind="rank"), has(dog, "rank", "2", kind="rank")]
    rows = [("rank", 0, "rank", value) for value in ("1", "-2", "2", "-1")]
    found = [verdict for verdict, _ in verdicts(features, "car", *rows)[1:]]
    assert found == ["matched", "matched", "contradicted", "contradicted"]


def test_the_setting() -> None:
    sea = Feature("scene.background", "scene", "sea", "background", value="sea", forms=("ocean",))
    ship = thing("listed.ship", "ship", optional=True, source="listed")
    rows = [
        *(("scene", "ocean", "background", "ocean"), ("scene", "ship", "background", "ship")),
        *(("scene", "desert", "background", "desert"), ("scene", "rain", "weather", "rain")),
    ]
    assert verdicts([sea, ship], *rows) == [
        ("matched", "scene.background"), ("matched", "listed.ship"),
        ("contradicted", "scene.background"), ("unverifiable", None),
    ]  # fmt: skip
