"""What answers deny and leave open."""

import pytest

from support.reading import told


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("The bowl holds nuts, not berries.", ["nut", "not berry"]),
        ("A barrel is not behind the door.", ["not barrel behind door"]),
    ],
)
def test_denied(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("Perhaps the bird is red.", ["maybe bird color red"]),
        ("The boxes appear to be wet.", ["maybe box state wet"]),
    ],
)
def test_left_open(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)
