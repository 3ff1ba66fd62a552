"""The columns of what the stage ``validity`` writes, and how other stages read it."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.csv

from lvlmbench.core.errors import UserError

_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()

#: File name -> its columns.
COLUMNS: dict[str, pa.Schema] = {
    # Rank correlations of our ranking with that of each benchmark; ``styles``: all or realistic,
    # ``measure``: what both sides have, ``made``: how theirs came about, where it is not as
    # printed; ``basis``: whole, or tasks that both have, whose subtasks and types are listed;
    # ``left_out``: models that lack one of them; ``why_not``: where there is no number.
    "correlations.csv": pa.schema(
        {
            "benchmark": _TEXT, "measure": _TEXT, "made": _TEXT, "styles": _TEXT, "basis": _TEXT,
            "models": _COUNT, "left_out": _COUNT, "subtasks": _TEXT, "types": _TEXT,
            "spearman": _NUMBER, "spearman_low": _NUMBER, "spearman_high": _NUMBER,
            "kendall": _NUMBER, "kendall_low": _NUMBER, "kendall_high": _NUMBER,
            "spearman_p": _NUMBER, "kendall_p": _NUMBER, "why_not": _TEXT,
        }
    ),
    # The models in common that they rest on.
    "rankings.csv": pa.schema(
        {
            "benchmark": _TEXT, "styles": _TEXT, "basis": _TEXT, "model": _TEXT,
            "their_name": _TEXT,
            "ours": _NUMBER, "theirs": _NUMBER, "our_rank": _NUMBER, "their_rank": _NUMBER,
        }
    ),
    # Squared KMMD of each pair of image sets, with its interval where both were alike.
    "distances.csv": pa.schema(
        {
            "a": _TEXT, "b": _TEXT, "mmd2": _NUMBER, "null_low": _NUMBER, "null_high": _NUMBER,
            "p": _NUMBER, "bandwidth": _NUMBER, "n_a": _COUNT, "n_b": _COUNT,
        }
    ),
    # ``own``: part of this snapshot; else given by the user.
    "image_sets.csv": pa.schema(
        {
            "name": _TEXT, "label": _TEXT, "own": pa.bool_(), "images": _COUNT, "used": _COUNT,
            "skipped": _COUNT,
        }
    ),
}  # fmt: skip


def encode(name: str, table: pa.Table) -> bytes:
    """Return one of the files.

    Raises
    ------
    ValueError
        The table has other columns.
    """
    if not table.schema.equals(COLUMNS[name]):
        raise ValueError(f"{name}: {table.schema}")
    sink = pa.BufferOutputStream()
    pa.csv.write_csv(table, sink, pa.csv.WriteOptions(quoting_style="needed"))
    return bytes(sink.getvalue().to_pybytes())


def read(folder: Path, name: str) -> pa.Table:
    """Return one of the files below results/<suite>/validity.

    Raises
    ------
    UserError
        It is missing, or has other columns.
    """
    schema, path = COLUMNS[name], folder / name
    options = pa.csv.ConvertOptions(column_types=schema, strings_can_be_null=False)
    parsing = pa.csv.ParseOptions(newlines_in_values=True)  # names of files may have them
    try:
        table = pa.csv.read_csv(path, parse_options=parsing, convert_options=options)
    except (OSError, pa.ArrowInvalid):
        table = None
    if table is None or table.column_names != schema.names:
        raise UserError(str(path), "is missing or damaged", "run the stage 'validity' again")
    return table.cast(schema)
