"""Which of two models is better: how often a verdict is false, however often one looks."""

from __future__ import annotations

import numpy as np
import pytest

from lvlmbench.analysis.calibration import Bank
from lvlmbench.analysis.duel import Duel, Scenes
from lvlmbench.analysis.session import Session, replay
from lvlmbench.core.seeding import generator

RUNS = 400
#: Upper end of what 5 % gives in so many runs, once in a thousand.
MOST = 0.05 + 3.1 * (0.05 * 0.95 / RUNS) ** 0.5


def _rng(name: str) -> np.random.Generator:
    return generator(9, "duel", name)


def _session(scene: np.ndarray, rival: np.ndarray, rng: np.random.Generator) -> Session:
    return Session(scene, np.ones(len(scene)), rng, None, rival)


def _verdict(scene: np.ndarray, first: np.ndarray, second: np.ndarray, name: str) -> str | None:
    """What is said at whichever scene it is said first: all are looked at."""
    session = _session(scene, second, _rng(name))
    session.add(questions := session.next(len(scene)), first[questions])
    return session.better


def test_models_that_are_alike_are_seldom_told_apart() -> None:
    """To the end of the bank; answers of a scene hang together."""
    scene = np.arange(400) // 4
    stops = 0
    for run in range(RUNS):
        rng = _rng(f"alike {run}")
        p = 1 / (1 + np.exp(-rng.normal(0.8, 2, (2, 100))))[:, scene]
        first, second = (rng.random((2, 400)) < p).astype(float)
        stops += _verdict(scene, first, second, f"order {run}") is not None
    assert stops / RUNS <= MOST


@pytest.mark.parametrize("kind", ["noise", "few large scenes"])
def test_the_whole_bank_is_seldom_contradicted(kind: str) -> None:
    """Two models with as many right answers: of any order's verdict the whole bank says nothing."""
    rng = _rng(kind)
    scene = np.arange(300) // 2
    if kind == "few large scenes":
        scene = np.repeat(np.arange(40), np.r_[np.full(20, 13), np.full(20, 2)])
    first = (rng.random(300) < 0.6).astype(float)
    second = first[::-1].copy()
    if kind == "few large scenes":  # one is right in some pictures, the other in the others
        first, second = (scene % 2 == 0).astype(float), (scene % 2 == 1).astype(float)
        away = int(first.sum() - second.sum())
        second[np.flatnonzero((second == 0) & (first == 0))[:away]] = 1
    assert first.sum() == second.sum()
    found = [_verdict(scene, first, second, f"{kind} {run}") for run in range(RUNS)]
    assert sum(each is not None for each in found) / RUNS <= MOST


def test_by_ability_alike_models_are_seldom_told_apart() -> None:
    """With difficulties that are nonsense, and each question chosen by what was said before."""
    scene = np.arange(160)
    stops = 0
    bank = Bank(_rng("nonsense").normal(0, 2, 160), np.ones(160), np.full(160, 0.25), scene, 0.0)
    for run in range(RUNS // 2):
        rng = _rng(f"ability {run}")
        p = rng.beta(2, 1, 160)
        first, second = (rng.random((2, 160)) < p).astype(float)
        session = Session(scene, np.ones(160), rng, bank, second, by_ability=True)
        stops += replay(session, first, batch=20)
    assert stops / (RUNS // 2) <= MOST


def test_who_is_better_is_found_on_either_side() -> None:
    scene = np.arange(1000) // 2
    taken = []
    for run in range(40):
        rng = _rng(f"better {run}")
        p = rng.beta(2, 1, 1000)
        good, bad = rng.random(1000) < p, rng.random(1000) < p - 0.15
        session = _session(scene, bad.astype(float), rng)
        assert replay(session, good.astype(float)) and session.better == "first"
        taken.append(len(session.asked))
        turned = _session(scene, good.astype(float), rng)
        assert replay(turned, bad.astype(float)) and turned.better == "second"
    assert np.median(taken) <= 250


def test_an_interval_holds_at_all_times_and_fits_the_verdict() -> None:
    scenes = Scenes.of(np.arange(300) // 2, np.ones(300))
    missed = 0
    for run in range(25):
        rng = _rng(f"interval {run}")
        first, second = (rng.random((2, 300)) < np.array([[0.75], [0.6]])).astype(float)
        truth = float((first - second).mean())
        order = rng.permutation(150)
        out = False
        for n in (10, 40, 80, 150):
            duel = scenes.duel(order[:n].tolist(), first, second)
            low, high = duel.interval()
            assert low <= duel.difference <= high or n == 10
            assert (low > 0 or high < 0) <= (duel.verdict() is not None)
            out |= not low <= truth <= high
        missed += out
    assert missed <= 4


def test_weights_and_unscored_answers_count() -> None:
    weight = np.array([2.0, 0.5, 0.5, 1.0])
    scenes = Scenes.of(np.array([1, 0, 1, 0]), weight)
    first, second = np.array([1.0, 0.0, np.nan, 1.0]), np.array([0.0, 1.0, 0.0, 1.0])
    duel = scenes.duel([1, 0], first, second)
    assert duel.value.tolist() == [2.0, -0.5] and duel.size.tolist() == [2.0, 1.5]
    assert (duel.most, duel.mean) == (2.5, 2.0)
    assert duel.difference == pytest.approx(1.5 / 3.5)


def test_nothing_asked_nothing_known() -> None:
    empty = Duel(np.zeros(0), np.zeros(0), 1.0, 1.0)
    assert empty.verdict() is None and empty.interval() == (-1.0, 1.0)
    assert np.isnan(empty.difference)
