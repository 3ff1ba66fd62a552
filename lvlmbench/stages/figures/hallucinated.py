"""What figures about free answers share: the numbers of the first judge, and the models shown."""

from __future__ import annotations

from dataclasses import dataclass

from lvlmbench.analysis.hallucinated import ALL, Hallucination, Number
from lvlmbench.stages.figures import legend
from lvlmbench.stages.figures.figure import NotApplicable, Sources


@dataclass(frozen=True)
class First:
    """The numbers of the judge that is listed first, in the scenario that charts show."""

    numbers: Hallucination
    judge: str
    scenario: str
    models: list[str]
    looks: legend.Looks

    def number(
        self, model: str, measure: str, subtask: str = ALL, stratum: str = ALL
    ) -> Number | None:
        """Return a number of a model; None where there is none."""
        return self.numbers.number(self.judge, model, self.scenario, measure, subtask, stratum)

    def value(self, model: str, measure: str, subtask: str = ALL, stratum: str = ALL) -> float:
        """Return the same as a number to sort by, 0 where there is none."""
        found = self.number(model, measure, subtask, stratum)
        return (found.value or 0.0) if found is not None else 0.0


def first(sources: Sources) -> First:
    """Return what the first judge says.

    Raises
    ------
    NotApplicable
        Nobody has judged a free answer.
    """
    found, board = Hallucination(sources.snapshot), sources.leaderboard
    scenario = sources.snapshot.first_scenario
    if not found.judges:
        raise NotApplicable("No free answer was held against its picture.")
    shown = [m for m in legend.shown_models(board, scenario) if m in found.models]
    rest = [m for m in found.models if m not in shown]
    models = [*shown, *rest][: legend.MAX_MODELS]
    return First(found, found.judges[0], scenario, models, legend.looks(models, board))
