"""Rows of the metrics table, collected."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from lvlmbench.stages.metrics.counts import Counts
from lvlmbench.stats.estimate import Estimate

DECIMALS = 6
ALL = "all"
#: The metric that is a suite's headline.
HEADLINE = "headline"
#: In the column ``questions``: without those that the models' consensus drops.
CONSENSUS = "consensus"


class Key(NamedTuple):
    """What a row is about, beside model, scenario and metric."""

    question_type: str = ALL
    subtask: str = ALL
    style: str = ALL
    perturbation: str = ALL
    severity: str = ALL
    level: str = ALL


@dataclass
class Rows:
    """Collects rows of one model in one scenario, over one set of questions."""

    questions: str
    model: str
    scenario: str
    rows: list[dict[str, object]] = field(default_factory=list)

    def add(
        self,
        key: Key,
        metric: str,
        value: float | None,
        error: tuple[float | None, float | None, float | None] | None,
        counts: Counts,
    ) -> None:
        """A row; ``error`` is (stderr, low, high)."""
        stderr, low, high = error or (None, None, None)
        numbers = {"value": value, "stderr": stderr, "low": low, "high": high}
        self.rows.append(
            {
                "questions": self.questions,
                "model": self.model,
                "scenario": self.scenario,
                **key._asdict(),
                "metric": metric,
                **{k: None if v is None else rounded(v) for k, v in numbers.items()},
                **counts._asdict(),
            }
        )

    def add_figure(self, key: Key, metric: str, found: Estimate | None, counts: Counts) -> None:
        """A row of an estimate; where there is none (nothing scored) the value is null."""
        error = None if found is None else (found.stderr, found.low, found.high)
        self.add(key, metric, None if found is None else found.value, error, counts)

    def add_pairs(self, key: Key, metric: str, found: Estimate | None, counts: Counts) -> None:
        """The same of a difference, whose interval lies within 100 points."""
        self.add_figure(key, metric, None if found is None else found.within(-100.0, 100.0), counts)


def rounded(value: float) -> float:
    """To the decimals of the table; no negative zero."""
    return round(value, DECIMALS) + 0.0
