"""Answers that were compared with references: the numbers of the table ``dialogue`` by name
(docs/touchstone.md)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lvlmbench import tables
from lvlmbench.analysis.dialogue.ranking import REFERENCE
from lvlmbench.analysis.hallucinated import ALL, Number, number_of
from lvlmbench.snapshot.reader import Snapshot

#: In place of another judge: people.
PEOPLE = "people"
_KEY = ("judge", "model", "scenario", "stratum", "beside", "measure")


class Results:
    """The numbers of a snapshot.

    Attributes
    ----------
    judges, models, scenarios
        Names in the order of the parameters, of those that have numbers. People are none of the
        judges; the references are none of the models, nor are all models together.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        params, rows = snapshot.params, _rows(snapshot)
        self._numbers = {tuple(row[name] for name in _KEY): number_of(row) for row in rows}

        def in_order(column: str, names: Iterable[str]) -> list[str]:
            found = dict.fromkeys(row[column] for row in rows)
            known = dict.fromkeys(names)
            return [name for name in {**known, **found} if name in found and name != ALL]

        judges = in_order("judge", (judge.name for judge in params.judge.judges))
        self.judges = [name for name in judges if name != PEOPLE]
        models = in_order("model", (model.name for model in params.answer.models))
        self.models = [name for name in models if name != REFERENCE]
        self.scenarios = in_order("scenario", params.scenarios.names)

    def __bool__(self) -> bool:
        """Return whether there is any number."""
        return bool(self._numbers)

    def number(
        self,
        judge: str,
        model: str,
        scenario: str,
        measure: str,
        stratum: str = ALL,
        beside: str = ALL,
    ) -> Number | None:
        """Return a number; None where there is none."""
        return self._numbers.get((judge, model, scenario, stratum, beside, measure))

    def besides(self, judge: str, scenario: str, measure: str) -> list[str]:
        """Return whom a judge is held against by a measure: other judges, and people last."""
        found = {
            beside
            for j, _, s, _, beside, name in self._numbers
            if (j, s, name) == (judge, scenario, measure) and beside != ALL
        }
        others = [name for name in self.judges if name in found]
        return [*others, *sorted(found - {*others, PEOPLE}), *([PEOPLE] if PEOPLE in found else [])]


def _rows(snapshot: Snapshot) -> list[dict[str, Any]]:
    """The table; no rows where nobody has compared."""
    path = snapshot.folder(tables.DIALOGUE)
    found = tables.read([path] if path.is_file() else [], tables.DIALOGUE)
    return list(found.to_pylist())
