"""Which scenes hang together."""

from __future__ import annotations

import pyarrow as pa
import pytest

from lvlmbench import tables
from lvlmbench.tables import CLUSTER_COLUMNS, cluster_names, clusters_of

#: Twins, a scene alone, and scenes that show a twin and the one alone again.
SCENES = tables.SCENES.of(
    [
        {"scene_id": "a", "pair": "p"},
        {"scene_id": "b", "pair": "p"},
        {"scene_id": "c"},
        {"scene_id": "a-ink", "base": "a"},
        {"scene_id": "c-ink", "base": "c"},
        {"scene_id": "c-oil", "base": "c"},
    ]
).select(CLUSTER_COLUMNS)


def test_twins_and_scenes_shown_again_are_of_one_cluster() -> None:
    found = cluster_names(SCENES)
    assert found == {"a": "p", "b": "p", "a-ink": "p", "c": "c", "c-ink": "c", "c-oil": "c"}


@pytest.mark.parametrize("ids", [pa.array(["b", "x", "b"]), pa.chunked_array([["b", "x"], ["b"]])])
def test_scenes_that_nobody_lists_are_alone(ids: pa.Array | pa.ChunkedArray) -> None:
    assert clusters_of(ids, SCENES).to_pylist() == ["p", "x", "p"]
    assert clusters_of(ids, None).to_pylist() == ["b", "x", "b"]
    assert clusters_of(ids, SCENES.slice(0, 0)).to_pylist() == ["b", "x", "b"]
