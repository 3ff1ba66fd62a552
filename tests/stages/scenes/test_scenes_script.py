"""The scripts of scenes and questions, its benchmark, and the arithmetic of shards."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lvlmbench import tables
from lvlmbench.config import shards
from lvlmbench.scene.subtasks import subtasks_of
from support.corpus_sample import params_for
from support.one_line import assert_one_line

Run = Callable[..., Any]
SUBTASKS_USED = ["color", "gender", "text", "animal"]


def config(folder: Path, **corpus: object) -> Path:
    path = folder / "config.json"
    given = {"snapshot": {"seed": 5}, "suites": {"dysca": {"corpus": corpus}}}
    path.write_text(json.dumps(given), encoding="utf-8")
    return path


def shard(run_python: Run, root: Path, folder: Path, number: int, **corpus: object) -> Any:
    """What the two scripts do, the second one only after the first."""
    given = ("--config", config(folder, **corpus), "--shard", number)
    parts = ("scenes", "layouts", "questions")
    scenes, layouts, questions = (folder / t / tables.part_name(number) for t in parts)
    described = folder / "descriptions" / tables.part_name(number)
    designs = folder / "designs" / tables.part_name(number)
    out = ("--out", scenes, "--descriptions-out", described, "--designs-out", designs)
    out += ("--entries-out", folder / "entries" / tables.part_name(number))
    made = run_python(root / "scripts" / "scenes.py", *given, *out)
    if made.returncode:
        return made
    tables.write(tables.LAYOUTS.empty_table(), layouts, tables.LAYOUTS, "s")
    truth = folder / "truth" / tables.part_name(number)
    checked = folder / "validation" / tables.part_name(number)
    asked = ("--scenes", scenes, "--layouts", layouts, "--out", questions, "--truth-out", truth)
    asked += ("--validation-out", checked)
    return run_python(root / "scripts" / "questions.py", *given, *asked)


@pytest.mark.long
def test_shards_of_any_size_hold_the_same_rows(run_python: Run, root: Path, tmp_path: Path) -> None:
    hashes = []
    for size in (100, 9):
        folder = tmp_path / str(size)
        folder.mkdir()
        corpus = {"subtasks": SUBTASKS_USED, "scenes_per_subtask": 4, "shard_scenes": size}
        for number in range(-(-16 // size)):
            result = shard(run_python, root, folder, number, **corpus)
            assert result.returncode == 0, result.stderr
        found = [
            tables.read(folder / name, schema)
            for name, schema in (
                *(("scenes", tables.SCENES), ("questions", tables.QUESTIONS)),
                ("truth", tables.TRUTH),
            )
        ]
        assert found[0].num_rows == 16
        assert found[1].num_rows > 40
        assert {*found[2]["scene_id"].to_pylist()} == {*found[0]["scene_id"].to_pylist()}
        hashes.append([tables.hash_batches([table])[0] for table in found])
    assert hashes[0] == hashes[1]


@pytest.mark.long
def test_the_same_shard_has_the_same_bytes(run_python: Run, root: Path, tmp_path: Path) -> None:
    written = []
    for name in ("one", "two"):
        folder = tmp_path / name
        folder.mkdir()
        shard(run_python, root, folder, 0, scenes_per_subtask=2, shard_scenes=400)
        made = (folder / "scenes", folder / "questions")
        written.append([path.read_bytes() for each in made for path in each.iterdir()])
    assert len(written[0]) == 2
    assert written[0] == written[1]


@pytest.mark.long
@pytest.mark.parametrize(
    ("number", "corpus", "parts"),
    [
        (7, {"scenes_per_subtask": 1}, ("--shard 7", "use 0 to 0")),
        (0, {"questions_per_scene": 11}, ("corpus", "multiple_choice", "lower")),
    ],
)
def test_mistakes_are_one_line(
    run_python: Run,
    root: Path,
    tmp_path: Path,
    number: int,
    corpus: dict[str, object],
    parts: tuple[str, ...],
) -> None:
    assert_one_line(shard(run_python, root, tmp_path, number, **corpus), *parts)
    assert not list(tmp_path.rglob("questions/*.parquet"))


def test_the_benchmark_ends_with_its_figures(run_python: Run, root: Path) -> None:
    path = root / "benchmarks" / "corpus.py"
    result = run_python(path, "--scenes-per-subtask", 20, "--write")
    assert result.returncode == 0, result.stderr
    figures = json.loads(result.stdout.splitlines()[-1])
    assert figures["benchmark"] == "corpus"
    assert figures["qa_per_s"] > 0
    assert figures["peak_mib"] > 0
    assert figures["questions"] > 1000


@given(st.integers(0, 500), st.integers(0, 500), st.integers(1, 90))
def test_overlapping_parts_are_those_that_share_an_item(start: int, stop: int, size: int) -> None:
    found = set(shards.parts_overlapping(start, stop, size))
    assert found == {i // size for i in range(start, stop)}


@given(st.integers(1, 60), st.integers(1, 50))
def test_ranges_tile_all_scenes(count: int, size: int) -> None:
    params = params_for(subtasks=["text", "style"], scenes_per_subtask=count, shard_scenes=size)
    ranges = [shards.scene_range(params, i) for i in range(shards.scene_shards(params))]
    assert [i for a, b in ranges for i in range(a, b)] == list(range(2 * count))
    with pytest.raises(IndexError):
        shards.scene_range(params, len(ranges))


def test_subtasks_stand_in_canonical_order() -> None:
    params = params_for(
        subtasks=["text", "style", "age"], scenes_per_subtask=4, scenes={"style": 2, "food": 9}
    )
    assert shards.subtask_ranges(params) == {"style": (0, 2), "age": (2, 6), "text": (6, 10)}
    assert list(shards.subtask_ranges(params_for())) == list(subtasks_of("dysca"))
    assert shards.image_shards(params) == 1
    assert shards.image_range(params, 0) == (0, 10)


def test_planning_imports_nothing_heavy(run_python: Run) -> None:
    program = (
        "import sys, lvlmbench.config.shards;"
        "print(sorted({'numpy', 'pyarrow', 'torch', 'PIL'} & set(sys.modules)))"
    )
    assert run_python("-c", program).stdout.strip() == "[]"
