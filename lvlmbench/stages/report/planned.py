"""What models that plan have thought of and described, what came of it, and what it cost."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from lvlmbench import tables
from lvlmbench.analysis.ledger import of_role, summed
from lvlmbench.snapshot.reader import Snapshot


@dataclass(frozen=True)
class Planner:
    """One model that plans.

    Attributes
    ----------
    aspects, pictures
        What came of those that it was to plan, by status.
    calls, cost
        Requests by purpose; dollars, None where no price is known.
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
    costs = of_role(snapshot, "planner", name)
    aspects, pictures = (
        Counter(snapshot.read(table, ["status"], planner=name)["status"].to_pylist())
        for table in (tables.PLANNED_ASPECTS, tables.PLANNED_DESCRIPTIONS)
    )
    calls = Counter({row["purpose"]: row["requests"] for row in costs})
    return Planner(name, aspects, pictures, calls, summed(costs)["cost_usd"])
