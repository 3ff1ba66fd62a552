"""Compare the tables of two runs row by row: ``same_tables.py BEFORE AFTER [--suite NAME]``.

For runs of one configuration by two versions of the code. Each table of the run before must hold
the same rows in the run after; columns that only the later code knows are left out. Where a table
stood before there were suites (``data/corpus/scenes``, ``data/images/clean``) is known, too. Ends
with 1 where a table differs.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from lvlmbench.core.files import linked_below

#: Folders below data that hold tables; ``scenes`` and ``questions`` once stood in ``corpus``.
FOLDERS = (
    "scenes", "questions", "attempts", "images", "verdicts", "answers", "scores", "consensus",
)  # fmt: skip
#: Tables and figures below results.
FILES = (
    "metrics.parquet", "comparisons.parquet", "agreement.parquet", "hallucination.parquet",
    "dialogue.parquet", "costs.parquet", "metrics.json",
    "vocabulary_audit.csv",
    "validity/correlations.csv", "validity/rankings.csv",
    "validity/distances.csv", "validity/image_sets.csv",
)  # fmt: skip


def places(root: Path, suite: str) -> tuple[Path, Path]:
    """Return the folders of a run's data and results: those of its suite, if it has suites."""
    own = root / "data" / suite
    return (own, root / "results" / suite) if own.is_dir() else (root / "data", root / "results")


def tables(data: Path) -> Iterator[tuple[str, list[Path]]]:
    """Yield the name of each table, such as ``answers/chance/clean``, with its shards."""
    for folder in FOLDERS:
        top = data / "corpus" / folder if (data / "corpus" / folder).is_dir() else data / folder
        for place in sorted(
            {path.parent for path in linked_below(top) if path.suffix == ".parquet"}
        ):
            name = "/".join((folder, *place.relative_to(top).parts))
            yield name, sorted(place.glob("*.parquet"))


def read(shards: list[Path], columns: list[str] | None = None) -> pa.Table:
    """Return the rows of all shards in their order."""
    found = [pq.read_table(path, columns=columns, partitioning=None) for path in shards]
    return pa.concat_tables([table.replace_schema_metadata(None) for table in found])


def difference(before: list[Path], after: list[Path]) -> str:
    """Return how two tables differ in the columns of the first; empty where they do not."""
    old = read(before)
    known = pq.read_schema(after[0]).names
    gone = [name for name in old.column_names if name not in known]
    if gone:
        return f"lacks the columns {', '.join(gone)}"
    new = read(after, old.column_names)
    if len(old) != len(new):
        return f"has {len(new):,} rows, not {len(old):,}"
    other = [name for name in old.column_names if not old[name].equals(new[name])]
    return f"differs in {', '.join(other)}" if other else ""


def compare(before: Path, after: Path, suite: str) -> Iterator[tuple[str, str]]:
    """Yield each table's name, and how it differs."""
    (data, results), (new_data, new_results) = places(before, suite), places(after, suite)
    there = dict(tables(new_data))
    for name, shards in tables(data):
        yield name, difference(shards, there[name]) if name in there else "is missing"
    for name in FILES:
        old, new = results / name, new_results / name
        if not old.is_file():
            continue
        if not new.is_file():
            yield name, "is missing"
        elif old.suffix == ".parquet":
            yield name, difference([old], [new])
        else:
            yield name, "" if old.read_bytes() == new.read_bytes() else "differs"


def main() -> None:
    """Print a line for each table, and how many differ."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--suite", default="dysca")
    args = parser.parse_args()
    found = list(compare(args.before, args.after, args.suite))
    for name, told in found:
        print(f"{name}: {told or 'equal'}")
    differing = sum(bool(told) for _, told in found)
    print(f"{len(found)} tables, {differing} differ")
    sys.exit(bool(differing) or not found)


if __name__ == "__main__":
    main()
