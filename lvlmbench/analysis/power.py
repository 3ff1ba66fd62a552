"""How small a difference between two models a snapshot can show.

A difference between two models is shown in the share :data:`SHOWN` of snapshots of this size if it
is as many standard errors as the quantiles of the test and of that share add up to. The
standard error is that of the comparisons that were made, in the median over pairs of models that do
not guess; a part of the questions has one that is larger by the square root of how much larger the
whole is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from lvlmbench.config.headline import PAPER, Headline, headline_of
from lvlmbench.config.models import guessing
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stats.estimate import Z
from lvlmbench.tables import TYPES

#: Share of snapshots in which a difference of the size that is named is shown.
SHOWN = 0.8
#: Its normal quantile.
_POWER = 0.8416212335729143
#: Share of answers in which two models are taken to differ where none were compared.
_APART = 0.25
#: Percent of the headline's scale below which a part of the questions tells two models apart well
#: enough to be shown.
TOO_COARSE = 20.0
#: In place of a subtask or level.
ALL = "all"


@dataclass(frozen=True)
class Power:
    """The smallest differences that a suite's clean answers show in 4 of 5 cases, in points.

    Attributes
    ----------
    questions
        How many count in the headline.
    whole
        Over all of them.
    measured
        Whether it follows from pairs of models that were compared; else a quarter of the answers is
        taken to differ.
    by_subtask, by_level
        Over those of a subtask, of a level.
    cells
        Over those of a subtask at a level.
    scale
        The largest difference that there can be.
    """

    questions: int
    whole: float
    measured: bool
    by_subtask: Mapping[str, float]
    by_level: Mapping[str, float]
    cells: Mapping[tuple[str, str], float]
    scale: float = 100.0

    def smallest(self, n: int) -> float:
        """Return the smallest difference that so many of the questions show."""
        return min(self.whole * math.sqrt(self.questions / n), self.scale) if n else self.scale

    @property
    def too_coarse(self) -> float:
        """Return the points that what is shown has to tell apart."""
        return TOO_COARSE * self.scale / 100

    def tells(self, n: int) -> bool:
        """Return whether so many of the questions are enough to be shown by themselves."""
        return self.smallest(n) <= self.too_coarse

    @property
    def sentence(self) -> str:
        """Return what it says of the whole, and of its parts."""
        text = (
            f"Differences between two models below {self.whole:.1f} points are missed in more "
            f"than 1 of 5 snapshots of this size ({self.questions:,} questions)"
        )
        for name, parts in (("subtask", self.by_subtask), ("level", self.by_level)):
            if len(parts) > 1:
                low, high = min(parts.values()), max(parts.values())
                ends = dict.fromkeys((f"{low:.0f}", f"{high:.0f}"))
                text += f"; within a {name}, those below {' to '.join(ends)} points"
        return f"{text}."


def power(snapshot: Snapshot) -> Power | None:
    """Return the smallest differences of a suite's first scenario; None without questions, or where
    no judge has judged any answer."""
    headline = headline_of(snapshot.params)
    judged, scale = headline.table is not None, headline.most - headline.least
    types = _counting(headline)
    asked = snapshot.counted(snapshot.asked[snapshot.first_scenario])
    rows = [
        row
        for row in asked.select(["subtask", "level", "question_type"]).to_pylist()
        if row["question_type"] in types
    ]
    error = _standard_error(snapshot)
    if not rows or (judged and error is None):
        return None
    whole = (Z + _POWER) * (100 * math.sqrt(_APART / len(rows)) if error is None else error)
    leveled = [row for row in rows if row["level"] is not None]
    found = Power(len(rows), min(whole, scale), error is not None, {}, {}, {}, scale)

    def of(counts: Counter[Any]) -> dict[Any, float]:
        return {key: found.smallest(n) for key, n in counts.items()}

    return replace(
        found,
        by_subtask=of(Counter(row["subtask"] for row in rows)),
        by_level=of(Counter(row["level"] for row in leveled)),
        cells=of(Counter((row["subtask"], row["level"]) for row in leveled)),
    )


def _counting(headline: Headline) -> set[str]:
    """The question types that a headline is of."""
    if headline.table is not None:
        return {name for name, each in TYPES.items() if not each.judged}
    whole = headline.measure == PAPER.measure
    return {name for name, each in TYPES.items() if whole or each.judged}


def _standard_error(snapshot: Snapshot) -> float | None:
    """The median standard error of differences between models that do not guess, in points."""
    guessers = guessing(snapshot.params.answer.models)
    found = [
        row["stderr"]
        for row in snapshot.comparisons.to_pylist()
        if row["family"] == "models"
        and row["scenario"] == snapshot.first_scenario
        and row["question_type"] == ALL
        and not {row["model"], row["baseline_model"]} & guessers
        and row["stderr"]
    ]
    return median(found) if found else None
