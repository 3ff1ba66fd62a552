"""Which of two models is better, from as few questions as that takes: a test for any time.

Both are asked the same questions, one scene after the other. Of each scene the right answers of one
less those of the other are a bet's outcome: two gamblers begin with 1 and bet, one that the first
model is better, one that the second is. Where neither is, no gambler ever has :data:`WON` times his
stake with a probability above 1 / :data:`WON` (Ville's inequality), however often one looks and
whenever one stops. Each gambler deals his stake to several sizes of bets (Waudby-Smith, Ramdas, J.
R. Stat. Soc. B 86, 2024), and bets only while the sum so far speaks for his side or for none. That
makes the test hold in two senses at once:

* **of the bank**: scenes come in random order, whoever drew them. Where the whole bank's sum is not
  above 0 and the sum so far is not below 0, what is left does not favor the bet.
* **of questions like these**: scenes are independent, each as likely to favor either model.

Nothing is supposed of difficulties, abilities or how answers of one scene hang together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from lvlmbench.analysis.lltm import F64, I64

#: Share of false verdicts, both sides together.
FALSE = 0.05
#: What a gambler has made of 1 when he has won.
WON = 2 / FALSE
#: Sizes of bets, as shares of what the worst outcome would take. The best one is about the
#: difference by its variance: 0.15 for 5 points in scenes of one question, 0.6 for 10 in two.
_BETS = np.array([0.12, 0.25, 0.45, 0.7, 0.9])
#: Differences that an interval is looked for among: every half point.
_DIFFERENCES = np.linspace(-1, 1, 401)

Better = Literal["first", "second"]


@dataclass(frozen=True)
class Duel:
    """What two models' answers to some scenes come to, scenes in the order of asking.

    Attributes
    ----------
    value
        Of each scene, the weights of the questions that the first model alone has right, less those
        that the second alone has right.
    size
        Weights of the scene's questions that both have scored answers to.
    most, mean
        Weight of the largest scene that may come, and the mean weight of a scene, neither of which
        may depend on answers.
    """

    value: F64
    size: F64
    most: float
    mean: float

    def _wealth(self, difference: float) -> tuple[F64, F64]:
        """Log of what each gambler has after each scene, who bets that the first model is better by
        more than a difference, or by less."""
        x = (self.value - difference * self.size) / self.mean
        before = np.concatenate([[0.0], np.cumsum(x)[:-1]])
        bets = _BETS[:, None] * (self.mean / (self.most * (1 + abs(difference))))
        out = []
        for side in (1, -1):
            outcome = np.where(side * before >= -1e-9, side * x, 0.0)
            logs = np.cumsum(np.log1p(bets * outcome), axis=1)
            top = logs.max(axis=0)
            out.append(np.log(np.exp(logs - top).mean(axis=0)) + top)
        return out[0], out[1]

    def verdict(self) -> tuple[Better, int] | None:
        """Return which model is better and after how many scenes that was clear; None so far."""
        if not len(self.value):
            return None
        found: list[tuple[int, Better]] = []
        names: tuple[Better, Better] = ("first", "second")
        for wealth, name in zip(self._wealth(0.0), names, strict=True):
            won = np.flatnonzero(wealth >= np.log(WON))
            if len(won):
                found.append((int(won[0]) + 1, name))
        return (min(found)[1], min(found)[0]) if found else None

    def interval(self) -> tuple[float, float]:
        """Return both ends of an interval of the difference in accuracy that holds at any time."""
        if not len(self.value):
            return -1.0, 1.0
        kept = [d for d in _DIFFERENCES if max(w.max() for w in self._wealth(d)) < np.log(WON)]
        return (float(min(kept)), float(max(kept))) if kept else (self.difference, self.difference)

    @property
    def difference(self) -> float:
        """The difference in accuracy so far; nan before both have answered."""
        total = float(self.size.sum())
        return float(self.value.sum()) / total if total else float("nan")


@dataclass(frozen=True)
class Scenes:
    """The questions of a bank by scene, and how much each question counts.

    Attributes
    ----------
    questions
        Numbers of the questions of each scene.
    place, weight
        Of each question: which of the scenes it is about, and how much it counts.
    """

    questions: Sequence[I64]
    place: I64
    weight: F64

    @classmethod
    def of(cls, scene: I64, weight: F64) -> Scenes:
        """Sort questions by the number of their scene."""
        order = np.argsort(scene, kind="stable")
        cuts = np.flatnonzero(np.diff(scene[order])) + 1
        place = np.unique(scene, return_inverse=True)[1].astype(np.int64)
        return cls(np.split(order, cuts), place, weight)

    def duel(self, order: Sequence[int], first: F64, second: F64) -> Duel:
        """Return how two models stand after some scenes, from all of their answers so far: 1, 0, or
        nan where there is no scored one."""
        gain = np.nan_to_num((first - second) * self.weight)
        both = self.weight * np.isfinite(first - second)
        value, size, whole = (
            np.bincount(self.place, n).astype(np.float64) for n in (gain, both, self.weight)
        )
        some = np.array(order, dtype=np.int64)
        return Duel(value[some], size[some], float(whole.max()), float(whole.mean()))
