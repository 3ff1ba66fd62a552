"""Generate docs/data-dictionary.md from the declarations of the tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pyarrow as pa

from lvlmbench.tables import SCENES, SCHEMA_VERSION, TABLES, Column, Table

_INTRODUCTION = """\
# Data dictionary

<!-- Generated from lvlmbench/tables by 'make docs'. Do not edit. -->

Tables are Parquet files. A table is a folder of `part-NNNNN.parquet`, one file a shard; read the
folder as a whole, e.g. `pyarrow.dataset.dataset("{scenes}").to_table()`. `<suite>` is the
name of a suite in params.yaml. The metadata of each file holds the version of the schema
(`lvlmbench.schema_version`, now {version}) and the id of the parameters that it was made with
(`lvlmbench.params_id`); it says nothing of the vocabulary, so that equal rows are equal files.
Times, host names and versions of software are not in the tables but in `results/provenance.json`.
"""


def _type(column: Column) -> str:
    """Type of a column in words."""
    listed = pa.types.is_list(column.type)
    if column.parts:
        return "list of struct" if listed else "struct"
    return f"list of {column.type.value_type}" if listed else str(column.type)


def _rows(columns: tuple[Column, ...], before: str = "") -> Iterator[str]:
    """Rows of a table of columns; parts of a struct are written ``column.part``."""
    for column in columns:
        yield f"| `{before}{column.name}` | {_type(column)} | {column.meaning} |"
        yield from _rows(column.parts, f"{before}{column.name}.")


def _place(table: Table) -> str:
    root = f"{table.root}/<suite>" if table.of_suite else table.root
    path = re.sub(r"\{(\w+)\}", r"<\1>", f"{root}/{table.place}")
    return path if path.endswith(".parquet") else f"{path}/"


def markdown() -> str:
    """Return docs/data-dictionary.md."""
    parts = [_INTRODUCTION.format(version=SCHEMA_VERSION, scenes=_place(SCENES))]
    for table in TABLES.values():
        lines = [f"## {table.name}", "", f"`{_place(table)}` · key: {', '.join(table.key)}", ""]
        lines += [table.what, "", "| column | type | meaning |", "| --- | --- | --- |"]
        parts.append("\n".join([*lines, *_rows(table.columns)]) + "\n")
    return "\n".join(parts)
