"""Hold what was made again against what was pinned: bytes, and where they differ, what differs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from lvlmbench.core.amounts import amount
from lvlmbench.core.errors import UserError
from lvlmbench.engine.hashing import files_below
from lvlmbench.tables import open_shard
from lvlmbench.versions.facts import file_facts

_BLOCK = 1 << 20
_ROWS = 256
#: Characters of a value that are shown.
_SHOWN = 60


@dataclass(frozen=True)
class Difference:
    """A file that came out otherwise.

    Attributes
    ----------
    path
        In the project.
    what
        In words: the first row and column, or byte, that differs.
    rows_equal
        A table whose rows are equal nevertheless.
    """

    path: str
    what: str
    rows_equal: bool = False


def compare(made: Path, pinned: Path, outs: Sequence[str]) -> list[Difference]:
    """How the outs below the folder ``made`` differ from those below ``pinned``."""
    found = []
    for out in outs:
        names = {root: set(files_below(root / out)) for root in (made, pinned)}
        for name in sorted(names[made] | names[pinned]):
            path = out if name == "." else f"{out}/{name}"
            if name not in names[made]:
                found.append(Difference(path, "was not made again"))
            elif name not in names[pinned]:
                found.append(Difference(path, "was made beside the pinned files"))
            elif file_facts(made / path) != file_facts(pinned / path):
                found.append(_difference(made / path, pinned / path, path))
    return found


def _difference(made: Path, pinned: Path, path: str) -> Difference:
    if path.endswith(".parquet"):
        try:
            words = first_row(made, pinned)
        except UserError as error:
            return Difference(path, error.what)
        if words is not None:
            return Difference(path, words)
        return Difference(path, f"equal rows in other bytes, {first_byte(made, pinned)}", True)
    return Difference(path, first_byte(made, pinned))


def first_byte(made: Path, pinned: Path) -> str:
    """The first byte of two different files that differs, in words."""
    at = 0
    with made.open("rb") as a, pinned.open("rb") as b:
        while True:
            blocks = a.read(_BLOCK), b.read(_BLOCK)
            if blocks[0] != blocks[1]:
                pairs = enumerate(zip(*blocks, strict=False))
                near = next((i for i, (x, y) in pairs if x != y), min(map(len, blocks)))
                return f"from byte {at + near + 1:,} on"
            if not blocks[0]:
                return "nowhere"
            at += len(blocks[0])


def first_row(made: Path, pinned: Path) -> str | None:
    """The first row of two Parquet files that differs, in words; None where all are equal.

    Raises
    ------
    UserError
        One cannot be read.
    """
    with open_shard(made) as a, open_shard(pinned) as b:
        for word, ours, theirs in (("lacks", a, b), ("has", b, a)):
            mine = set(ours.schema_arrow.names)
            if odd := [n for n in theirs.schema_arrow.names if n not in mine]:
                return f"made again, it {word} the column '{odd[0]}'"
        for field in b.schema_arrow:
            if a.schema_arrow.field(field.name).type != field.type:
                return f"the column '{field.name}' is of another type"
        columns, row = b.schema_arrow.names, 0
        pairs = zip(_batches(a, columns), _batches(b, columns), strict=False)
        for ours, theirs in pairs:
            if not ours.equals(theirs):
                found = _in_batch(ours, theirs, row)
                if found is not None:
                    return found
            row += theirs.num_rows
        counts = a.metadata.num_rows, b.metadata.num_rows
    return (
        None if counts[0] == counts[1] else f"{amount(counts[0], 'row')}, {counts[1]:,} were pinned"
    )


def _batches(shard: Any, columns: list[str]) -> Iterator[pa.Table]:
    """The rows, always so many at once, wherever row groups end."""
    held: pa.Table | None = None
    for batch in shard.iter_batches(batch_size=_ROWS, columns=columns):
        new = pa.Table.from_batches([batch]).replace_schema_metadata(None).select(columns)
        held = new if held is None else pa.concat_tables([held, new])
        while held.num_rows >= _ROWS:
            yield held.slice(0, _ROWS).combine_chunks()
            held = held.slice(_ROWS)
    if held is not None and held.num_rows:
        yield held.combine_chunks()


def _in_batch(made: pa.Table, pinned: pa.Table, before: int) -> str | None:
    """The first difference of two batches; ``before`` rows came before them."""
    for at in range(min(made.num_rows, pinned.num_rows)):
        ours, theirs = made.slice(at, 1).to_pylist()[0], pinned.slice(at, 1).to_pylist()[0]
        for name in theirs:
            if repr(ours[name]) != repr(theirs[name]):  # so that NaN equals NaN
                values = f"{_show(ours[name])}, pinned was {_show(theirs[name])}"
                return f"row {before + at + 1:,}, column '{name}': {values}"
    return None


def _show(value: Any) -> str:
    """A value on one line; of bytes, how many there are."""
    if isinstance(value, dict) and any(isinstance(v, bytes) for v in value.values()):
        value = {k: f"{len(v)} bytes" if isinstance(v, bytes) else v for k, v in value.items()}
    text = ascii(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
