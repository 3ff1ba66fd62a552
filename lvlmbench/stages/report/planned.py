"""What models that plan have thought of and described, what came of it, and what it cost."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass

from lvlmbench import tables
from lvlmbench.snapshot.reader import Snapshot

#: Columns that are read of the calls.
_CALLS = ["purpose", "request_sha256", "cost_usd"]


@dataclass(frozen=True)
class Planner:
    """One model that plans.

    Attributes
    ----------
    aspects, pictures
        What came of those that it was to plan, by status.
    calls, cost
        Calls by purpose; dollars, each request once, and None where no price is known.
    """

    name: str
    aspects: Counter[str]
    pictures: Counter[str]
    calls: Counter[str]
    cost: float | None


def build(snapshot: Snapshot) -> list[Planner]:
    """Return the models that the parameters name and that had something of this suite to plan."""
    found = (_planner(snapshot, name) for name in snapshot.params.examiner.planners)
    return [one for one in found if one.pictures]


def _planner(snapshot: Snapshot, name: str) -> Planner:
    calls = snapshot.read(tables.PLAN_REQUESTS, _CALLS, planner=name).to_pylist()
    costs: dict[str, float | None] = {row["request_sha256"]: row["cost_usd"] for row in calls}
    known = [cost for cost in costs.values() if cost is not None]
    aspects, pictures = (
        Counter(snapshot.read(table, ["status"], planner=name)["status"].to_pylist())
        for table in (tables.PLANNED_ASPECTS, tables.PLANNED_DESCRIPTIONS)
    )
    by_purpose = Counter(row["purpose"] for row in calls)
    return Planner(name, aspects, pictures, by_purpose, math.fsum(known) if known else None)
