"""Choices among labels: all as likely, and none shifts another."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from lvlmbench.core.races import keys_of, winners
from lvlmbench.suites.graphs.draws import Draws

LABELS = [f"label {at}" for at in range(40)]
DRAWS = np.random.default_rng(5).random(40_000)


def test_every_label_wins_as_often() -> None:
    found = np.bincount(winners(DRAWS, keys_of(LABELS)), minlength=40)
    assert abs(found - 1000).max() < 5 * 1000**0.5


def test_weights_say_how_often_a_label_wins() -> None:
    shares = np.array([0, 1, 3, 2000, 8000, 60_000])
    weights = np.tile(shares, (len(DRAWS), 1))
    found = np.bincount(winners(DRAWS, keys_of(LABELS[:6]), weights), minlength=6)
    wanted = shares / shares.sum() * len(DRAWS)
    assert not found[0]
    assert (abs(found - wanted) <= 5 * np.sqrt(wanted) + 2).all()


def test_equal_weights_are_as_none_and_a_factor_changes_nothing() -> None:
    keys, weights = keys_of(LABELS), np.full((len(DRAWS), 40), 7)
    assert (winners(DRAWS, keys, weights) == winners(DRAWS, keys)).all()
    weights[:, :9] = 3
    assert (winners(DRAWS, keys, weights) == winners(DRAWS, keys, 5 * weights)).all()


@pytest.mark.parametrize("at", [0, 17, 40])
def test_one_label_more_takes_its_share_and_shifts_nothing(at: int) -> None:
    more = [*LABELS[:at], "another", *LABELS[at:]]
    before = [LABELS[i] for i in winners(DRAWS, keys_of(LABELS))]
    after = [more[i] for i in winners(DRAWS, keys_of(more))]
    others = [(a, b) for a, b in zip(before, after, strict=True) if b != "another"]
    assert all(a == b for a, b in others)
    assert len(DRAWS) - len(others) == pytest.approx(len(DRAWS) / 41, rel=0.2)


def _firsts(items: list[str], n: int = 2000) -> list[list[str]]:
    return [Draws(1, "test", str(at)).shuffled(items) for at in range(n)]


def test_what_has_a_label_is_shuffled_evenly_and_keeps_its_order() -> None:
    few = ["red", "green", "blue", "gray"]
    orders = Counter(map(tuple, _firsts(few)))
    assert len(orders) == 24 and max(orders.values()) < 2.2 * min(orders.values())
    more = _firsts([*few[:2], "pink", *few[2:]])
    for before, after in zip(_firsts(few), more, strict=True):
        assert before == [each for each in after if each != "pink"]


@pytest.mark.parametrize("items", [[1, 2, 2, 3], ["a", "a", "a", "b"]])
def test_what_has_no_label_of_its_own_is_drawn_by_its_place(items: list[Any]) -> None:
    draws = Draws(2, "test", str(items))
    found = Counter(draws.pick(items) for _ in range(4000))
    assert found[items[1]] == pytest.approx(1000 * items.count(items[1]), rel=0.15)
    assert sorted(draws.shuffled(items)) == sorted(items)
