"""Who is there, what they wear, what they do."""

import pytest

from support.reading import told


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "Two elderly women in red hats and blue coats are sitting on a bench.",
            [
                "woman age elderly",
                "woman wears hat, red",
                "woman wears coat, blue",
                "woman does sit",
                "woman on bench",
            ],
        ),
        (
            "Three runners: red vest, blue vest.",
            ["runner wears vest, red", "runner wears vest, blue"],
        ),
    ],
)
def test_garments_are_of_who_wears_them(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("On the bench sits a clerk.", ["clerk does sit"]),
    ],
)
def test_actions(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("A nurse and her son stand there.", ["nurse", "son", "son gender male"]),
    ],
)
def test_words_of_people_say_more(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)
