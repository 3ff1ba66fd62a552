"""What figures about answers beside references share: the numbers of the first judge, and the
models shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa

from lvlmbench.analysis.dialogue.results import Results
from lvlmbench.analysis.hallucinated import ALL, Number
from lvlmbench.stages.figures import legend
from lvlmbench.stages.figures.figure import NotApplicable, Sources

#: Least and most that a score can be.
LEAST, MOST = 100, 1000
#: Columns of the CSV files of these figures, one line a number.
SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("judge", "model", "stratum", "measure")),
        *((name, pa.float64()) for name in ("value", "low", "high")),
        *((name, pa.int64()) for name in ("n", "answers", "unjudged")),
    ]
)


@dataclass(frozen=True)
class First:
    """The numbers of the judge that is listed first, in the scenario that charts show."""

    numbers: Results
    judge: str
    scenario: str
    models: list[str]
    looks: legend.Looks

    def number(self, model: str, measure: str, stratum: str = ALL) -> Number | None:
        """Return a number of a model; None where there is none, or where it has no value."""
        found = self.numbers.number(self.judge, model, self.scenario, measure, stratum)
        return found if found is not None and found.value is not None else None

    def rows(self, measures: Sequence[str], strata: Sequence[str] = (ALL,)) -> list[dict[str, Any]]:
        """Return rows of :data:`SCHEMA` about all models shown."""
        return [
            {"judge": self.judge, "model": model, "stratum": stratum, "measure": measure,
             **vars(number)}
            for stratum in strata
            for model in self.models
            for measure in measures
            if (number := self.number(model, measure, stratum)) is not None
        ]  # fmt: skip


def every(sources: Sources, measure: str) -> list[First]:
    """Return what each judge says that gives a measure, the first judge first.

    Raises
    ------
    NotApplicable
        No answer was compared with a reference, or no judge gives it.
    """
    one = first(sources)
    judges = (replace(one, judge=judge) for judge in one.numbers.judges)
    found = [each for each in judges if each.rows((measure,))]
    if not found:
        raise NotApplicable("No answer has a score.")
    return found


def first(sources: Sources) -> First:
    """Return what the first judge says.

    Raises
    ------
    NotApplicable
        No answer was compared with a reference.
    """
    found, board = Results(sources.snapshot), sources.leaderboard
    scenario = sources.snapshot.first_scenario
    if not found.judges:
        raise NotApplicable("No answer was compared with a reference.")
    shown = [m for m in legend.shown_models(board, scenario) if m in found.models]
    rest = [m for m in found.models if m not in shown]
    models = [*shown, *rest][: legend.MAX_MODELS]
    return First(found, found.judges[0], scenario, models, legend.looks(models, board))


def ends(number: Number) -> tuple[float, float]:
    """Return the ends of an interval; both the value where there is none."""
    middle = number.value or 0.0
    low = middle if number.low is None else number.low
    return low, middle if number.high is None else number.high
