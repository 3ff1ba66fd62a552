"""Attributes, garments, actions, counts, places, ranks and the setting."""

import pytest

from lvlmbench.scene.claims import Feature
from lvlmbench.scene.truth.colors import colors
from support.matching import has, matches, thing, verdicts

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


def test_many_of_a_kind_are_told_apart() -> None:
    shades = ["red", "blue", "green", "yellow", "white", "black", "brown", "pink"]
    balls = [thing(f"o{at}", "ball") for at in range(len(shades))]
    features = [*balls, *(has(ball, "color", c) for ball, c in zip(balls, shades, strict=True))]
    rows: list[tuple[object, ...] | str] = ["ball"] * len(shades)
    rows += [("attribute", at, "color", c) for at, c in enumerate(reversed(shades))]
    assert {verdict for verdict, _ in verdicts(features, *rows)} == {"matched"}


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
        ("foreground", "unverifiable"),
    ],
)
def test_places(said: str, verdict: str) -> None:
    at = has(CAR, "at", "top left", kind="place")
    assert verdicts([CAR, at], "car", ("place", 0, "at", said))[1][0] == verdict
    assert verdicts([CAR], "car", ("place", 0, "at", said))[1] == ("unverifiable", None)


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
