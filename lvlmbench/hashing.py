"""Compare tables by what they say: a hash over rows that does not see shards or file formats."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa

from lvlmbench.errors import UserError
from lvlmbench.tables import content_hash, open_shard


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
        The folder holds no table, a file is damaged, or a column to leave out is not there.
    """
    files = sorted(folder.glob("part-*.parquet"))
    if not files:
        raise UserError(str(folder), "holds no part-*.parquet", "name the folder of a table")
    rows = 0

    def batches() -> Iterator[pa.Table]:
        nonlocal rows
        for file in files:
            with open_shard(file) as source:
                names = source.schema_arrow.names
                unknown = sorted(without.difference(names))
                if unknown:
                    raise UserError(
                        str(folder), f"has no column '{unknown[0]}'", f"use: {', '.join(names)}"
                    )
                kept = [name for name in names if name not in without]
                for batch in source.iter_batches(batch_size=1024, columns=kept):
                    rows += batch.num_rows
                    yield pa.Table.from_batches([batch])

    return content_hash(batches()), rows
