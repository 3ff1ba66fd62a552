"""What things are called in questions, and how it is said where one of them is."""

from __future__ import annotations

import pytest

from lvlmbench.suites.graphs.stock import stock_of
from lvlmbench.suites.graphs.wording import Words, standing
from support.render_scenes import vocabulary


@pytest.mark.parametrize(
    ("labels", "one", "several"),
    [
        (("fox", "owl"), "animal", "animals"),
        (("fox", "cactus"), "living thing", "living things"),
        (("pear",), "food item", "food items"),
        (("fox", "car"), "thing", "things"),
    ],
)
def test_only_what_does_not_live_is_a_thing(
    labels: tuple[str, ...], one: str, several: str
) -> None:
    words = Words(stock_of(vocabulary(), "pictograph"))
    assert words.called(labels) == (one, several)


@pytest.mark.parametrize(
    ("ways", "said"),
    [
        ([("above", "fox")], "above the fox"),
        ([("left_of", "fox"), ("above", "car")], "to the left of the fox and above the car"),
        ([("above", "fox"), ("above", "car")], "above both the fox and the car"),
        ([("left_of", "fox"), ("above", "fox")], "above and to the left of the fox"),
    ],
)
def test_what_two_conditions_share_is_said_once(ways: list[tuple[str, str]], said: str) -> None:
    assert standing(ways) == said
