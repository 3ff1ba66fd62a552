"""Compare tables by what they say: a hash over rows that does not see shards or file formats.

Columns are hashed apart from each other, each as streams of bytes: which values are null, how long
texts and lists are, and the values. So no row becomes a Python object, and where one batch of rows
ends and the next begins does not show.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.core.errors import UserError
from lvlmbench.tables.files import open_shard

#: Rows and bytes that are hashed at once: many rows, as each batch has its price, but few pictures.
_ROWS = 1 << 14
_BYTES = 1 << 24


class RowsHash:
    """A hash over rows that come in batches: equal rows in equal order, equal hash.

    Neither the batches nor the order of the columns count; names and types of columns do.
    """

    def __init__(self) -> None:
        self.rows = 0
        self._streams: dict[str, Any] = {}

    def add(self, table: pa.Table) -> None:
        """Take the next rows."""
        if not table.num_rows:
            return
        self.rows += table.num_rows
        for field in table.schema:
            for chunk in table[field.name].chunks:
                self._column(json.dumps([field.name, str(field.type)]), chunk)

    def hexdigest(self) -> str:
        """32 hexadecimal digits of what was taken so far."""
        streams = {name: stream.hexdigest() for name, stream in self._streams.items()}
        text = json.dumps([self.rows, streams], sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def _update(self, path: str, data: Any) -> None:
        if path not in self._streams:
            self._streams[path] = hashlib.blake2b(digest_size=16)
        self._streams[path].update(data)

    def _column(self, path: str, values: pa.Array) -> None:
        """Hash one column, or one part of it, below ``path``."""
        kind = values.type
        if pa.types.is_dictionary(kind):
            values = values.dictionary_decode()
            kind = values.type
        self._update(f"{path} null", _bytes(pc.is_null(values)))
        if pa.types.is_struct(kind):
            for field, part in zip(kind, values.flatten(), strict=True):
                self._column(f"{path} .{field.name}", part)
        elif pa.types.is_list(kind) or pa.types.is_large_list(kind):
            self._update(f"{path} length", _lengths(pc.list_value_length(values)))
            self._column(f"{path} []", values.flatten())
        elif pa.types.is_string(kind) or pa.types.is_binary(kind):
            self._update(f"{path} length", _lengths(pc.binary_length(values)))
            self._update(f"{path} text", _text(values))
        elif pa.types.is_boolean(kind):
            self._update(f"{path} value", _bytes(pc.fill_null(values, False)))
        elif pa.types.is_integer(kind) or pa.types.is_floating(kind):
            plain = pc.fill_null(values, pa.scalar(0, kind)).to_numpy(zero_copy_only=False)
            self._update(f"{path} value", np.ascontiguousarray(plain).data)
        elif not pa.types.is_null(kind):
            raise TypeError(f"cannot hash {path}, a column of type {kind}")


def _bytes(values: pa.BooleanArray) -> Any:
    """One byte a value."""
    return np.ascontiguousarray(values.to_numpy(zero_copy_only=False).astype(np.uint8)).data


def _lengths(values: pa.Array) -> Any:
    """Eight bytes a value, zero for null."""
    plain = pc.fill_null(values, 0).to_numpy(zero_copy_only=False)
    return np.ascontiguousarray(plain.astype("<i8")).data


def _text(values: pa.Array) -> Any:
    """The bytes of all texts, one after the other; a null may hold none."""
    if values.null_count:
        values = values.drop_null()
    _, offsets, data = values.buffers()
    if data is None or not len(values):
        return b""
    ends = np.frombuffer(offsets, dtype=np.int32)[values.offset : values.offset + len(values) + 1]
    return memoryview(data)[int(ends[0]) : int(ends[-1])]


def hash_batches(batches: Iterable[pa.Table]) -> tuple[str, int]:
    """Hash over rows in whatever batches, and how many rows there are; see :class:`RowsHash`."""
    found = RowsHash()
    held: list[pa.Table] = []
    for batch in batches:
        held.append(batch)
        if sum(t.num_rows for t in held) >= _ROWS or sum(t.nbytes for t in held) >= _BYTES:
            found.add(pa.concat_tables(held).combine_chunks())
            held = []
    if held:
        found.add(pa.concat_tables(held).combine_chunks())
    return found.hexdigest(), found.rows


def hash_folder(folder: Path, without: frozenset[str] = frozenset()) -> tuple[str, int]:
    """Hash over the rows of a table's folder, and how many rows there are.

    Parameters
    ----------
    folder
        Folder of ``part-*.parquet``; the rows count in the order of the file names.
    without
        Columns to leave out, e.g. latencies, which no two runs share.

    Raises
    ------
    UserError
        The folder holds no table, a file is damaged or has other columns than the first one, a
        column to leave out is not there, or one is of a type that our tables do not have.
    """
    files = sorted(folder.glob("part-*.parquet"))
    if not files:
        raise UserError(str(folder), "holds no part-*.parquet", "name the folder of a table")

    def batches() -> Iterator[pa.Table]:
        first: pa.Schema | None = None
        for file in files:
            with open_shard(file) as source:
                names = source.schema_arrow.names
                unknown = sorted(without.difference(names))
                if unknown:
                    raise UserError(
                        str(folder), f"has no column '{unknown[0]}'", f"use: {', '.join(names)}"
                    )
                kept = [name for name in names if name not in without]
                fields = pa.schema([source.schema_arrow.field(name) for name in kept])
                first = first or fields
                if fields != first:
                    what = f"has other columns than {files[0].name}"
                    raise UserError(str(file), what, "name the folder of one table")
                for batch in source.iter_batches(batch_size=1024, columns=kept):
                    yield pa.Table.from_batches([batch])

    try:
        return hash_batches(batches())
    except TypeError as error:
        raise UserError(str(folder), str(error), "leave it out (--without)") from None
