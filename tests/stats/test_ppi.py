"""Corrected means of judged scores."""

from __future__ import annotations

import math
import random

import pytest

from lvlmbench.core.seeding import generator
from lvlmbench.stats.ppi import Judged, correct
from lvlmbench.stats.ratios import Sums
from support.simulated_scores import Population, simulate


def _scenes(gold: int = 30, scenes: int = 200) -> list[Judged]:
    return Population(gold=gold, scenes=scenes).draw(generator(1, "test", "ppi"))


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    found = simulate(Population(), 400, 3)
    assert 0.92 <= found.corrected <= 0.98
    assert found.raw < 0.10
    assert found.width < 0.8 * found.gold_width


def test_a_useless_judge_does_no_harm() -> None:
    found = simulate(Population(false=0.5, missed=0.5), 400, 3)
    assert 0.92 <= found.corrected <= 0.98
    assert found.width <= found.gold_width


def test_a_perfect_judge_counts_fully() -> None:
    found = correct(Population(false=0.0, missed=0.0).draw(generator(1, "test", "perfect")))
    assert found.tuned is not None and found.tuned > 0.8
    assert found.corrected is not None and found.gold is not None and found.raw is not None
    assert found.corrected.width < 0.4 * found.gold.width
    assert found.corrected.value == pytest.approx(found.raw.value, abs=0.01)


def test_without_gold_nothing_is_corrected() -> None:
    found = correct([Judged(scene.said) for scene in _scenes()])
    assert found.raw is not None
    assert found.corrected is None and found.gold is None and found.tuned is None


def test_two_scenes_of_gold_correct_nothing() -> None:
    found = correct(_scenes(gold=2))
    assert found.corrected is None
    assert found.gold is not None and found.known == 2


def test_where_no_error_was_seen_nothing_says_how_far_off_it_is() -> None:
    alike = [Judged(Sums(4, 4), Sums(4, 4)) for _ in range(4)]
    rest = [Judged(Sums(4 - n % 2, 4)) for n in range(20)]
    found = correct([*alike, *rest]).corrected
    assert found is not None and found.width != 0


def test_where_the_truth_of_all_is_known_it_is_the_answer() -> None:
    found = correct(_scenes(gold=50, scenes=50))
    assert found.corrected == found.gold
    assert found.tuned == 0


def test_no_scenes() -> None:
    found = correct([])
    assert (found.raw, found.corrected, found.gold, found.scenes) == (None, None, None, 0)


def test_the_order_of_scenes_changes_no_bit() -> None:
    scenes = _scenes()
    mixed = random.Random(4).sample(scenes, len(scenes))
    assert mixed != scenes
    assert correct(mixed) == correct(scenes)


def test_by_hand() -> None:
    """Scenes of one answer: the formula of the paper."""
    gold = [(1.0, 1.0), (1.0, 1.0), (0.0, 0.0), (1.0, 0.0), (0.0, 0.0), (1.0, 1.0)]
    rest = [1.0, 0.0] * 50
    found = correct(
        [Judged(Sums(f, 1), Sums(y, 1)) for f, y in gold] + [Judged(Sums(f, 1)) for f in rest]
    )
    shared, of_gold, of_rest = 0.2, 4 / 15, 25 / 99
    tuned = shared / 6 / (of_gold / 6 + of_rest / 100)
    assert found.tuned == pytest.approx(tuned)
    assert found.corrected is not None
    assert found.corrected.value == pytest.approx(tuned * 1 / 2 + 1 / 2 - tuned * 2 / 3)
    levers = [1 / 6 + (f - 2 / 3) ** 2 / (4 / 3) for f, _ in gold]
    off = [y - 1 / 2 - tuned * (f - 2 / 3) for f, y in gold]
    grown = sum((e / (1 - h)) ** 2 for e, h in zip(off, levers, strict=True)) / 36
    half = 2.7764451 * math.sqrt(tuned * tuned * of_rest / 100 + grown)
    assert found.corrected.width == pytest.approx(2 * half)


def test_one_scene_has_no_interval() -> None:
    found = correct([Judged(Sums(1, 2))])
    assert found.raw is not None
    assert (found.raw.value, found.raw.low) == (0.5, None)
    assert found.raw.width == math.inf
