"""What a table is: columns with type, rule and meaning; a key; a place. All said in one object.

The Arrow schema, the checks of :mod:`lvlmbench.tables.checks` and docs/data-dictionary.md derive
from it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import pyarrow as pa

#: Root of the tables of a snapshot, and of what is computed from them.
DATA, RESULTS = "data", "results"

STRING = pa.string()
BOOL = pa.bool_()
INT8, INT16, INT32, INT64 = pa.int8(), pa.int16(), pa.int32(), pa.int64()
FLOAT = pa.float64()
STRINGS = pa.list_(pa.string())
INT8S = pa.list_(pa.int8())

#: A rule over several columns: row (from 1, 0 for none) and what is wrong with it, in words.
RowRule: TypeAlias = Callable[[pa.Table], Iterator[tuple[int, str]]]


@dataclass(frozen=True)
class Column:
    """One column, or one part of a struct.

    Attributes
    ----------
    meaning
        For people who read a snapshot.
    filled
        Whether it holds no null. (Arrow's own mark for this is not used: all fields are nullable.)
    words
        The values that it may have; any where there are none. Null is let through.
    between
        Least and largest value. Null and NaN are let through.
    parts
        Of a struct.
    """

    name: str
    type: pa.DataType
    meaning: str
    filled: bool = False
    words: tuple[str, ...] = ()
    between: tuple[float, float] | None = None
    parts: tuple[Column, ...] = ()


def struct(name: str, meaning: str, *parts: Column) -> Column:
    """A column that is a struct of others."""
    return Column(name, pa.struct([(p.name, p.type) for p in parts]), meaning, parts=parts)


def structs(name: str, meaning: str, *parts: Column) -> Column:
    """A column that is a list of structs of others."""
    return Column(name, pa.list_(struct(name, meaning, *parts).type), meaning, parts=parts)


def picture(name: str, meaning: str, bytes_meaning: str, path_meaning: str) -> Column:
    """A column of pictures, as Hugging Face ``datasets`` decodes them."""
    return struct(
        name,
        meaning,
        Column("bytes", pa.binary(), bytes_meaning),
        Column("path", STRING, path_meaning),
    )


@dataclass(frozen=True)
class Table:
    """One table.

    Attributes
    ----------
    what
        What a row is.
    place
        Folder of its shards below :attr:`root`, with names in braces; or its one file.
    key
        Columns that together name a row.
    rules
        What must hold across columns.
    root
        Folder that all its places are below.
    of_suite
        Whether each suite has its own, in a folder of its name.
    once
        Whether a file is refused two rows of which agree in the key.
    """

    name: str
    what: str
    place: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    rules: tuple[RowRule, ...] = ()
    root: str = DATA
    of_suite: bool = True
    once: bool = True

    @cached_property
    def schema(self) -> pa.Schema:
        """The Arrow schema."""
        return pa.schema([(column.name, column.type) for column in self.columns])

    @property
    def names(self) -> list[str]:
        """Names of the columns."""
        return [column.name for column in self.columns]

    def field(self, name: str) -> pa.Field:
        """The Arrow field of a column."""
        return self.schema.field(name)

    def filled_up(self, columns: Mapping[str, pa.Array]) -> pa.Table:
        """Return columns of the same length as a table; those that are not given are null."""
        n = len(next(iter(columns.values())))
        arrays = [
            columns[field.name] if field.name in columns else pa.nulls(n, field.type)
            for field in self.schema
        ]
        return pa.table(arrays, schema=self.schema)

    def of(self, rows: Iterable[Mapping[str, Any]]) -> pa.Table:
        """Rows given as dictionaries, as Arrow; what a row lacks is null."""
        return pa.Table.from_pylist(list(rows), schema=self.schema)

    def empty_table(self, columns: Iterable[str] | None = None) -> pa.Table:
        """No rows, with all columns or some."""
        names = self.names if columns is None else columns
        return pa.schema([self.schema.field(name) for name in names]).empty_table()

    def path(self, **names: str) -> str:
        """Path of its folder or file below :attr:`root`; ``names`` fill the braces.

        Without names it is the folder below which all its shards are.
        """
        return self.place.format(**names) if names else self.place.split("/{")[0]

    def folder(self, root: Path, **names: str) -> Path:
        """The same below the folder ``root``."""
        return root / self.path(**names)

    def shards(self, root: Path, **names: str) -> list[Path]:
        """Shards that are there, in their order."""
        return sorted(self.folder(root, **names).glob("part-*.parquet"))
