"""Write and read tables: folders of ``part-*.parquet``, each file whole or absent.

What a reader is given was checked: pages against their checksums, columns and rows against the
table's declaration.
"""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from lvlmbench.core.errors import UserError, first_line
from lvlmbench.core.files import atomic
from lvlmbench.tables.checks import check_rows
from lvlmbench.tables.declaration import Table

SCHEMA_VERSION = "18"

#: Rows of a row group.
ROW_GROUP = 1 << 16

#: The same in tables with pictures, so that no more of them are held in memory at once.
PICTURES_ROW_GROUP = 32


def part_name(shard: int) -> str:
    """File name of a shard inside its table's folder."""
    return f"part-{shard:05d}.parquet"


@contextmanager
def writing(
    path: Path, table: Table, made_with: str, rows: int | None = None
) -> Iterator[Callable[[pa.Table], None]]:
    """Write one shard of ``table`` as its rows come, atomically, as zstd Parquet.

    The block is given a function that takes the next rows. At most ``rows`` of them, a row group,
    are held in memory: by default fewer in tables with pictures. The file is there once the block
    has ended well; an error in it leaves nothing. How the rows were split does not show in the
    file's bytes.

    The schema version and the id of the parameters (``made_with``) go to the file's metadata.
    Nothing that varies between runs (time, host) does, so that equal rows give equal bytes.
    """
    meta = {"lvlmbench.schema_version": SCHEMA_VERSION, "lvlmbench.params_id": made_with}
    if rows is None:
        rows = PICTURES_ROW_GROUP if "image" in table.names else ROW_GROUP
    schema = table.schema.with_metadata(meta)
    held = schema.empty_table()
    with atomic(path) as f:
        writer = pq.ParquetWriter(f, schema, compression="zstd", write_page_checksum=True)

        def add(more: pa.Table) -> None:
            nonlocal held
            held = pa.concat_tables([held, more.select(schema.names).cast(schema)])
            while held.num_rows > rows:
                writer.write_table(held.slice(0, rows).combine_chunks(), row_group_size=rows)
                held = held.slice(rows)

        with writer:
            yield add
            writer.write_table(held.combine_chunks(), row_group_size=rows)


def write(rows: pa.Table, path: Path, table: Table, made_with: str) -> None:
    """Write one shard at once; see :func:`writing`."""
    with writing(path, table, made_with) as add:
        add(rows)


def write_rows(
    rows: Sequence[Mapping[str, object]], path: Path, table: Table, made_with: str
) -> None:
    """Write rows given as dictionaries; see :func:`writing`."""
    write(table.of(rows), path, table, made_with)


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
        reason = first_line(error)
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
    table: Table,
    columns: Sequence[str] | None = None,
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
        A file is missing, damaged or not of this table, or a row breaks a rule of it.
    """
    files = sorted(paths.glob("part-*.parquet")) if isinstance(paths, Path) else list(paths)
    names = table.names if columns is None else list(columns)
    found = [table.empty_table(names)]
    for path in files:
        with open_shard(path) as shard:
            if shard.schema_arrow.remove_metadata() != table.schema:
                raise UserError(
                    str(path),
                    "has other columns than this version writes",
                    "delete it and run again",
                )
            rows = _whole(shard, names).select(names).replace_schema_metadata(None)
        check_rows(rows, table, path)
        found.append(rows if where is None else rows.filter(where))
    return pa.concat_tables(found)
