"""Tables: whole or absent, checked when read, compared by content."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.core.guard import as_user_error


def verdict(i: int, **other: Any) -> dict[str, object]:
    row: dict[str, object] = {
        "image_id": f"{i:032x}",
        "scene_id": f"{i:032x}",
        "filter": "integrity",
        "score": i / 7,
        "threshold": None,
        "keep": i % 3 > 0,
        "reason": None if i % 3 else "too dark",
        "note": None if i % 4 else "cut",
    }
    return row | other


ROWS = [verdict(i) for i in range(25)]


def write(path: Path, rows: list[dict[str, object]]) -> None:
    tables.write_rows(rows, path, tables.VERDICTS, "snapshot")


def test_what_is_written_is_read(tmp_path: Path) -> None:
    write(tmp_path / "t" / tables.part_name(0), ROWS[:10])
    write(tmp_path / "t" / tables.part_name(1), ROWS[10:])
    assert tables.read(tmp_path / "t", tables.VERDICTS).to_pylist() == ROWS
    some = tables.read([tmp_path / "t" / tables.part_name(1)], tables.VERDICTS, ["keep"])
    assert some.to_pylist() == [{"keep": row["keep"]} for row in ROWS[10:]]
    assert sorted(p.name for p in (tmp_path / "t").iterdir()) == [
        "part-00000.parquet",
        "part-00001.parquet",
    ]


def test_what_others_give_as_a_table_is_held_against_its_declaration() -> None:
    good = tables.VERDICTS.of(ROWS)
    assert tables.check_made(good, tables.VERDICTS, "mine").equals(good)
    reordered = good.select(list(reversed(tables.VERDICTS.names)))
    assert tables.check_made(reordered, tables.VERDICTS, "mine").equals(good)
    empty = pa.nulls(good.num_rows, pa.string())
    at, last = good.column_names.index("filter"), good.column_names.index("keep")
    for made, told in (
        (None, "mine: gives NoneType as verdicts; return a table of pyarrow; docs/data-dictionary"),
        (good.drop_columns(["keep"]), "mine: gives verdicts without the column keep; add it; docs"),
        (good.set_column(at, "filter", empty), "mine: verdicts: row 1: has no filter; docs/data-"),
        (good.set_column(last, "keep", empty.fill_null("x")), "mine: gives odd verdicts ("),
    ):
        with pytest.raises(UserError) as caught:
            tables.check_made(made, tables.VERDICTS, "mine")
        assert str(caught.value).startswith(told)


def test_pictures_are_held_once_when_they_are_read(tmp_path: Path) -> None:
    size, n = 1 << 16, 200
    pictures = [{"bytes": os.urandom(size), "path": "a.png"} for _ in range(n)]
    about = {"scene_id": "s", "scenario": "clean"}
    rows = [
        {**about, "image_id": f"{i:032x}", "image": picture} for i, picture in enumerate(pictures)
    ]
    table = tables.IMAGES.of(rows)
    tables.write(table, tmp_path / tables.part_name(0), tables.IMAGES, "snapshot")
    code = """
import sys
from pathlib import Path
import pyarrow as pa
from lvlmbench import tables
found = tables.read(Path(sys.argv[1]), tables.IMAGES)
print(found.num_rows, pa.default_memory_pool().max_memory())
"""
    ran = subprocess.run(  # a process of its own, for the most that it ever held
        [sys.executable, "-c", code, str(tmp_path)], check=True, capture_output=True, text=True
    )
    rows_read, most = map(int, ran.stdout.split())
    assert rows_read == n
    assert most < 1.5 * n * size
    assert tables.read(tmp_path, tables.IMAGES).equals(table)


def test_an_absent_table_reads_as_empty(tmp_path: Path) -> None:
    assert tables.read(tmp_path, tables.SCENES).num_rows == 0
    assert tables.read(tmp_path, tables.SCENES, ["style"]).column_names == ["style"]


def test_metadata_names_schema_and_snapshot(tmp_path: Path) -> None:
    write(tmp_path / "a", ROWS)
    meta = pq.read_schema(tmp_path / "a").metadata
    assert meta[b"lvlmbench.params_id"] == b"snapshot"
    assert meta[b"lvlmbench.schema_version"] == tables.SCHEMA_VERSION.encode()


def test_equal_rows_give_equal_bytes_however_they_are_chunked(tmp_path: Path) -> None:
    whole = tables.VERDICTS.of(ROWS)
    chunked = pa.concat_tables([whole.slice(0, 3), whole.slice(3)])
    tables.write(whole, tmp_path / "a", tables.VERDICTS, "s")
    tables.write(chunked.select(chunked.column_names[::-1]), tmp_path / "b", tables.VERDICTS, "s")
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_a_failed_write_leaves_the_old_file_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str
) -> None:
    path = tmp_path / "part"
    write(path, ROWS[:1])
    before = path.read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os if failing == "fsync" else Path, failing, full)
        with pytest.raises(OSError, match="No space left") as caught:
            write(path, ROWS)
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == ["part"]
    line = str(as_user_error(caught.value))
    assert str(path) in line and "free some disk space" in line


@pytest.mark.parametrize("sizes", [[25], [0, 25], [7, 0, 18], [8, 8, 9], [1] * 25])
def test_how_rows_come_does_not_show(tmp_path: Path, sizes: list[int]) -> None:
    """Row groups of 8 rows, whatever pieces the rows come in."""
    whole = tables.VERDICTS.of(ROWS)
    for name, pieces in (("whole", [25]), ("pieces", sizes)):
        with tables.writing(tmp_path / name, tables.VERDICTS, "s", rows=8) as add:
            for end, size in zip(itertools.accumulate(pieces), pieces, strict=True):
                add(whole.slice(end - size, size))
    assert (tmp_path / "pieces").read_bytes() == (tmp_path / "whole").read_bytes()
    written = pq.ParquetFile(tmp_path / "pieces")
    groups = [written.metadata.row_group(i).num_rows for i in range(written.num_row_groups)]
    assert groups == [8, 8, 8, 1]
    assert tables.read([tmp_path / "pieces"], tables.VERDICTS).to_pylist() == ROWS


def test_a_shard_is_absent_until_its_rows_are_all_there(tmp_path: Path) -> None:
    path = tmp_path / "t" / "part"
    table = tables.VERDICTS.of(ROWS)
    with (
        pytest.raises(RuntimeError, match="half way"),
        tables.writing(path, tables.VERDICTS, "s", rows=8) as add,
    ):
        add(table)
        assert not path.exists()
        raise RuntimeError("half way")
    assert list(path.parent.iterdir()) == []


@pytest.mark.parametrize("kept", [0, 3, 100, -1])
def test_a_truncated_file_is_the_users_to_mend(tmp_path: Path, kept: int) -> None:
    path = tmp_path / tables.part_name(0)
    write(path, ROWS)
    path.write_bytes(path.read_bytes()[:kept])
    with pytest.raises(UserError, match=r"part-00000.parquet: cannot be read as Parquet"):
        tables.read(tmp_path, tables.VERDICTS)


def test_a_flipped_bit_is_not_read_as_data(tmp_path: Path) -> None:
    """Any bit of a page's data: compressed bytes are no protection, a checksum is."""
    path = tmp_path / tables.part_name(0)
    write(path, ROWS)
    whole = path.read_bytes()
    column = pq.ParquetFile(path).metadata.row_group(0).column(0)
    last = column.data_page_offset + column.total_compressed_size - 1
    for at in (last, last - 5):
        for bit in range(8):
            damaged = bytearray(whole)
            damaged[at] ^= 1 << bit
            path.write_bytes(damaged)
            with pytest.raises(UserError, match=r"part-00000.parquet: cannot be read as Parquet"):
                tables.read(tmp_path, tables.VERDICTS)


def test_rows_and_columns_can_be_chosen(tmp_path: Path) -> None:
    write(tmp_path / "v", ROWS)
    found = tables.read([tmp_path / "v"], tables.VERDICTS, ["reason", "keep"], pc.field("keep"))
    assert found.column_names == ["reason", "keep"]
    assert found.to_pylist() == [{"reason": None, "keep": True} for r in ROWS if r["keep"]]


def test_a_missing_or_foreign_file_is_the_users_to_mend(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nowhere"):
        tables.read([tmp_path / "nowhere"], tables.VERDICTS)
    write(tmp_path / "v", ROWS)
    with pytest.raises(UserError, match="has other columns"):
        tables.read([tmp_path / "v"], tables.SCENES)


@given(st.lists(st.integers(1, 24), max_size=4))
def test_content_hash_does_not_see_shards(cuts: list[int]) -> None:
    whole = tables.VERDICTS.of(ROWS)
    edges = [0, *sorted(cuts), len(ROWS)]
    shards = [whole.slice(a, b - a) for a, b in itertools.pairwise(edges)]
    assert tables.hash_batches(shards)[0] == tables.hash_batches([whole])[0]


@given(st.integers(0, 24), st.sampled_from(["image_id", "score", "keep", "reason"]))
def test_content_hash_sees_every_cell_and_the_order(row: int, column: str) -> None:
    def table(rows: list[dict[str, object]]) -> pa.Table:
        return tables.VERDICTS.of(rows)

    other: dict[str, object] = {"image_id": "f", "score": -1.0, "keep": None, "reason": "?"}
    changed = [dict(r, **{column: other[column]}) if i == row else r for i, r in enumerate(ROWS)]
    base = tables.hash_batches([table(ROWS)])[0]
    assert tables.hash_batches([table(changed)])[0] != base
    assert tables.hash_batches([table(ROWS[::-1])])[0] != base
    assert tables.hash_batches([table(ROWS[:-1])])[0] != base


@pytest.mark.parametrize("table", tables.TABLES.values(), ids=lambda t: t.name)
def test_rows_of_nulls_fit_every_schema(tmp_path: Path, table: tables.Table) -> None:
    tables.write_rows([dict.fromkeys(table.names)], tmp_path / "p", table, "s")
    with tables.open_shard(tmp_path / "p") as shard:
        assert shard.read().num_rows == 1
