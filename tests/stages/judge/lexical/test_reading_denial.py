"""What answers deny and leave open."""

import pytest

from support.reading import told


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("No bird, no nest, not even a twig.", ["not bird", "not nest", "not twig"]),
        (
            "Neither the cat nor the dog wears a hat.",
            ["cat", "dog", "not cat wears hat", "not dog wears hat"],
        ),
        ("The bowl holds nuts, not berries.", ["nut", "not berry"]),
        ("0 people and 3 cups.", ["not person", "cup count 3"]),
        ("A barrel is not behind the door.", ["not barrel behind door"]),
        (
            "The cup is not blue and the plate isn't made of metal.",
            ["not cup color blue", "not plate material metal"],
        ),
        (
            "A bowl without spoons and a cup with no handle.",
            ["not spoon", "not handle", "bowl", "cup"],
        ),
    ],
)
def test_denied(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("There might be a wolf or a dog near the fence.", ["maybe wolf", "maybe dog", "fence"]),
        ("Perhaps the bird is red.", ["maybe bird color red"]),
        ("The boxes appear to be wet.", ["maybe box state wet"]),
    ],
)
def test_left_open(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)
