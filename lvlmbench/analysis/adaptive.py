"""Which question to ask a model next, and when its ability is known: adaptive testing.

The next question is one of those that tell most about the ability as it is known so far (maximum
Fisher information; Lord, "Applications of Item Response Theory", 1980, chapter 10). Which of the
best few is drawn, so that not all models meet the same ones (Kingsbury, Zara, Applied Measurement
in Education 2, 1989). Answers about one picture hang together, so no scene is asked about again
before all others. Which questions are asked depends on answers that are known alone, so the
likelihood needs no correction for it.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from lvlmbench.analysis.calibration import Bank
from lvlmbench.analysis.lltm import F64, I64
from lvlmbench.stats.estimate import Z

#: Standard error at which an ability is known, in logits.
ENOUGH = 0.3
#: Of so many most telling questions one is drawn.
_BEST = 5
#: Spread of abilities beforehand, in logits, about the mean of the calibrating models.
_PRIOR = 2.0
#: Questions that usually make an ability known: no more are added up at first.
_USUAL = 400
#: Random orders that an adaptive one is held against.
_ORDERS = 20


class Ability:
    """What is known of a model's ability: its distribution after some answers.

    Attributes
    ----------
    answers
        Scored answers so far.
    """

    def __init__(self, bank: Bank) -> None:
        self._bank, self.answers = bank, 0
        self._log = _before(bank)

    def add(self, question: int, right: float) -> None:
        """Take note of an answer, 1 or 0; nan is one that was not scored."""
        if np.isfinite(right):
            self._log = self._log + self._bank.logs[0 if right > 0 else 1][question]
            self.answers += 1

    @property
    def _moments(self) -> tuple[float, float]:
        mean, error = _moments(self._bank, self._log)
        return float(mean), float(error)

    @property
    def value(self) -> float:
        """The mean, in logits."""
        return self._moments[0]

    @property
    def error(self) -> float:
        """The standard error: the standard deviation, in logits."""
        return self._moments[1]

    @property
    def interval(self) -> tuple[float, float]:
        """Both ends of the 95 % interval, in logits."""
        value, error = self._moments
        return value - Z * error, value + Z * error


def _before(bank: Bank) -> F64:
    """Log of what is known of an ability before any answer."""
    return np.asarray(-((bank.abilities - bank.middle) ** 2) / (2 * _PRIOR**2))


def _moments(bank: Bank, log: F64) -> tuple[F64, F64]:
    """Mean and standard deviation of distributions, the abilities being the last axis."""
    weight = np.exp(log - log.max(axis=-1, keepdims=True))
    weight /= weight.sum(axis=-1, keepdims=True)
    mean = weight @ bank.abilities
    spread = (weight * (bank.abilities - mean[..., None]) ** 2).sum(axis=-1)
    return mean, np.sqrt(spread)


class Chooser:
    """Chooses questions of a bank, each once.

    Parameters
    ----------
    open_ones
        Which questions may be asked.
    """

    def __init__(
        self, bank: Bank, open_ones: npt.NDArray[np.bool_], rng: np.random.Generator
    ) -> None:
        self._bank, self._rng = bank, rng
        self._open = open_ones.copy()
        self._asked = np.zeros(int(bank.scene.max()) + 1, dtype=np.int64)

    def next(self, ability: float) -> int | None:
        """Return the number of the next question, for an ability; None where all were asked."""
        if not self._open.any():
            return None
        times = np.where(self._open, self._asked[self._bank.scene], np.iinfo(np.int64).max)
        fresh = np.flatnonzero(times == times.min())
        told = self._bank.information(ability)[fresh]
        best = fresh[np.argsort(-told, kind="stable")[:_BEST]]
        chosen = int(best[self._rng.integers(len(best))])
        self._open[chosen] = False
        self._asked[self._bank.scene[chosen]] += 1
        return chosen

    @property
    def fresh(self) -> bool:
        """Whether there is a scene that was not asked about."""
        return bool((self._asked[self._bank.scene[self._open]] == 0).any())


def in_random_order(bank: Bank, right: F64, rng: np.random.Generator) -> int | None:
    """Return after how many questions in random order an ability is known: the middle of some
    orders; None where all are too few. The model's answers are 1, 0 or nan each."""
    right_log, wrong_log = bank.logs
    each = np.where((right > 0)[:, None], right_log, wrong_log)
    each = np.where(np.isfinite(right)[:, None], each, 0.0)
    orders = [rng.permutation(len(right)) for _ in range(_ORDERS)]
    needed = [_needed(bank, each, order) for order in orders]
    found = sorted(n for n in needed if n is not None)
    found += [len(right) + 1] * (_ORDERS - len(found))
    middle = found[_ORDERS // 2]
    return middle if middle <= len(right) else None


def _needed(bank: Bank, logs: F64, order: I64) -> int | None:
    """How many questions in an order make an ability known; looked at by halves, as a standard
    error falls but for single answers."""
    low, high = 0, min(len(order), _USUAL)
    whole = _before(bank) + np.cumsum(logs[order[:high]], axis=0)
    if _moments(bank, whole[-1])[1] > ENOUGH:
        low, high = high, len(order)
        whole = _before(bank) + np.cumsum(logs[order], axis=0)
        if _moments(bank, whole[-1])[1] > ENOUGH:
            return None
    while high - low > 1:
        n = (low + high) // 2
        low, high = (low, n) if _moments(bank, whole[n - 1])[1] <= ENOUGH else (n, high)
    return high
