"""What examiners behind endpoints have proposed to ask, what came of it, and what it cost."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.snapshot.reader import Snapshot

#: Columns that are read of the calls.
_CALLS = ["purpose", "request_sha256", "served_model", "cost_usd"]


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
        Calls by purpose; dollars, each request once, and None where no price is known.
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
    calls = snapshot.read(tables.EXAM_REQUESTS, _CALLS, examiner=name).to_pylist()
    costs: dict[str, float | None] = {row["request_sha256"]: row["cost_usd"] for row in calls}
    known = [cost for cost in costs.values() if cost is not None]
    return Examiner(
        name,
        Counter(row["status"] for row in rows),
        frozenset(row["scene_id"] for row in rows),
        asked,
        (_count(rows, "spare"), _count(rows, "adjustments")),
        Counter(row["purpose"] for row in calls),
        math.fsum(known) if known else None,
        len(costs) - len(known),
        sorted({row["served_model"] for row in calls if row["served_model"]}),
    )


def _count(rows: list[dict[str, Any]], name: str) -> int:
    return sum(len(row[name] or ()) for row in rows)
