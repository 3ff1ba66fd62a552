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
            "A girl dances. She wears a yellow dress and red shoes.",
            ["girl wears dress, yellow", "girl wears shoe, red", "girl does dance"],
        ),
        (
            "A teenage boy with a beard has put on a white shirt and black trousers.",
            [
                "boy age teenager",
                "boy beard beard",
                "boy wears shirt, white",
                "boy wears trousers, black",
            ],
        ),
        (
            "Her granny. Purple hat, spectacles.",
            ["granny wears hat, purple", "granny wears spectacles"],
        ),
        ("A man (bald, white shirt) stands here.", ["man hair bald", "man wears shirt, white"]),
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
        (
            "Two women run. The first, who has gray hair, wears an apron; the other is laughing.",
            ["woman hair gray", "woman wears apron", "woman does laugh"],
        ),
        (
            "A boy, about ten years old, is chased by a dog.",
            ["boy age child", "dog does chase boy"],
        ),
        (
            "A cyclist in a white helmet rides past two policemen.",
            ["cyclist does ride", "cyclist wears helmet, white"],
        ),
        ("A man waters a plant; a girl hugs him.", ["man does water plant", "girl does hug man"]),
        ("The woman appears to be laughing.", ["maybe woman does laugh"]),
        (
            "Five children watch a train. One of them is waving.",
            ["child does watch train", "child does wave"],
        ),
        ("On the bench sits a clerk.", ["clerk does sit"]),
    ],
)
def test_actions(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        (
            "A smiling man and a sleeping cat.",
            ["man gender male", "man expression smiling", "cat does sleep"],
        ),
        ("A nurse and her son stand there.", ["nurse", "son", "son gender male"]),
        (
            "A man with short black hair and a little girl with pigtails.",
            ["man hair short", "man hair black", "girl hair pigtail", "girl age child"],
        ),
    ],
)
def test_words_of_people_say_more(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text)), told(text)
