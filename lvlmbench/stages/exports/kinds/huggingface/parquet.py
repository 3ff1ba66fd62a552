"""Parquet files that the Hugging Face hub shows and ``datasets`` loads without any script."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from lvlmbench.stages.exports.columns import COLUMNS, PICTURE, SCHEMA, row
from lvlmbench.stages.exports.source import Example

#: A file is ended once it is as large, in bytes: the hub asks for files below 500 MB.
FILE_BYTES = 450_000_000

#: Rows, and bytes of distinct pictures, of a row group, whichever is reached first: what a viewer
#: reads to show one row. So much is held in memory.
GROUP_ROWS, GROUP_BYTES = 100, 1 << 25

#: Arrow types by the names that ``datasets`` has for them.
_DTYPES = {pa.string(): "string", pa.bool_(): "bool", pa.float64(): "float64"}


def _dtype(type_: pa.DataType) -> str:
    return _DTYPES.get(type_) or str(type_)


def features() -> dict[str, Any]:
    """Features as ``datasets`` reads them from the metadata of an Arrow schema."""
    found: dict[str, Any] = {}
    for column in COLUMNS:
        if column.type == PICTURE:
            found[column.name] = {"_type": "Image"}
        elif pa.types.is_list(column.type):
            item = {"dtype": _dtype(column.type.value_type), "_type": "Value"}
            found[column.name] = {"feature": item, "_type": "Sequence"}
        else:
            found[column.name] = {"dtype": _dtype(column.type), "_type": "Value"}
    return found


def card_features() -> list[dict[str, str]]:
    """The same as they stand in the head of a dataset card."""
    found = []
    for column in COLUMNS:
        if column.type == PICTURE:
            found.append({"name": column.name, "dtype": "image"})
        elif pa.types.is_list(column.type):
            found.append({"name": column.name, "sequence": _dtype(column.type.value_type)})
        else:
            found.append({"name": column.name, "dtype": _dtype(column.type)})
    return found


def _schema() -> pa.Schema:
    info = {"info": {"features": features()}}
    return SCHEMA.with_metadata({"huggingface": json.dumps(info)})


@dataclass(frozen=True)
class Split:
    """A scenario as it was written: its files, rows, and bytes once loaded."""

    scenario: str
    files: tuple[Path, ...]
    rows: int
    loaded_bytes: int

    @property
    def name(self) -> str:
        """Name of the split: see :func:`split_name`."""
        return split_name(self.scenario)


def split_name(scenario: str) -> str:
    """The scenario as a split: ``datasets`` takes letters, digits and '_' alone."""
    return re.sub(r"\W", "_", scenario)


def files_of(manifest: Mapping[str, Any], scenario: str) -> list[dict[str, Any]]:
    """Files of a scenario in the manifest of the Hugging Face form, in the order of their rows."""
    name = re.compile(rf"data/{re.escape(scenario)}-\d{{5}}-of-\d{{5}}\.parquet")
    return [file for file in manifest["files"] if name.fullmatch(file["path"])]


class _File:
    """A file as its rows come."""

    def __init__(self, path: Path) -> None:
        self._sink = path.open("wb")
        # The questions about one image stand together: a dictionary that holds a whole row group
        # stores its picture once.
        self._writer = pq.ParquetWriter(
            self._sink,
            _schema(),
            compression="zstd",
            dictionary_pagesize_limit=GROUP_BYTES * 4,
            write_page_checksum=True,
            write_page_index=True,
        )
        self._rows: list[dict[str, Any]] = []
        self._pictures: dict[str, int] = {}
        self.loaded_bytes = 0

    def add(self, example: Example) -> None:
        self._rows.append(row(example))
        self._pictures[example.image_sha256] = len(example.image)
        if len(self._rows) >= GROUP_ROWS or sum(self._pictures.values()) >= GROUP_BYTES:
            self._flush()

    def _flush(self) -> None:
        if self._rows:
            table = pa.Table.from_pylist(self._rows, schema=_schema())
            self.loaded_bytes += table.nbytes
            self._writer.write_table(table)
        self._rows, self._pictures = [], {}

    @property
    def full(self) -> bool:
        """Whether the row groups written so far are enough."""
        return not self._rows and self._sink.tell() >= FILE_BYTES

    def close(self) -> None:
        self._flush()
        self._writer.close()
        self._sink.flush()
        os.fsync(self._sink.fileno())
        self._sink.close()


def write_split(examples: Iterable[Example], folder: Path, scenario: str) -> Split:
    """Write examples to ``SCENARIO-00000-of-0000N.parquet`` in ``folder``, at least one file.

    Equal examples give equal bytes, however the snapshot's own tables are split.
    """
    folder.mkdir(parents=True, exist_ok=True)
    unnamed: list[Path] = []
    rows = loaded = 0
    file: _File | None = None

    def begin() -> _File:
        unnamed.append(folder / f"{scenario}-{len(unnamed):05d}.parquet")
        return _File(unnamed[-1])

    for example in examples:
        file = file or begin()
        file.add(example)
        rows += 1
        if file.full:
            file.close()
            loaded += file.loaded_bytes
            file = None
    if file is not None or not unnamed:  # a split without rows has its columns all the same
        file = file or begin()
        file.close()
        loaded += file.loaded_bytes
    files = []
    for i, path in enumerate(unnamed):
        name = f"{scenario}-{i:05d}-of-{len(unnamed):05d}.parquet"
        files.append(path.rename(path.with_name(name)))
    return Split(scenario, tuple(files), rows, loaded)
