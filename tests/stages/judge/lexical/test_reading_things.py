"""Which things an answer names."""

import pytest

from lvlmbench.stages.judge.kinds.lexical.reading import read
from support.reading import told, words

OBJECTS = [
    ("The jam jar is open. The jar is next to a tin opener.", ["jam jar", "tin opener"]),
    ("A grand piano stands behind a rocking horse.", ["grand piano", "rocking horse"]),
    ("A kettle stands on top of the stove.", ["kettle", "stove"]),
    ("The picture is a feast of chaos.", []),
    ("A small goblin and a unicorn.", ["goblin", "unicorn"]),
    ("There is a thermos, a coin and a skeleton.", ["coin", "skeleton", "thermos"]),
    ("Two schoolchildren hold chopsticks.", ["chopstick", "schoolchild"]),
    ("A brown dog and a white dog play. The dogs are wet.", ["dog", "dog"]),
]


@pytest.mark.parametrize(("text", "things"), OBJECTS)
def test_things_are_named_once_each(text: str, things: list[str]) -> None:
    kinds = read(text, words(vocabulary=False))
    assert sorted(claim.subject for claim in kinds if claim.kind == "object") == things


@pytest.mark.parametrize(
    ("text", "claims"),
    [
        ("A car is parked in a street.", ["car", "scene background street"]),
        (
            "This is an oil painting of a cup in a kitchen.",
            ["cup", "scene background kitchen", "scene style oil painting"],
        ),
        ("A black and white cat.", ["cat", "cat color black", "cat color white"]),
    ],
)
def test_the_setting_is_no_thing(text: str, claims: list[str]) -> None:
    assert set(claims) <= set(told(text))
    assert not any(
        claim in ("street", "kitchen", "scene style black and white") for claim in told(text)
    )
