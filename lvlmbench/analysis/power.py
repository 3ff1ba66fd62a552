"""How small a difference between two models a snapshot can show.

Two models are told apart in :data:`SHOWN` of snapshots like this one where they differ by so many
standard errors of their difference as the quantiles of the test and of that share add up to. The
standard error is that of the comparisons that were made, in the median over pairs of models that do
not guess; a part of the questions has one that is larger by the square root of how much larger the
whole is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from statistics import median

from lvlmbench.config.models import guessing
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stats.estimate import Z

#: Share of snapshots in which a difference of the size that is named is shown.
SHOWN = 0.8
#: Its normal quantile.
_POWER = 0.8416212335729143
#: Share of answers in which two models are taken to differ where none were compared.
_APART = 0.25
#: Points below which a part of the questions tells two models apart well enough to be shown.
TOO_COARSE = 20.0
#: In place of a subtask or level.
ALL = "all"


@dataclass(frozen=True)
class Power:
    """The smallest differences that a suite's clean answers show in 4 of 5 cases, in points.

    Attributes
    ----------
    questions
        How many there are in all.
    whole
        Over all of them.
    measured
        Whether it follows from pairs of models that were compared; else a quarter of the answers is
        taken to differ.
    by_subtask, by_level
        Over those of a subtask, of a level.
    cells
        Over those of a subtask at a level.
    """

    questions: int
    whole: float
    measured: bool
    by_subtask: Mapping[str, float]
    by_level: Mapping[str, float]
    cells: Mapping[tuple[str, str], float]

    @property
    def sentence(self) -> str:
        """Return what it says of the whole, and of its parts."""
        text = (
            f"Two models that differ by {self.whole:.1f} points or more are told apart in 4 of 5 "
            f"snapshots of this size ({self.questions:,} questions)"
        )
        for name, parts in (("subtask", self.by_subtask), ("level", self.by_level)):
            if len(parts) > 1:
                low, high = min(parts.values()), max(parts.values())
                text += f"; within a {name} it takes {low:.0f} to {high:.0f} points"
        return f"{text}."


def power(snapshot: Snapshot) -> Power | None:
    """Return the smallest differences of a suite's first scenario; None without questions."""
    asked = snapshot.counted(snapshot.asked[snapshot.first_scenario])
    rows = asked.select(["subtask", "level"]).to_pylist()
    if not rows:
        return None
    error = _standard_error(snapshot)
    whole = (Z + _POWER) * (100 * math.sqrt(_APART / len(rows)) if error is None else error)

    def of(counts: Counter[str]) -> dict[str, float]:
        return {name: min(whole * math.sqrt(len(rows) / n), 100.0) for name, n in counts.items()}

    leveled = [row for row in rows if row["level"] is not None]
    cells = Counter((row["subtask"], row["level"]) for row in leveled)
    return Power(
        len(rows), min(whole, 100.0), error is not None,
        of(Counter(row["subtask"] for row in rows)),
        of(Counter(row["level"] for row in leveled)),
        {key: min(whole * math.sqrt(len(rows) / n), 100.0) for key, n in cells.items()},
    )  # fmt: skip


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
