"""The one ledger: what every request to a model took, by the stage of an exam that it served.

Report, metrics.json and figures all show these lines or their sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
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

#: Tables of requests to roles: the role, and the column that names who was asked.
_TABLES = {
    "plan_requests": ("planner", "planner"),
    "image_requests": ("renderer", "model"),
    "attempt_requests": ("validator", "validator"),
    "check_requests": ("validator", "validator"),
    "exam_requests": ("examiner", "examiner"),
    "requests": ("judge", "judge"),
}
#: The stage that a purpose serves, where its role alone does not tell.
_PURPOSES = {
    "general": "guidance", "fine": "guidance", "raw": "guidance",
    "describe_checks": "validation", "eoa": "adjustment",
}  # fmt: skip
#: The stage that a role serves with any other purpose.
_STAGES = {
    "planner": "description", "renderer": "image", "validator": "validation",
    "examiner": "question", "judge": "judge", "model": "answer",
}  # fmt: skip
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
    for role, shard in _shards(params, data):
        for name, purpose in _pairs(shard):
            mine = pc.and_(pc.equal(shard["name"], name), pc.equal(shard["purpose"], purpose))
            key = (_PURPOSES.get(purpose, _STAGES[role]), role, name, purpose)
            found.setdefault(key, Tally(paid)).add(shard.filter(mine))
    order = sorted(found, key=lambda key: (STAGES.index(key[0]), *key[1:]))
    return [dict(zip(tables.COSTS.key, key, strict=True)) | found[key].once for key in order]


def _shards(params: Params, data: Path) -> Iterator[tuple[str, pa.Table]]:
    """All shards of requests, each with the role that was asked."""
    for table, (role, name) in _TABLES.items():
        for path in _parts(data / table):
            yield role, _read(path, tables.TABLES[table], name, role)
    for model in requested(params.answer.models):
        for path in _parts(tables.ANSWERS.folder(data) / model):
            yield "model", _read(path, tables.ANSWERS, "model", "model")


def _read(path: Path, table: tables.Table, name: str, role: str) -> pa.Table:
    """A shard with the columns of a tally, ``name`` and ``purpose``: that of the role where the
    table has none; what the table has no column of is null."""
    found = tables.read([path], table, [c for c in (name, "purpose", *COLUMNS) if c in table.names])
    found = found.rename_columns(["name" if c == name else c for c in found.column_names])
    if "purpose" not in found.column_names:
        found = found.append_column("purpose", pa.repeat(_STAGES[role], len(found)))
    for column in set(COLUMNS).difference(found.column_names):
        found = found.append_column(
            tables.ANSWERS.field(column), pa.nulls(len(found), tables.ANSWERS.field(column).type)
        )
    return found


def _parts(folder: Path) -> list[Path]:
    """The shards below a folder, of which a job is given links."""
    return [path for path in linked_below(folder) if path.match("part-*.parquet")]


def _pairs(shard: pa.Table) -> list[tuple[str, str]]:
    """Who was asked, and what for."""
    pairs = shard.group_by(["name", "purpose"]).aggregate([]).to_pylist()
    return sorted((pair["name"], pair["purpose"]) for pair in pairs)


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
