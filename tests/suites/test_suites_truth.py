"""What pictures of a suite's scenes show: by default from their graphs and what was measured."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.suites.suite import measuring, suite_of
from support.corpus_sample import params_for, sample_vocabulary
from support.planted_truth import drawn


def shown(params: Params, scenes: pa.Table, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of the table truth."""
    layouts = tables.LAYOUTS.of(rows)
    found = suite_of(params).truth(params, sample_vocabulary(), scenes, layouts)
    assert found.schema == tables.TRUTH.schema
    return [dict(row) for row in found.to_pylist()]


def test_truth_follows_scenes_and_layouts() -> None:
    params = params_for(subtasks=["animal"], scenes_per_subtask=3)
    scenes = suite_of(params).scenes(params, sample_vocabulary(), 0, 3)
    ids = scenes["scene_id"].to_pylist()
    row = drawn(0, "o1", (250, 250)) | {"scene_id": ids[1], "image_id": "i", "depth": 0}
    every = shown(params, scenes, [row])
    assert [*dict.fromkeys(each["scene_id"] for each in every)] == ids
    closed = {each["scene_id"]: each["closed"] for each in every}
    assert closed == {ids[0]: False, ids[1]: True, ids[2]: False}
    (thing,) = (each for each in every if (each["scene_id"], each["feature"]) == (ids[1], "o1"))
    assert thing["source"] == "layout"
    alone = shown(params, scenes.slice(1, 1), [row])
    assert alone == [each for each in every if each["scene_id"] == ids[1]]


@pytest.mark.parametrize(
    ("render", "name"),
    [
        ({}, "pictograph"),
        ({"renderer": "diffusion"}, "pictograph"),
        ({"renderer": "auto"}, "pictograph"),
    ],
)
def test_who_measures_is_no_reader_of_prompts(render: dict[str, str], name: str) -> None:
    assert measuring(validate({"render": render})) == name
