"""What examiners behind endpoints have proposed to ask, what came of it, and what it cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.ledger import of_role, summed
from lvlmbench.snapshot.reader import Snapshot


@dataclass(frozen=True)
class Examiner:
    """One examiner behind an endpoint.

    Attributes
    ----------
    statuses
        What came of its items, by the statuses of the table ``proposals``.
    scenes
        Those that it was to ask about.
    asked
        Its questions about pictures that were kept.
    replaced
        Wrong options that adjustment has replaced, and how many it was asked to.
    calls, cost
        Requests by purpose; dollars, None where no price is known.
    unpriced
        Requests of unknown cost.
    served
        Models that the server says have answered.
    """

    name: str
    statuses: Counter[str]
    scenes: frozenset[str]
    asked: int
    replaced: tuple[int, int]
    calls: Counter[str]
    cost: float | None
    unpriced: int
    served: list[str]

    @property
    def planned(self) -> int:
        """Items that it was to ask about."""
        return self.statuses.total()

    @property
    def written(self) -> int:
        """Questions that keep all rules, whether or not the picture shows their evidence."""
        return self.statuses["made"] + self.statuses["unsupported"]


def build(snapshot: Snapshot) -> list[Examiner]:
    """Return all examiners that the parameters list and that had items of this suite."""
    kept = snapshot.questions.filter(
        pc.is_in(snapshot.questions["scene_id"], value_set=snapshot.kept_scenes)
    )
    asked = Counter(kept["examiner"].to_pylist())
    names = [model.name for model in snapshot.params.examiner.examiners]
    found = (_examiner(snapshot, name, asked[name]) for name in names)
    return [examiner for examiner in found if examiner.planned]


def _examiner(snapshot: Snapshot, name: str, asked: int) -> Examiner:
    columns = ["scene_id", "status", "adjustments", "spare"]
    rows = snapshot.read(tables.PROPOSALS, columns, examiner=name).to_pylist()
    calls = snapshot.read(tables.EXAM_REQUESTS, ["served_model"], examiner=name)
    costs = of_role(snapshot, "examiner", name)
    sums = summed(costs)
    return Examiner(
        name,
        Counter(row["status"] for row in rows),
        frozenset(row["scene_id"] for row in rows),
        asked,
        (_count(rows, "spare"), _count(rows, "adjustments")),
        Counter({row["purpose"]: row["requests"] for row in costs}),
        sums["cost_usd"],
        sums["unpriced"],
        sorted({name for name in calls["served_model"].to_pylist() if name}),
    )


def _count(rows: list[dict[str, Any]], name: str) -> int:
    return sum(len(row[name] or ()) for row in rows)
