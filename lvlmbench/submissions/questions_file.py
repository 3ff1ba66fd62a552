"""Files of questions for programs that know nothing of this one: JSON lines, CSV or Parquet."""

from __future__ import annotations

import base64
import csv
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, Literal, Protocol, TypeAlias

import pyarrow as pa
import pyarrow.parquet as pq

from lvlmbench.stages.answer.dialogue import Panel, Turn

Form: TypeAlias = Literal["jsonl", "csv", "parquet"]

#: Columns of a file of questions. ``image`` is a file's name, or the image itself; ``turns`` are
#: objects with what was asked and answered before, ``panels`` boxes of the pictures in the image.
COLUMNS = (
    "item_id", "scenario", "question_id", "image_id", "subtask", "question_type", "question",
    "options", "prompt", "image", "image_sha256", "turns", "panels",
)  # fmt: skip

#: Columns that are lists, which CSV has as JSON.
_LISTS = ("options", "turns", "panels")
_TURNS = pa.list_(pa.struct([(name, pa.string()) for name in Turn._fields]))
_PANELS = pa.list_(pa.struct([(name, pa.float64()) for name in Panel._fields]))

#: Rows and bytes of a row group of Parquet, whichever is reached first.
_ROWS, _BYTES = 8192, 1 << 25

Row: TypeAlias = dict[str, object]


class Writer(Protocol):
    """Takes rows with :data:`COLUMNS`; ``image`` may be bytes."""

    def write(self, row: Row) -> None: ...
    def close(self) -> None: ...


def data_url(image: bytes) -> str:
    """A PNG as a data URL (RFC 2397)."""
    return f"data:image/png;base64,{base64.b64encode(image).decode('ascii')}"


class _Jsonl:
    """One JSON object a line, in ASCII: read aright whatever encoding is assumed."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, row: Row) -> None:
        image = row["image"]
        shown = data_url(image) if isinstance(image, bytes) else image
        self._file.write(json.dumps({**row, "image": shown}) + "\n")

    def close(self) -> None:
        self._file.close()


class _Csv:
    """UTF-8, a header, quotes where needed (RFC 4180); lists are JSON."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._rows = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        self._rows.writeheader()

    def write(self, row: Row) -> None:
        lists = {name: json.dumps(row[name], ensure_ascii=False) for name in _LISTS}
        self._rows.writerow({**row, **lists})

    def close(self) -> None:
        self._file.close()


class _Parquet:
    """``image`` is a file's name, or the struct that Hugging Face ``datasets`` decodes."""

    def __init__(self, path: Path, embedded: bool) -> None:
        picture = pa.struct([("bytes", pa.binary()), ("path", pa.string())])
        types = {
            "options": pa.list_(pa.string()),
            "image": picture if embedded else pa.string(),
            "turns": _TURNS,
            "panels": _PANELS,
        }
        self._schema = pa.schema([(name, types.get(name, pa.string())) for name in COLUMNS])
        self._file = pq.ParquetWriter(path, self._schema, compression="zstd")
        self._rows: list[Row] = []
        self._bytes = 0

    def write(self, row: Row) -> None:
        image = row["image"]
        if isinstance(image, bytes):
            row = {**row, "image": {"bytes": image, "path": f"{row['image_sha256']}.png"}}
            self._bytes += len(image)
        self._rows.append(row)
        if len(self._rows) >= _ROWS or self._bytes >= _BYTES:
            self._flush()

    def _flush(self) -> None:
        self._file.write_table(pa.Table.from_pylist(self._rows, schema=self._schema))
        self._rows, self._bytes = [], 0

    def close(self) -> None:
        if self._rows:
            self._flush()
        self._file.close()


class QuestionsFile:
    """Writes one file of questions, synced to disk when the block ends."""

    def __init__(self, path: Path, form: Form, embedded: bool) -> None:
        self._path = path
        make: dict[Form, Callable[[], Writer]] = {
            "jsonl": lambda: _Jsonl(path.open("w", encoding="ascii", newline="")),
            "csv": lambda: _Csv(path.open("w", encoding="utf-8", newline="")),
            "parquet": lambda: _Parquet(path, embedded),
        }
        self._writer = make[form]()

    def __enter__(self) -> Writer:
        return self._writer

    def __exit__(self, *error: object) -> None:
        self._writer.close()
        with self._path.open("rb") as file:
            os.fsync(file.fileno())
