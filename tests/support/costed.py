"""What a snapshot of a test's own has so that the report finds the ledger of its requests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.config import validate
from lvlmbench.stages.metrics.metrics import write_costs


def ledger_of(
    folder: Path, table: tables.Table, name: str, rows: Iterable[Mapping[str, Any]]
) -> dict[str, Callable[..., Path]]:
    """Write the ledger of some requests below a folder; returns what a snapshot finds it by."""
    place = folder / "data" / table.path() / name / tables.part_name(0)
    tables.write_rows(list(rows), place, table, "s")
    out = folder / "costs.parquet"
    write_costs(validate({}), folder / "data", out)
    return {"folder": lambda table: out, "needed": lambda path: path}
