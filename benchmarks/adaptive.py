"""How few questions adaptive tests take, and how often they are wrong, on simulated answers.

Banks have pictures with two questions each, whose difficulty is explained by factors and has a part
of its own; six models' answers calibrate them. Then pairs of other models are drawn:

* equally able ones: each verdict is false, whenever it comes, up to the end of the bank;
* ones as good over the whole bank, but each in other questions, which the calibration knows nothing
  of: pictures that one model reads and the other does not, and one better in what is easy;
* ones whose accuracies are some points apart.

Shares have Wilson's 95 % interval. The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from lvlmbench.analysis.adaptive import in_random_order
from lvlmbench.analysis.calibration import Bank, calibrate
from lvlmbench.analysis.lltm import F64, I64, Answers
from lvlmbench.analysis.session import BATCH, Session, replay
from lvlmbench.core.guard import main_guard
from lvlmbench.core.seeding import generator
from lvlmbench.stats.estimate import wilson

_CHANCE, _OWN = 0.25, 0.7
#: Weights of the factors, in logits a standard deviation.
_WEIGHTS = np.array([0.8, 0.6, 0.5, 0.4])
#: Abilities of the models that calibrate.
_KNOWN = np.linspace(-0.5, 2.0, 6)
_BANKS = (360, 1000, 3600)
_GAPS = (0.05, 0.1, 0.15, 0.2)
#: Spread of a model's luck with a picture in what the calibration knows nothing of, in logits.
_LUCK = 1.0

Draw = Callable[["World", np.random.Generator], tuple[F64, F64]]


@dataclass(frozen=True)
class World:
    """A bank, and how hard its questions truly are."""

    hard: F64
    scene: I64
    bank: Bank

    def probability(self, ability: Any) -> F64:
        """Return how probable right answers are; one ability, or one a question."""
        return np.asarray(_CHANCE + (1 - _CHANCE) / (1 + np.exp(self.hard - ability)))

    def said(self, ability: Any, rng: np.random.Generator) -> F64:
        """Return answers of a model: 1 and 0."""
        return np.asarray(rng.random(len(self.hard)) < self.probability(ability), dtype=np.float64)

    def at(self, accuracy: float) -> float:
        """Return the ability whose accuracy over the bank is this."""
        from scipy.optimize import brentq

        return float(brentq(lambda a: float(self.probability(a).mean()) - accuracy, -12, 12))


def world(questions: int, rng: np.random.Generator) -> World:
    """Draw a bank and calibrate it."""
    scene = np.repeat(np.arange(questions // 2), 2)
    x = rng.normal(0, 1, (len(scene), len(_WEIGHTS)))
    x[:, :2] = x[::2, :2].repeat(2, axis=0)  # factors of the picture
    hard = x @ _WEIGHTS + rng.normal(0, _OWN, len(scene))
    p = _CHANCE + (1 - _CHANCE) / (1 + np.exp(hard - _KNOWN[:, None]))
    right = np.asarray(rng.random(p.shape) < p, dtype=np.float64)
    bank = calibrate(Answers(right, np.full(len(scene), _CHANCE), x, scene))
    return World(hard, scene, bank)


def equal(one: World, rng: np.random.Generator) -> tuple[F64, F64]:
    """Draw two models of one ability."""
    ability = rng.uniform(-0.5, 2.5)
    return one.said(ability, rng), one.said(ability, rng)


def otherwise(one: World, rng: np.random.Generator) -> tuple[F64, F64]:
    """Draw two models with the same number of right answers in the bank, in other questions: each
    has luck of its own with a picture, and the first is better in easy questions."""
    n = int(one.scene.max()) + 1
    tilt = -0.5 * (one.hard - one.hard.mean())
    luck = rng.normal(0, _LUCK, (2, n))[:, one.scene]
    first, second = one.said(1.0 + tilt + luck[0], rng), one.said(1.0 + luck[1], rng)
    more, less = (first, second) if first.sum() > second.sum() else (second, first)
    alone = np.flatnonzero(more > less)
    more[rng.choice(alone, int(more.sum() - less.sum()), replace=False)] = 0
    return first, second


def tested(
    one: World, pair: tuple[F64, F64], rng: np.random.Generator, by_ability: bool
) -> tuple[int, str | None]:
    """Return how many questions a verdict took, and what it was."""
    weight = np.ones(len(one.hard))
    bank = one.bank if by_ability else None
    session = Session(one.scene, weight, rng, bank, pair[1], by_ability)
    if by_ability:
        known = replay(session, pair[0])
        return len(session.asked), session.better if known else None
    # The order does not depend on answers: all looks at once, then back to the one that told it.
    session.add(asked := session.next(len(weight)), pair[0][asked])
    found = session.duel.verdict()
    if found is None:
        return len(asked), None
    return min(BATCH * -(-2 * found[1] // BATCH), len(asked)), found[0]


def _share(hits: int, n: int) -> dict[str, float]:
    hits = int(hits)
    low, high = wilson(hits / n, n)
    return {"share": round(hits / n, 4), "low": round(low, 4), "high": round(high, 4), "n": n}


def false_stops(
    questions: int, runs: int, draw: Draw, by_ability: bool, seed: int
) -> dict[str, float]:
    """Return how often a verdict comes where none is true; banks are drawn anew now and then."""
    stops = 0
    for run in range(runs):
        rng = generator(seed, "benchmarks/adaptive", f"{draw.__name__} {questions} {run}")
        if run % 100 == 0:
            one = world(questions, rng)
        stops += tested(one, draw(one, rng), rng, by_ability)[1] is not None
    return _share(stops, runs)


def verdicts(questions: int, gap: float, runs: int, by_ability: bool, seed: int) -> dict[str, Any]:
    """Return how soon models are told apart whose accuracies are a gap apart, the better one
    at 75 or 90 %."""
    rng = generator(seed, "benchmarks/adaptive", f"verdict {questions}")
    one = world(questions, rng)
    taken, wrong = [], 0
    for run in range(runs):
        rng = generator(seed, "benchmarks/adaptive", f"verdict {questions} {gap} {run}")
        best = one.at(0.9 if run % 2 else 0.75)
        rest = one.at((0.9 if run % 2 else 0.75) - gap)
        n, said = tested(one, (one.said(best, rng), one.said(rest, rng)), rng, by_ability)
        taken.append(n / questions if said else np.inf)
        wrong += said == "second"
    fifth = sum(each <= 0.2 for each in taken)
    middle = float(np.median(taken))
    return {
        "within_a_fifth": _share(fifth, runs),
        "median_share": round(middle, 3) if np.isfinite(middle) else None,
        "wrong": wrong,
    }


def abilities(questions: int, runs: int, accuracy: float, seed: int) -> dict[str, Any]:
    """Return how soon an ability is known, and how often its interval holds the true one."""
    shares, held, needed = [], 0, []
    for run in range(runs):
        rng = generator(seed, "benchmarks/adaptive", f"ability {questions} {accuracy} {run}")
        if run % 20 == 0:
            one = world(questions, rng)
        ability = one.at(accuracy)
        said = one.said(ability, rng)
        session = Session(one.scene, np.ones(len(said)), rng, one.bank)
        known = replay(session, said, batch=1)
        assert session.ability is not None
        low, high = session.ability.interval
        # Where an ability stands beside those of the models that calibrate.
        held += low <= ability - _KNOWN.mean() + one.bank.middle <= high
        random = in_random_order(one.bank, said, rng)
        needed.append(len(session.asked) if known else np.inf)
        shares.append(needed[-1] / random if random else np.nan)
    return {
        "questions": float(np.median(needed)),
        "of_random": round(float(np.nanmedian(shares)), 3),
        "covered": _share(held, runs),
    }


def _told(name: str, found: dict[str, Any]) -> dict[str, Any]:
    print(f"{name:44} {found}", flush=True)
    return found


@main_guard
def main() -> None:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=2000, help="of each kind of false stops")
    parser.add_argument("--tests", type=int, default=60, help="of each gap, bank and ability")
    parser.add_argument("--seed", type=int, default=22)
    args = parser.parse_args()

    begin = time.process_time()
    stops = {
        f"{draw.__name__}, by {'ability' if by else 'accuracy'}, {n}": (n, draw, by)
        for draw in (equal, otherwise)
        for n, by in ((360, False), (1000, False), (360, True))
    }
    found: dict[str, Any] = {"false_stops": {}, "verdicts": {}, "abilities": {}}
    for name, (n, draw, by) in stops.items():
        share = false_stops(n, args.runs, draw, by, args.seed)
        found["false_stops"][name] = _told(f"false stops: {name}", share)
    for n in _BANKS:
        for gap in _GAPS:
            for by in (False, True):
                name = f"{n}, {100 * gap:.0f} points, by {'ability' if by else 'accuracy'}"
                each = verdicts(n, gap, args.tests, by, args.seed)
                found["verdicts"][name] = _told(f"verdicts: {name}", each)
    for accuracy in (0.6, 0.75, 0.85, 0.9, 0.95):
        each = abilities(1000, args.tests, accuracy, args.seed)
        name = f"accuracy {100 * accuracy:.0f} %"
        found["abilities"][name] = _told(f"abilities: {name}", each)
    print(
        json.dumps(
            {"benchmark": "adaptive", "seconds": round(time.process_time() - begin), **found}
        )
    )


if __name__ == "__main__":
    main()
