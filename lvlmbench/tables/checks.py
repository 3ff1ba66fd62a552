"""Hold the rows of a table against its declaration, beyond the types of their columns.

Every file is checked when it is read. So what another program wrote, or an edited file, ends in one
line that names the row, and not in a wrong number.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.core.errors import UserError, first_line
from lvlmbench.tables.declaration import Column, Table

_SEE = "docs/data-dictionary.md tells what a row must hold"
_FIX = "delete it and run again, or restore it with 'dvc checkout'"


def first_row(mask: pa.ChunkedArray | pa.Array) -> int:
    """Return the number of the first row for which ``mask`` is true, from 1; 0 for none."""
    return int(pc.index(mask, pa.scalar(True)).as_py()) + 1


def check_rows(rows: pa.Table, table: Table, path: Path) -> None:
    """Hold the rows of one file against the rules, as far as their columns were read.

    Raises
    ------
    UserError
        The first row that breaks one, by its number.
    """
    for row, what in _broken(rows, table):
        if row:
            raise UserError(f"{path}: row {row}", what, _FIX)


def check_made(rows: object, table: Table, maker: str) -> pa.Table:
    """Hold what the code of a kind has made against the table that it is to be; returns the rows.

    Parameters
    ----------
    maker
        Whose code it is, with its place.

    Raises
    ------
    UserError
        It is no such table, or a row breaks a rule: the first one, by its number.
    """
    if not isinstance(rows, pa.Table):
        what = f"gives {type(rows).__name__} as {table.name}"
        raise UserError(maker, what, f"return a table of pyarrow; {_SEE}")
    if lacking := [name for name in table.names if name not in rows.column_names]:
        what = f"gives {table.name} without the column {lacking[0]}"
        raise UserError(maker, what, f"add it; {_SEE}")
    try:
        held = rows.select(table.names).cast(table.schema)
    except (pa.ArrowException, ValueError) as error:
        raise UserError(maker, f"gives odd {table.name} ({first_line(error)})", _SEE) from None
    for row, what in _broken(held, table):
        if row:
            raise UserError(f"{maker}: {table.name}: row {row}", what, _SEE)
    return held


def _broken(rows: pa.Table, table: Table) -> Iterator[tuple[int, str]]:
    read = [column for column in table.columns if column.name in {*rows.column_names}]
    for column in read:
        if column.filled and rows[column.name].null_count:
            yield first_row(pc.is_null(rows[column.name])), f"has no {column.name}"
    for column in read:
        yield from _values(rows[column.name], column)
    if table.once and {*rows.column_names}.issuperset(table.key) and len(rows):
        yield _twice(rows, table.key), f"stands there twice, by its {' and '.join(table.key)}"
    for rule in table.rules:
        yield from rule(rows)


def _values(values: pa.ChunkedArray, column: Column) -> Iterator[tuple[int, str]]:
    """Values that are none of the column's words, or out of its range."""
    if column.words:
        known = pc.is_in(values, value_set=pa.array(column.words))
        row = first_row(pc.invert(pc.or_(known, pc.is_null(values))))
        if row:
            yield row, f"has the {column.name} '{values[row - 1]}', of which nothing is known"
    if column.between is not None:
        low, high = column.between
        row = first_row(pc.fill_null(pc.or_(pc.less(values, low), pc.greater(values, high)), False))
        if row:
            yield row, f"has the {column.name} {values[row - 1]}, not one from {low:g} to {high:g}"


def _twice(rows: pa.Table, names: tuple[str, ...]) -> int:
    """Number of the first row that stands in the table before, from 1; 0 where there is none."""
    texts = [pc.fill_null(rows[name].cast(pa.string()), "") for name in names]
    key = pc.binary_join_element_wise(*texts, "\x1f") if len(texts) > 1 else texts[0]
    if pc.count_distinct(key).as_py() == len(rows):
        return 0
    seen: set[object] = set()
    for row, value in enumerate(key.to_pylist(), 1):
        if value in seen:
            return row
        seen.add(value)
    return 0
