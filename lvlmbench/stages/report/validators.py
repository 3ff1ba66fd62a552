"""What validators behind endpoints have seen, how far they can be relied on, and what it cost."""

from __future__ import annotations

from dataclasses import dataclass

from lvlmbench import tables
from lvlmbench.analysis.ledger import of_role, summed
from lvlmbench.analysis.validators import Quality, Validated, validated
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.suites.suite import suite_of

#: Columns that are read of what was answered.
_ANSWERS = [
    *("scene_id", "image_id", "subtask", "planted", "element_type", "answer_index", "shown_index"),
    *("status", "answered_index", "correct"),
]
#: Kinds of lines, in their order, with the words that stand above them.
GROUPS = {
    "pictures": "Which pictures", "element": "What is checked", "request": "Request",
}  # fmt: skip


@dataclass(frozen=True)
class Seen:
    """One validator.

    Attributes
    ----------
    calls, cost
        Requests; dollars, None where no price is known.
    served
        Models that the server says have answered.
    decides
        Whether it looks at pictures while they are drawn, so that others are drawn.
    """

    name: str
    found: Validated
    calls: int
    cost: float | None
    served: list[str]
    decides: bool

    def lines(self, kind: str) -> list[Quality]:
        """Return the quality over checks that have something of a kind in common."""
        return [each for each in self.found.quality if each.kind == kind]


def build(snapshot: Snapshot) -> list[Seen]:
    """Return all validators that the parameters list and that were asked about this suite."""
    names = [model.name for model in snapshot.params.validator.validators]
    found = (_seen(snapshot, name) for name in names)
    return [each for each in found if each is not None]


def _seen(snapshot: Snapshot, name: str) -> Seen | None:
    rows = snapshot.read(tables.CHECK_ANSWERS, _ANSWERS, validator=name).to_pylist()
    found = validated(rows)
    if found is None:
        return None
    calls = snapshot.read(tables.CHECK_REQUESTS, ["served_model"], validator=name)
    served = sorted({name for name in calls["served_model"].to_pylist() if name})
    sums = summed(of_role(snapshot, "validator", name))
    decides = name in suite_of(snapshot.params).deciding(snapshot.params)
    return Seen(name, found, sums["requests"], sums["cost_usd"], served, decides)
