"""What validators behind endpoints have seen, how far they can be relied on, and what it cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lvlmbench import tables
from lvlmbench.analysis.ledger import of_role, summed
from lvlmbench.analysis.validators import Quality, Row, Validated, validated
from lvlmbench.snapshot.reader import Snapshot

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
class Decision:
    """What a filter that goes by a validator has made of the pictures.

    Attributes
    ----------
    removed, wrongly
        Pictures that it removed, and those of them without a defect, as far as layouts tell.
    kept, faulty
        Pictures that it kept, and those of them with a defect.
    """

    filter: str
    removed: int
    wrongly: int
    kept: int
    faulty: int


@dataclass(frozen=True)
class Seen:
    """One validator.

    Attributes
    ----------
    calls, cost
        Requests; dollars, None where no price is known.
    served
        Models that the server says have answered.
    decisions
        By the filters that go by it.
    """

    name: str
    found: Validated
    calls: int
    cost: float | None
    served: list[str]
    decisions: list[Decision]

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
    by_filter = snapshot.params.filter.deciding
    decisions = [_decision(snapshot, of, rows) for of, by in by_filter.items() if by == name]
    return Seen(name, found, sums["requests"], sums["cost_usd"], served, decisions)


def _decision(snapshot: Snapshot, name: str, rows: Sequence[Row]) -> Decision:
    """What a filter made of pictures, held against their layouts as far as these tell."""
    told = [row for row in rows if not row["planted"] and row["shown_index"] is not None]
    defects = {row["image_id"] for row in told if row["shown_index"] != row["answer_index"]}
    without = {row["image_id"] for row in told} - defects
    read = snapshot.read(tables.VERDICTS, ["image_id", "keep"], filter=name)
    verdicts: list[dict[str, Any]] = read.to_pylist()
    kept = [row["image_id"] for row in verdicts if row["keep"]]
    removed = [row["image_id"] for row in verdicts if not row["keep"]]
    return Decision(
        name, len(removed), len({*removed} & without), len(kept), len({*kept} & defects)
    )
