"""The script that compares two runs finds what differs, and nothing else."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "same_tables.py"
ROWS = [{"id": f"s{n}", "label": n % 3} for n in range(5)]


def write(root: Path, place: str, rows: list[dict[str, object]], shard: int = 3) -> None:
    folder = root / place
    folder.mkdir(parents=True)
    for start in range(0, len(rows), shard):
        table = pa.Table.from_pylist(rows[start : start + shard])
        pq.write_table(table, folder / f"part-{start:05}.parquet")


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Path, Path]:
    """A run of before there were suites, and one since: more columns, other shards."""
    old, new = tmp_path / "old", tmp_path / "new"
    write(old, "data/corpus/scenes", ROWS)
    write(old, "data/images/clean", ROWS)
    write(new, "data/dysca/scenes", [row | {"graph": "{}"} for row in ROWS], shard=5)
    write(new, "data/dysca/images/clean", ROWS)
    for root, place in ((old, "results"), (new, "results/dysca")):
        (root / place).mkdir(parents=True)
        (root / place / "metrics.json").write_text('{"total": 1}')
    return old, new


def compared(old: Path, new: Path) -> tuple[int, str]:
    done = subprocess.run(
        [sys.executable, SCRIPT, old, new], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout


def test_equal_rows_are_equal_whatever_the_place_and_the_shards(runs: tuple[Path, Path]) -> None:
    code, said = compared(*runs)
    assert said.splitlines() == [
        "scenes: equal", "images/clean: equal", "metrics.json: equal", "3 tables, 0 differ",
    ]  # fmt: skip
    assert code == 0


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        ([*ROWS[:4], ROWS[4] | {"label": 7}], "images/clean: differs in label"),
        (ROWS[::-1], "images/clean: differs in id, label"),
        (ROWS[:4], "images/clean: has 4 rows, not 5"),
        ([{"id": row["id"]} for row in ROWS], "images/clean: lacks the columns label"),
    ],
)
def test_a_difference_is_told(
    runs: tuple[Path, Path], rows: list[dict[str, object]], told: str
) -> None:
    old, new = runs
    for path in (new / "data/dysca/images/clean").iterdir():
        path.unlink()
    (new / "data/dysca/images/clean").rmdir()
    write(new, "data/dysca/images/clean", rows)
    (new / "results/dysca/metrics.json").unlink()
    code, said = compared(old, new)
    assert told in said.splitlines()
    assert "metrics.json: is missing" in said.splitlines()
    assert (code, said.splitlines()[-1]) == (1, "3 tables, 2 differ")


def test_two_empty_folders_are_not_the_same(tmp_path: Path) -> None:
    assert compared(tmp_path, tmp_path) == (1, "0 tables, 0 differ\n")
