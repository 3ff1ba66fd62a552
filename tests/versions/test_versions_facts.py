"""Hashes of rows and files, and what tells a damaged artifact."""

from __future__ import annotations

import itertools
import os
import platform
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.engine.hashing import Hashes
from lvlmbench.tables.hashing import RowsHash, hash_batches, hash_folder
from lvlmbench.versions import environment, facts

TEXTS = st.none() | st.text(max_size=3)
ROW = st.fixed_dictionaries(
    {
        "text": TEXTS,
        "flag": st.none() | st.booleans(),
        "small": st.none() | st.integers(-128, 127),
        "real": st.none() | st.floats(allow_nan=False),
        "list": st.none() | st.lists(TEXTS, max_size=3),
        "bytes": st.none() | st.binary(max_size=3),
        "part": st.none() | st.fixed_dictionaries({"a": st.none() | st.booleans(), "b": TEXTS}),
    }
)
SCHEMA = pa.schema(
    [
        ("text", pa.string()),
        ("flag", pa.bool_()),
        ("small", pa.int8()),
        ("real", pa.float64()),
        ("list", pa.list_(pa.string())),
        ("bytes", pa.binary()),
        ("part", pa.struct([("a", pa.bool_()), ("b", pa.string())])),
    ]
)


def table(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(rows, schema=SCHEMA)


def hashed(*parts: pa.Table) -> str:
    found = RowsHash()
    for part in parts:
        found.add(part)
    return found.hexdigest()


@given(st.lists(ROW, max_size=9), st.lists(st.integers(0, 9), max_size=3))
def test_batches_do_not_show(rows: list[dict[str, Any]], cuts: list[int]) -> None:
    """Slices have offsets and share buffers, as what Parquet is read into does."""
    whole = table(rows)
    ends = [0, *sorted(min(cut, len(rows)) for cut in cuts), len(rows)]
    parts = [whole.slice(a, b - a) for a, b in itertools.pairwise(ends)]
    copies = [table(part.to_pylist()) for part in parts]
    assert hashed(*parts) == hashed(*copies) == hashed(whole) == hash_batches(parts)[0]
    assert hashed(whole.select(SCHEMA.names[::-1])) == hashed(whole)


@given(st.lists(ROW, max_size=4), st.lists(ROW, max_size=4))
def test_other_rows_have_another_hash(a: list[dict[str, Any]], b: list[dict[str, Any]]) -> None:
    one, other = table(a), table(b)
    same = repr(one.to_pylist()) == repr(other.to_pylist())  # repr tells -0.0 from 0.0
    assert (hashed(one) == hashed(other)) == same


EMPTY = dict.fromkeys(SCHEMA.names)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ([{"text": "ab"}, {"text": "c"}], [{"text": "a"}, {"text": "bc"}]),
        ([{"text": None}], [{"text": ""}]),
        ([{"list": ["a"]}, {"list": ["b"]}], [{"list": ["a", "b"]}, {"list": []}]),
        ([{"list": None}], [{"list": []}]),
        ([{"list": [None]}], [{"list": [""]}]),
        ([{"part": None}], [{"part": {"a": None, "b": None}}]),
        ([{"small": 0}], [{"small": None}]),
        ([{"flag": False}], [{"flag": None}]),
        ([{"real": 0.0}], [{"real": None}]),
        ([{"text": "a"}, {"text": "b"}], [{"text": "b"}, {"text": "a"}]),
        ([], [{}]),
    ],
)
def test_what_is_easily_taken_for_the_same(one: list[Any], other: list[Any]) -> None:
    a, b = (table([EMPTY | row for row in rows]) for rows in (one, other))
    assert hashed(a) != hashed(b)


def test_names_and_types_of_columns_count() -> None:
    number = pa.table({"a": pa.array([1], pa.int64())})
    assert hashed(number) != hashed(number.rename_columns(["b"]))
    assert hashed(number) != hashed(pa.table({"a": pa.array([1], pa.int32())}))


@pytest.mark.parametrize(
    ("shards", "said"),
    [
        ([{"a": [1]}, {"b": [1]}], r"part-00001.parquet: has other columns than part-00000"),
        ([{"a": [1]}, {"a": ["x"]}], r"part-00001.parquet: has other columns than part-00000"),
        ([{"a": [date(2020, 1, 1)]}], r"cannot hash .*\"a\".* of type date32.*--without"),
    ],
)
def test_tables_that_are_not_ours_are_told(
    tmp_path: Path, shards: list[dict[str, list[Any]]], said: str
) -> None:
    for number, columns in enumerate(shards):
        pq.write_table(pa.table(columns), tmp_path / tables.part_name(number))
    with pytest.raises(UserError, match=said):
        hash_folder(tmp_path)


@pytest.mark.parametrize("declared", tables.TABLES.values(), ids=lambda t: t.name)
def test_every_table_of_ours_can_be_hashed(declared: tables.Table) -> None:
    assert len(hashed(declared.of([dict.fromkeys(declared.names)]))) == 32


def images(n: int) -> list[dict[str, object]]:
    empty = dict.fromkeys(tables.IMAGES.names)
    pictures = ({"bytes": b"%d" % i, "path": None} for i in range(n))
    return [
        empty | {"image_id": f"{i}", "sha256": "0", "image": picture}
        for i, picture in enumerate(pictures)
    ]


def test_what_a_table_is(tmp_path: Path) -> None:
    """Whatever its shards; pictures are told by their hash, and time does not count."""
    rows = images(5)
    for name, part in {
        "a/part-00000": rows,
        "b/part-00000": rows[:2],
        "b/part-00001": rows[2:],
    }.items():
        tables.write_rows(part, tmp_path / f"{name}.parquet", tables.IMAGES, "s")
    found = facts.table_facts(tmp_path / "a")
    assert found.rows == 5 and found == facts.table_facts(tmp_path / "b")
    rows[3]["sha256"] = "1"
    tables.write_rows(rows, tmp_path / "c/part-00000.parquet", tables.IMAGES, "s")
    assert facts.table_facts(tmp_path / "c").content != found.content
    assert facts.left_out(tables.IMAGES.names) == {"image"}
    assert facts.left_out(tables.ANSWERS.names) == {"latency_s"}
    assert facts.left_out(tables.REFERENCE_SCENES.names) == frozenset()
    files = [str(f.relative_to(tmp_path)) for f in tmp_path.rglob("*") if f.is_file()]
    assert facts.table_folders([*files, "results/metrics.parquet"]) == ["a", "b", "c"]


def test_a_bit_that_turned_on_the_disk_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Same name, size, inode and time: what remembers hashes by those does not see it."""
    monkeypatch.chdir(tmp_path)
    file = Path("out/deep/part-00000.parquet")
    file.parent.mkdir(parents=True)
    file.write_bytes(bytes(1000))
    Path("single.csv").write_bytes(b"a,b\n")
    old = (file.stat().st_atime_ns, file.stat().st_mtime_ns - 10**9)
    os.utime(file, ns=old)
    memory = Hashes(tmp_path / "hashes.json")
    sealed = {"out": memory.tree(Path("out")), "single.csv": memory.tree(Path("single.csv"))}
    found = facts.hash_files(facts.artifacts(sealed))
    assert sorted(found) == ["out/deep/part-00000.parquet", "single.csv"]
    assert found[str(file)].size == 1000
    facts.check_sealed(sealed, found)
    with file.open("r+b") as f:
        f.seek(500)
        f.write(b"\1")
    os.utime(file, ns=old)
    assert memory.tree(Path("out")) == sealed["out"]
    with pytest.raises(UserError, match="out: holds other bytes than the run that made it"):
        facts.check_sealed(sealed, facts.hash_files(facts.artifacts(sealed)))


def test_environment_names_no_host_path_or_time() -> None:
    found = environment.environment()
    text = found.model_dump_json()
    assert found == environment.environment()
    for private in (platform.node(), str(Path.home()), str(Path.cwd()), os.sep + "tmp"):
        assert private not in text or len(private) < 3
    assert found.packages["pyarrow"] == pa.__version__ and found.processor
    assert platform.python_version() in found.python and platform.machine() in found.platform
