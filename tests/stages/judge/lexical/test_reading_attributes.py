"""How things are said to be, and how many."""

import pytest

from support.reading import told


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "The bench isn't green; it is a yellow one.",
            ["not bench color green", "bench color yellow"],
        ),
    ],
)
def test_one_and_other_stand_for_what_was_named(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Five children watch a train.", ["child count 5"]),
    ],
)
def test_counts(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    "text",
    [
        "A lovely, bustling kitchen counter.",
        "A shelf decorated with flags and filled with jars.",
    ],
)
def test_taste_participles_and_comparisons_are_no_attributes(text: str) -> None:
    words = {"other", "state", "size"}
    assert not any(set(claim.split()) & words for claim in told(text)), told(text)
