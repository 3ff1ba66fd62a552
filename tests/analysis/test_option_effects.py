"""What options give away, by hand and by simulation."""

from __future__ import annotations

import numpy as np
import pytest

from lvlmbench.analysis.options import Right, adjusting, places
from lvlmbench.stats.ratios import Sums, relative


def right(*answers: tuple[str, int | None, bool]) -> Right:
    """Answers to questions of a scene each."""
    return {(key, place): (f"scene {key}", said) for key, place, said in answers}


def test_only_questions_that_were_adjusted_and_answered_twice_are_compared() -> None:
    first = right(("a", None, True), ("b", None, True), ("c", None, True), ("d", None, False))
    then = right(("a", None, False), ("b", None, True), ("d", None, False), ("e", None, True))
    found = adjusting("m", False, first, then, {"a", "b", "c", "e"})
    assert found is not None and (found.before.n, found.after.n) == (2, 2)
    assert (found.before.value, found.after.value, found.change.value) == (1.0, 0.5, -0.5)
    assert adjusting("m", False, first, then, {"e"}) is None


def test_a_model_that_always_says_a_gains_all_there() -> None:
    """The specification's letter-A server: a quarter as asked, all at A, so three times more."""
    keys = [str(n) for n in range(40)]
    first = right(*((key, None, n % 4 == 0) for n, key in enumerate(keys)))
    moved = right(*((key, place, place == 1) for key in keys for place in (1, 4)))
    at_a, at_d = places("m", first, moved)
    assert (at_a.letter, at_a.before.value, at_a.there.value) == ("A", 0.25, 1.0)
    assert at_a.relative is not None and at_a.relative.value == 3.0
    assert (at_d.letter, at_d.there.value) == ("D", 0.0)
    assert at_d.relative is not None and at_d.relative.value == -1.0


def test_nothing_right_before_has_no_relative_change() -> None:
    (found,) = places("m", right(("a", None, False)), right(("a", 1, True)))
    assert found.relative is None and found.there.value == 1.0


def test_a_relative_change_is_covered_by_its_interval() -> None:
    """Scenes with nothing right before count: without them intervals would be too narrow."""
    rng, held = np.random.default_rng(7), 0
    for _ in range(1000):
        before = rng.random(150) < 0.4
        after = np.where(rng.random(150) < 0.5, before, rng.random(150) < 0.5)
        found = relative(
            [Sums(float(b) - float(a), float(a)) for a, b in zip(before, after, strict=True)]
        )
        assert found is not None and found.low is not None and found.high is not None
        held += found.low <= (0.5 * 0.4 + 0.5 * 0.5 - 0.4) / 0.4 <= found.high
    assert held / 1000 == pytest.approx(0.95, abs=0.02)
