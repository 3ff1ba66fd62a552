"""What one label more in the vocabulary costs: the scenes that show it, and no others."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lvlmbench.config import Params, load_params, load_project, validate_project
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.engine.stages import pipeline
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.suites.suite import build_shard, suite_of

ROOT = Path(__file__).parents[2]
LABEL = "dragon"
ENTRY = f"""
  - label: {LABEL}
    article: a
    plural: {LABEL}s
    sense: winged fire-breathing beast of legend
    pictograph: [1F409]
    size: 8
    faces: left
"""
#: What is planned, where the default is not what a test needs.
PLANNED: dict[str, dict[str, Any]] = {
    "dysca": {"scenes_per_subtask": 400, "subtasks": ("animal", "background")},
    "autodavis": {"scenes_per_subtask": 24},
}


@pytest.fixture(scope="module")
def vocabularies(tmp_path_factory: pytest.TempPathFactory) -> list[Vocabulary]:
    """That of the project, and one with an animal more in the middle of the list."""
    folder = tmp_path_factory.mktemp("more") / "vocabulary"
    given = vocabulary_dir(load_params(ROOT / "params.yaml", "dysca"))
    shutil.copytree(given, folder)
    path = folder / "animal.yaml"
    before, cat, after = path.read_text().partition("\n  - label: cat\n")
    assert cat
    path.write_text(f"{before}{ENTRY.rstrip()}{cat}{after}")
    return [load_vocabulary(given), load_vocabulary(folder)]


def _params(suite: str) -> Params:
    params = load_params(ROOT / "params.yaml", suite)
    corpus = params.corpus.model_copy(update=PLANNED.get(suite, {}))
    return params.model_copy(update={"corpus": corpus})


def _rows(table: pa.Table, key: str) -> dict[str, Mapping[str, Any]]:
    return {row[key]: row for row in table.to_pylist()}


def _others(before: pa.Table, after: pa.Table, key: str) -> tuple[set[str], set[str]]:
    """Ids of rows that changed without a word of the new label, and of those that have it."""
    old, new = _rows(before, key), _rows(after, key)
    assert old.keys() == new.keys()
    has = {name for name, row in new.items() if LABEL in str(row)}
    return {name for name, row in new.items() if row != old[name]} - has, has


@pytest.mark.parametrize("suite", ["composed", "autodavis", "valor", "touchstone"])
def test_scenes_that_do_not_show_a_new_label_stay(
    vocabularies: list[Vocabulary], suite: str
) -> None:
    params = _params(suite)
    before, after = (
        suite_of(params).scenes(params, each, 0, params.corpus.n_scenes) for each in vocabularies
    )
    changed, shown = _others(before, after, "scene_id")
    assert not changed
    assert len(shown) < after.num_rows / 20


def test_questions_that_do_not_offer_a_new_label_stay(vocabularies: list[Vocabulary]) -> None:
    params = _params("dysca")
    (scenes, questions), (more_scenes, more_questions) = (
        build_shard(params, each, 0, params.corpus.n_scenes) for each in vocabularies
    )
    changed, shown = _others(scenes, more_scenes, "scene_id")
    assert not changed
    assert 0 < len(shown) < 20
    changed, _ = _others(questions, more_questions, "question_id")
    scene_of = {row["question_id"]: row["scene_id"] for row in questions.to_pylist()}
    # Weights that balance answers are solved for all labels at once (scene/balance.py): a new label
    # changes each of them a little, so that a draw which was nearly a tie may come out otherwise.
    moved = {name for name in changed if scene_of[name] not in shown}
    assert len(moved) <= questions.num_rows / 500


def test_pinned_reference_models_do_not_depend_on_the_vocabulary() -> None:
    given = load_project(ROOT / "params.yaml").model_dump(mode="json")
    for weights, depends in (("pinned", False), ("trained", True)):
        given["reference"]["weights"] = weights
        found = pipeline(validate_project(given), ROOT).items
        for name in ("reference_scenes", "reference/reference_a"):
            assert ("data/vocabulary" in found[name].deps) is depends, (name, weights)
