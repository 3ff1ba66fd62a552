"""How the answers were obtained and read: a mean hides what could not be scored, this does not."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.report.inputs import Snapshot
from lvlmbench.report.standings import Standings


@dataclass(frozen=True)
class Reading:
    """Counts of one model in one scenario.

    ``status`` counts all answers; ``parse`` those to closed questions that came back, by the way
    in which the option was found.
    """

    model: str
    scenario: str
    total: int
    unscored: int
    status: Counter[str]
    parse: Counter[str]


def readings(snapshot: Snapshot, standings: Standings) -> list[Reading]:
    """One row for each model in each scenario, over the questions that the standings count."""
    columns = ["question_id", "question_type", "status", "parse_method", "scored"]
    out = []
    for scenario in [*standings.scenarios, *standings.curves]:
        for model in standings.models:
            folder = snapshot.data / "scores" / model / scenario
            table = tables.read(folder, tables.SCORES, columns)
            table = snapshot.counted(table, standings.questions)
            closed = table.filter(
                pc.and_(
                    pc.not_equal(table["question_type"], "free_form"),
                    pc.equal(table["status"], "answered"),
                )
            )
            scored = pc.sum(table["scored"]).as_py() or 0
            out.append(
                Reading(
                    model,
                    scenario,
                    len(table),
                    len(table) - scored,
                    Counter(table["status"].to_pylist()),
                    Counter(closed["parse_method"].to_pylist()),
                )
            )
    return out
