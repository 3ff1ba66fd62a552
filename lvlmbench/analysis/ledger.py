"""The one ledger: what every request to a model took, by the stage of an exam that it served.

Report, metrics.json and figures all show these lines or their sums.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.spending import COLUMNS, PARTS, Tally
from lvlmbench.config import Params
from lvlmbench.config.models import requested
from lvlmbench.core.files import linked_below
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.tables.costs import STAGES

#: A row of :data:`lvlmbench.tables.COSTS`, or a sum of some.
Row: TypeAlias = Mapping[str, Any]

#: Role -> the table of its requests, and the stage that each purpose serves.
_ROLES: dict[str, tuple[tables.Table, Callable[[str], str]]] = {
    "planner": (
        tables.PLAN_REQUESTS,
        lambda purpose: "description" if purpose.startswith("describe") else "guidance",
    ),
    "validator": (tables.CHECK_REQUESTS, lambda purpose: "validation"),
    "examiner": (
        tables.EXAM_REQUESTS,
        lambda purpose: "adjustment" if purpose == "eoa" else "question",
    ),
    "judge": (tables.REQUESTS, lambda purpose: "judge"),
}
_COUNTS = ("requests", "failed", "unpriced")
#: What is null where nothing tells it, and how many whole parts one of it is added up in.
_TOLD = {"prompt_tokens": 1, "completion_tokens": 1, "cost_usd": PARTS, "seconds": PARTS}


def ledger(params: Params, data: Path) -> list[dict[str, Any]]:
    """Return the rows of :data:`lvlmbench.tables.COSTS`, by stage.

    Parameters
    ----------
    data
        Folder of the suite's tables, which may be links.

    Raises
    ------
    UserError
        A table of requests is damaged.
    """
    paid: set[str] = set()
    found: dict[tuple[str, str, str, str], Tally] = {}
    for role, stage, shard in _shards(params, data):
        for name, purpose in _pairs(shard, role):
            mine = pc.and_(pc.equal(shard[role], name), pc.equal(shard["purpose"], purpose))
            key = (stage(purpose), role, name, purpose)
            found.setdefault(key, Tally(paid)).add(shard.filter(mine))
    order = sorted(found, key=lambda key: (STAGES.index(key[0]), *key[1:]))
    return [dict(zip(tables.COSTS.key, key, strict=True)) | found[key].once for key in order]


def _shards(params: Params, data: Path) -> Iterator[tuple[str, Callable[[str], str], pa.Table]]:
    """All shards of requests: the role, the stage that a purpose serves, and the rows."""
    for role, (table, stage) in _ROLES.items():
        for path in _parts(table.folder(data)):
            yield role, stage, tables.read([path], table, [role, "purpose", *COLUMNS])
    for name in requested(params.answer.models):
        for path in _parts(tables.ANSWERS.folder(data) / name):
            shard = tables.read([path], tables.ANSWERS, ["model", *COLUMNS])
            said = pa.repeat("answer", len(shard))
            yield "model", lambda purpose: purpose, shard.append_column("purpose", said)


def _parts(folder: Path) -> list[Path]:
    """The shards below a folder, of which a job is given links."""
    return [path for path in linked_below(folder) if path.match("part-*.parquet")]


def _pairs(shard: pa.Table, role: str) -> list[tuple[str, str]]:
    pairs = shard.select([role, "purpose"]).group_by([role, "purpose"]).aggregate([]).to_pylist()
    return sorted((pair[role], pair["purpose"]) for pair in pairs)


def costs(snapshot: Snapshot) -> list[Row]:
    """Return the ledger of a finished run.

    Raises
    ------
    UserError
        Its table is missing or damaged.
    """
    path = snapshot.needed(snapshot.folder(tables.COSTS))
    return list(tables.read([path], tables.COSTS).to_pylist())


def of_role(snapshot: Snapshot, role: str, name: str) -> list[Row]:
    """Return the lines of one model in one role."""
    return [row for row in costs(snapshot) if (row["role"], row["name"]) == (role, name)]


def summed(rows: Iterable[Row]) -> dict[str, Any]:
    """Return the sums over rows, to the last digit; null where none of them tells."""
    rows = list(rows)
    sums: dict[str, Any] = {name: sum(row[name] for row in rows) for name in _COUNTS}
    for name, parts in _TOLD.items():
        known = [round(row[name] * parts) for row in rows if row[name] is not None]
        sums[name] = (sum(known) / parts if parts > 1 else sum(known)) if known else None
    return sums


def by_stage(rows: Iterable[Row]) -> dict[str, dict[str, Any]]:
    """Return the sums of each stage that took a request, in their order, and those over ``all``."""
    rows = list(rows)
    stages = [stage for stage in STAGES if any(row["stage"] == stage for row in rows)]
    found = {stage: summed(r for r in rows if r["stage"] == stage) for stage in stages}
    return found | ({"all": summed(rows)} if rows else {})
