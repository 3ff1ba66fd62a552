"""What tells snapshots apart, and what leaves the bytes of tables as they are."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.config.identity import PROJECT_ROOT, params_id
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.snapshot.identity import project_id, snapshot_id
from lvlmbench.suites.suite import build_shard
from support.documents.reading import example

SUBTASKS = {"landmark": False, "animal": True}


def params(subtask: str = "animal", **sections: Any) -> Params:
    corpus = {"subtasks": [subtask], "scenes_per_subtask": 60}
    return validate({"corpus": corpus, **sections})


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The vocabulary, and the same with one more animal."""
    usual = PROJECT_ROOT / "data" / "vocabulary"
    more = tmp_path_factory.mktemp("words") / "more"
    shutil.copytree(usual, more)
    with (more / "animal.yaml").open("a") as file:
        file.write(example("A word: another animal, another landmark", "yaml"))
    return {"usual": usual, "more": more}


def picture(scene_id: str, sha256: str) -> dict[str, Any]:
    row: dict[str, Any] = dict.fromkeys(tables.IMAGES.names)
    row |= {"image_id": scene_id, "scene_id": scene_id, "sha256": sha256, "scenario": "clean"}
    return row


def write(data: Path, own: Params, folder: Path, shards: int = 1) -> Path:
    """The tables of a suite as a vocabulary makes them, its pictures known by their hashes."""
    n = own.corpus.n_scenes
    for shard in range(shards):
        at, end = n * shard // shards, n * (shard + 1) // shards
        part, vocabulary = tables.part_name(shard), load_vocabulary(folder)
        scenes, questions = build_shard(own, vocabulary, at, end)
        for table, rows in ((tables.SCENES, scenes), (tables.QUESTIONS, questions)):
            tables.write(rows, table.folder(data) / part, table, params_id(own))
        shown = [picture(scene, "0" * 64) for scene in scenes["scene_id"].to_pylist()]
        at_ = tables.IMAGES.folder(data, scenario="clean") / part
        tables.write_rows(shown, at_, tables.IMAGES, params_id(own))
    return data


def files(data: Path) -> dict[str, bytes]:
    return {str(p.relative_to(data)): p.read_bytes() for p in sorted(data.rglob("*.parquet"))}


@pytest.mark.parametrize("subtask", SUBTASKS)
def test_a_word_more_changes_what_it_falls_on_and_nothing_else(
    subtask: str, words: dict[str, Path], tmp_path: Path
) -> None:
    own = params(subtask)
    before, after = (write(tmp_path / name, own, words[name]) for name in words)
    falls = SUBTASKS[subtask]
    assert (files(before) != files(after)) is falls
    assert (snapshot_id(own, before) != snapshot_id(own, after)) is falls
    if falls:  # on few questions, as one of their options at least; the rows of all others stay
        one, two = (
            tables.read(tables.QUESTIONS.shards(data), tables.QUESTIONS).to_pylist()
            for data in (before, after)
        )
        same = [a == b for a, b in zip(one, two, strict=True)]
        assert 0.8 * len(same) < sum(same) < len(same)


def test_shards_make_no_other_snapshot_and_parameters_do(
    words: dict[str, Path], tmp_path: Path
) -> None:
    own = params()
    found = {snapshot_id(own, write(tmp_path / str(n), own, words["usual"], n)) for n in (1, 3)}
    assert len(found) == 1
    other = params(render={"size": 128})
    assert snapshot_id(other, tmp_path / "1") not in found


def test_other_pictures_questions_and_truth_are_another_snapshot(
    words: dict[str, Path], tmp_path: Path
) -> None:
    own = params("landmark")
    before = snapshot_id(own, write(tmp_path, own, words["usual"]))
    at = tables.IMAGES.folder(tmp_path, scenario="clean") / tables.part_name(0)
    rows = tables.read([at], tables.IMAGES).to_pylist()
    rows[5] |= {"sha256": "f" * 64}
    tables.write_rows(rows, at, tables.IMAGES, params_id(own))
    drawn = snapshot_id(own, tmp_path)
    at = tables.QUESTIONS.folder(tmp_path) / tables.part_name(0)
    asked = tables.read([at], tables.QUESTIONS)
    said = pa.chunked_array([pc.ascii_upper(asked["question"].combine_chunks())])
    column = asked.schema.get_field_index("question")
    tables.write(
        asked.set_column(column, "question", said), at, tables.QUESTIONS, params_id(own)
    )  # fmt: skip
    reworded = snapshot_id(own, tmp_path)
    feature: dict[str, Any] = dict.fromkeys(tables.TRUTH.names)
    feature |= {"scene_id": rows[0]["scene_id"], "feature": "o1", "kind": "object"}
    feature |= {"subject": "dog", "forms": ["dog"], "source": "given"}
    feature |= {"optional": False, "closed": True}
    at = tables.TRUTH.folder(tmp_path) / tables.part_name(0)
    tables.write_rows([feature], at, tables.TRUTH, params_id(own))
    assert len({before, drawn, reworded, snapshot_id(own, tmp_path)}) == 4


def test_a_project_of_one_suite_has_its_id(tmp_path: Path, words: dict[str, Path]) -> None:
    from lvlmbench.config import validate_project

    corpus = {"subtasks": ["landmark"], "scenes_per_subtask": 4}
    one = validate_project({"suites": {"dysca": {"corpus": corpus}}})
    own = one.suite("dysca")
    write(tmp_path / "dysca", own, words["usual"])
    assert project_id(one, tmp_path) == snapshot_id(own, tmp_path / "dysca")
    two = validate_project({"suites": {"dysca": {"corpus": corpus}, "again": {"kind": "dysca"}}})
    assert project_id(two, tmp_path) != project_id(one, tmp_path)
