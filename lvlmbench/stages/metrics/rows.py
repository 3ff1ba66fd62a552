"""Rows of the metrics table, collected."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from lvlmbench.stages.metrics.counts import Counts
from lvlmbench.stages.metrics.intervals import Figure

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

    def add_figure(self, key: Key, metric: str, figure: Figure | None, counts: Counts) -> None:
        """A row of a figure; where there is none (nothing scored) the value is null."""
        error = None if figure is None else (figure.stderr, *figure.interval())
        self.add(key, metric, None if figure is None else figure.value, error, counts)

    def add_difference(self, key: Key, metric: str, figure: Figure | None, counts: Counts) -> None:
        """The same with Student's interval."""
        error = None if figure is None else (figure.stderr, *figure.student())
        self.add(key, metric, None if figure is None else figure.value, error, counts)


def rounded(value: float) -> float:
    """To the decimals of the table; no negative zero."""
    return round(value, DECIMALS) + 0.0
