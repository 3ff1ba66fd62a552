"""The tables that the stages exchange: atomic writing, reading, content hashes.

Each table is a folder of ``part-*.parquet``. Files are written to a temporary file in the same
folder, synced and renamed, so a file that is there is whole. The schemas of
:mod:`lvlmbench.tables.schemas` are to be had here, too.
"""

from __future__ import annotations

import errno
import hashlib
import os
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lvlmbench.core.errors import UserError
from lvlmbench.tables import rules as table_rules
from lvlmbench.tables.layouts import LAYOUTS
from lvlmbench.tables.layouts import RULES as _LAYOUT_RULES
from lvlmbench.tables.schemas import (
    ANSWERS,
    ATTEMPTS,
    ATTRIBUTES,
    COMPARISONS,
    CONSENSUS,
    IMAGES,
    METRICS,
    QUESTIONS,
    REFERENCE_SCENES,
    SCENES,
    SCHEMA_VERSION,
    SCORES,
    VERDICTS,
)

__all__ = [
    "ANSWERS",
    "ATTEMPTS",
    "ATTRIBUTES",
    "COMPARISONS",
    "CONSENSUS",
    "IMAGES",
    "LAYOUTS",
    "METRICS",
    "PICTURES_ROW_GROUP",
    "QUESTIONS",
    "REFERENCE_SCENES",
    "ROW_GROUP",
    "SCENES",
    "SCHEMA_VERSION",
    "SCORES",
    "UNFINISHED",
    "VERDICTS",
    "atomic_bytes",
    "content_hash",
    "open_shard",
    "part_name",
    "read",
    "write",
    "write_rows",
    "writing",
]

#: How the name of a file ends that is still being written: ``.NAME.<32 hex digits>.tmp``.
UNFINISHED = ".tmp"

#: Rows of a row group.
ROW_GROUP = 1 << 16

#: The same in tables with pictures, so that no more of them are held in memory at once.
PICTURES_ROW_GROUP = 32

#: What has to hold of the rows of tables.
_RULES = (
    *((SCENES, table_rules.SCENES), (QUESTIONS, table_rules.QUESTIONS)),
    *((IMAGES, table_rules.IMAGES), (ATTEMPTS, table_rules.ATTEMPTS)),
    *((VERDICTS, table_rules.VERDICTS), (ANSWERS, table_rules.ANSWERS)),
    *((SCORES, table_rules.SCORES), (CONSENSUS, table_rules.CONSENSUS)),
    *((METRICS, table_rules.METRICS), (COMPARISONS, table_rules.COMPARISONS)),
    (REFERENCE_SCENES, table_rules.SCENES),
    (LAYOUTS, _LAYOUT_RULES),
)


def part_name(shard: int) -> str:
    """File name of a shard inside its table's folder."""
    return f"part-{shard:05d}.parquet"


@contextmanager
def _atomic(path: Path) -> Iterator[BinaryIO]:
    """A file to write, so that ``path`` is either absent, as before, or whole."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{uuid.uuid4().hex}{UNFINISHED}")
    try:
        with temporary.open("wb") as f:
            yield f
            f.flush()
            os.fsync(f.fileno())
        temporary.replace(path)
    except OSError as error:
        if error.filename in (None, str(temporary)):  # a full disk names no file by itself
            error.filename, error.filename2 = str(path), None
        raise
    finally:
        temporary.unlink(missing_ok=True)


def atomic_bytes(path: Path, data: bytes) -> None:
    """Write ``data`` so that ``path`` is either absent, as before, or whole."""
    with _atomic(path) as f:
        f.write(data)


@contextmanager
def writing(
    path: Path, schema: pa.Schema, snapshot_id: str, rows: int | None = None
) -> Iterator[Callable[[pa.Table], None]]:
    """Write one shard as its rows come, atomically, as zstd Parquet under the declared ``schema``.

    The block is given a function that takes the next rows. At most ``rows`` of them, a row group,
    are held in memory: by default fewer in tables with pictures. The file is there once the block
    has ended well; an error in it leaves nothing. How the rows were split does not show in the
    file's bytes.

    The schema version and the snapshot id go to the file's metadata. Nothing that varies between
    runs (time, host) does, so that equal rows give equal bytes.
    """
    meta = {"lvlmbench.schema_version": SCHEMA_VERSION, "lvlmbench.snapshot_id": snapshot_id}
    if rows is None:
        rows = PICTURES_ROW_GROUP if "image" in schema.names else ROW_GROUP
    schema = schema.with_metadata(meta)
    held = schema.empty_table()
    with _atomic(path) as f:
        writer = pq.ParquetWriter(f, schema, compression="zstd", write_page_checksum=True)

        def add(table: pa.Table) -> None:
            nonlocal held
            table = table.select(schema.names).cast(schema)
            held = pa.concat_tables([held, table])
            while held.num_rows > rows:
                writer.write_table(held.slice(0, rows).combine_chunks(), row_group_size=rows)
                held = held.slice(rows)

        with writer:
            yield add
            writer.write_table(held.combine_chunks(), row_group_size=rows)


def write(table: pa.Table, path: Path, schema: pa.Schema, snapshot_id: str) -> None:
    """Write one shard at once; see :func:`writing`."""
    with writing(path, schema, snapshot_id) as add:
        add(table)


def write_rows(rows: list[dict[str, object]], path: Path, schema: pa.Schema, snapshot: str) -> None:
    """:func:`write` for rows given as dictionaries."""
    write(pa.Table.from_pylist(rows, schema=schema), path, schema, snapshot)


@contextmanager
def open_shard(path: Path, **options: Any) -> Iterator[pq.ParquetFile]:
    """A shard to read from, its pages held against their checksums; ``options`` as ParquetFile's.

    Raises
    ------
    UserError
        The file is missing, truncated or damaged, as far as the block finds out by reading.
    """
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise UserError(str(path), "is not a file", "delete it and run again")
    try:
        with pq.ParquetFile(path, page_checksum_verification=True, **options) as shard:
            yield shard
    except (OSError, pa.ArrowException) as error:
        if isinstance(error, OSError) and error.errno in (errno.EACCES, errno.EMFILE):
            error.filename = str(path)  # nothing is wrong with the file
            raise
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise UserError(
            str(path),
            f"cannot be read as Parquet ({reason})",
            "delete it and run again, or restore it with 'dvc checkout'",
        ) from None


def _whole(shard: pq.ParquetFile, names: list[str]) -> pa.Table:
    """All rows of a shard; pictures by row groups, as all at once they take up twice the room."""
    if "image" not in names or not shard.num_row_groups:
        return shard.read(columns=names)
    groups = range(shard.num_row_groups)
    return pa.concat_tables([shard.read_row_group(i, columns=names) for i in groups])


def read(
    paths: Path | Sequence[Path],
    schema: pa.Schema,
    columns: list[str] | None = None,
    where: pc.Expression | None = None,
) -> pa.Table:
    """Read a table from its folder or from some of its shards, shards in name order.

    Parameters
    ----------
    columns
        The columns to read; all by default.
    where
        Rows to keep, by the columns that are read.

    Raises
    ------
    UserError
        A file is missing, damaged or not of this schema, or a row breaks a rule of its table.
    """
    rules = next((rules for each, rules in _RULES if each is schema), None)
    files = sorted(paths.glob("part-*.parquet")) if isinstance(paths, Path) else list(paths)
    names = columns if columns is not None else schema.names
    found = [pa.schema([schema.field(name) for name in names]).empty_table()]
    for path in files:
        with open_shard(path) as shard:
            if shard.schema_arrow.remove_metadata() != schema:
                raise UserError(
                    str(path),
                    "has other columns than this version writes",
                    "delete it and run again",
                )
            table = _whole(shard, names).select(names).replace_schema_metadata(None)
        if rules is not None:
            table_rules.check_rows(table, rules, path)
        found.append(table if where is None else table.filter(where))
    return pa.concat_tables(found)


def content_hash(tables: Iterable[pa.Table]) -> str:
    """Hash over rows, whatever shards they lie in: equal rows in equal order, equal hash."""
    h = hashlib.blake2b(digest_size=16)
    for table in tables:
        for row in table.to_pylist():
            h.update(repr(sorted(row.items())).encode())
    return h.hexdigest()
