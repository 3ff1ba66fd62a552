"""Where the pictures of a set lie, and how those that were drawn are read: a few at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import pyarrow as pa
import pyarrow.parquet as pq

from lvlmbench.core.errors import UserError, first_line

#: Rows with pictures that are held at once.
_ROWS = 32
#: Files that count as pictures in a folder.
SUFFIXES = frozenset(
    (".bmp", ".gif", ".jpeg", ".jpg", ".png", ".ppm", ".tif", ".tiff", ".webp")
)  # fmt: skip


class Pictures(Protocol):
    """Picture files in a fixed order, numbered from 0."""

    def __len__(self) -> int:
        """How many there are."""
        ...

    def read(self, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """Return the files of some numbers, which ascend; no bytes where there is none.

        Raises
        ------
        UserError
            What holds them is damaged.
        """
        ...


@dataclass(frozen=True)
class Files:
    """Picture files of a folder."""

    paths: Sequence[Path]

    def __len__(self) -> int:
        return len(self.paths)

    def read(self, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """See :class:`Pictures`; a file that cannot be opened has no bytes."""
        for number in numbers:
            try:
                yield number, self.paths[number].read_bytes()
            except OSError:
                yield number, b""


def _bytes_of(value: Any) -> bytes:
    """The file in a row: bytes themselves, or in the struct that ``datasets`` writes."""
    held = value.get("bytes") if isinstance(value, dict) else value
    return held if isinstance(held, bytes) else b""


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, pa.ArrowException) as error:
        reason = first_line(error)
        fix = "restore the file or take it away"
        raise UserError(str(path), f"cannot be read ({reason})", fix) from None


def picture_column(schema: pa.Schema, where: str) -> str:
    """Return the column that holds pictures: binary, or a struct with binary ``bytes``.

    Raises
    ------
    UserError
        There is none, or there are several of which none is called ``image``.
    """

    def binary(kind: pa.DataType) -> bool:
        return bool(pa.types.is_binary(kind) or pa.types.is_large_binary(kind))

    def fits(kind: pa.DataType) -> bool:
        if pa.types.is_struct(kind):
            at = kind.get_field_index("bytes")
            return at >= 0 and binary(kind.field(at).type)
        return binary(kind)

    found = [f.name for f in schema if fits(f.type)]
    if "image" in found:
        return "image"
    if len(found) == 1:
        return str(found[0])
    if not found:
        fix = "give one with a binary column, or a struct with 'bytes', as datasets writes it"
        raise UserError(where, "has no column with pictures", fix)
    raise UserError(
        where,
        f"has several columns that may hold pictures: {', '.join(map(repr, found))}",
        "call the one that is meant 'image'",
    )


class _Rows:
    """Pictures in a column of files, row after row; files without a wanted row are not read."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._files: list[tuple[Path, int, str]] = []
        for path in paths:
            with _reading(path):
                count, schema = self._head(path)
            self._files.append((path, count, picture_column(schema, str(path))))

    def __len__(self) -> int:
        return sum(count for _, count, _ in self._files)

    def read(self, numbers: Sequence[int]) -> Iterator[tuple[int, bytes]]:
        """See :class:`Pictures`."""
        start, wanted = 0, set(numbers)
        for path, count, column in self._files:
            if not wanted.isdisjoint(range(start, start + count)):
                with _reading(path):
                    yield from self._of_file(path, column, start, wanted)
            start += count

    @staticmethod
    def _head(path: Path) -> tuple[int, pa.Schema]:
        """Return the number of rows, and the schema."""
        raise NotImplementedError

    @staticmethod
    def _of_file(path: Path, column: str, at: int, wanted: set[int]) -> Iterator[tuple[int, bytes]]:
        """Yield the pictures that are wanted of a file whose first row is number ``at``."""
        raise NotImplementedError


class ParquetRows(_Rows):
    """Parquet files; row groups without a wanted row are not read."""

    @staticmethod
    def _head(path: Path) -> tuple[int, pa.Schema]:
        with pq.ParquetFile(path) as file:
            return file.metadata.num_rows, file.schema_arrow

    @staticmethod
    def _of_file(path: Path, column: str, at: int, wanted: set[int]) -> Iterator[tuple[int, bytes]]:
        with pq.ParquetFile(path, pre_buffer=False) as file:
            for group in range(file.num_row_groups):
                end = at + file.metadata.row_group(group).num_rows
                if not wanted.isdisjoint(range(at, end)):
                    batches = file.iter_batches(_ROWS, row_groups=[group], columns=[column])
                    values = (value for batch in batches for value in batch.column(0))
                    for number, value in enumerate(values, at):
                        if number in wanted:
                            yield number, _bytes_of(value.as_py())
                at = end


class ArrowRows(_Rows):
    """Arrow streams, as ``datasets.save_to_disk`` writes them; mapped into memory, not loaded."""

    @staticmethod
    def _head(path: Path) -> tuple[int, pa.Schema]:
        with pa.memory_map(str(path)) as file, pa.ipc.open_stream(file) as stream:
            return sum(batch.num_rows for batch in stream), stream.schema

    @staticmethod
    def _of_file(path: Path, column: str, at: int, wanted: set[int]) -> Iterator[tuple[int, bytes]]:
        with pa.memory_map(str(path)) as file, pa.ipc.open_stream(file) as stream:
            for batch in stream:
                for value in batch.column(column):
                    if at in wanted:
                        yield at, _bytes_of(value.as_py())
                    at += 1
