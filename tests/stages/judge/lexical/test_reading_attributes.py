"""How things are said to be, and how many."""

import pytest

from support.reading import told


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "- **Lamp:** brass, tall, with a green shade\n- **Chairs:** four, wooden",
            ["lamp material brass", "lamp size tall", "chair count 4", "chair material wooden"],
        ),
        (
            "Lamp \u2013 tall, brass. Umbrella: red, not new. Boots: 2, muddy.",
            [
                "lamp size tall",
                "umbrella color red",
                "not umbrella other new",
                "boot count 2",
                "boot state muddy",
            ],
        ),
        (
            "A china pig, pink, life-sized.",
            ["pig material china", "pig color pink", "pig size life-sized"],
        ),
    ],
)
def test_lists_under_a_title_are_of_the_title(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "Two balloons: one is round, the other is heart-shaped.",
            ["balloon shape round", "balloon shape heart-shaped"],
        ),
        (
            "The bench isn't green; it is a yellow one.",
            ["not bench color green", "bench color yellow"],
        ),
        (
            "There are three mugs. The first one is white, the second is black.",
            ["mug color white", "mug color black"],
        ),
    ],
)
def test_one_and_other_stand_for_what_was_named(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "The seats are of brown leather, and the wall is painted pale green.",
            ["seat color brown", "seat material leather", "wall color pale green"],
        ),
        (
            "The mug has a zigzag pattern. Its handle is blue.",
            ["mug pattern zigzag", "handle color blue"],
        ),
        ("A crate is made of wood.", ["crate material wood"]),
        (
            "The lamp is either gold or yellow.",
            ["maybe lamp color gold", "maybe lamp color yellow"],
        ),
    ],
)
def test_materials_and_patterns(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("A dozen lanterns and half a dozen candles.", ["lantern count 12", "candle count 6"]),
        ("A pair of slippers and 3 cups.", ["slipper count 2", "cup count 3"]),
        ("Five children watch a train.", ["child count 5"]),
    ],
)
def test_counts(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    "text",
    [
        "A lovely, bustling kitchen counter.",
        "A basket full of pears.",
        "A shelf decorated with flags and filled with jars.",
        "A knife as large as a fork.",
    ],
)
def test_taste_participles_and_comparisons_are_no_attributes(text: str) -> None:
    words = {"other", "state", "size"}
    assert not any(set(claim.split()) & words for claim in told(text)), told(text)
