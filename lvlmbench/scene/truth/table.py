"""The table truth of many scenes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from operator import attrgetter
from typing import Any

import pyarrow as pa

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.truth.drawn import truth_of
from lvlmbench.scene.truth.rows import NAMES
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.tables import TRUTH

#: Columns of scenes that make their graphs.
_GRAPH = ("scene_id", "objects", "relations", "setting")


def table_of(
    scenes: pa.Table, layouts: pa.Table, side: int, vocabulary: Vocabulary, renderer: str
) -> pa.Table:
    """Return what the pictures of scenes show, rows of :data:`lvlmbench.tables.TRUTH`.

    Parameters
    ----------
    scenes, layouts
        Rows of :data:`lvlmbench.tables.SCENES`, whose order is kept, and of
        :data:`lvlmbench.tables.LAYOUTS` about them, in any order.
    side
        Of the pictures, in pixels.
    renderer
        Who drew what was measured; all else is as a renderer draws it that reads prompts.
    """
    drawn: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    for row in layouts.to_pylist():
        drawn[row["scene_id"]].append(row)
    found: dict[str, list[Any]] = {name: [] for name in TRUTH.names}
    for scene in scenes.select(_GRAPH).to_pylist():
        name = scene["scene_id"]
        layout = drawn[name]
        by = renderer if layout else None
        truth = truth_of(Graph.of(scene), layout, side, vocabulary, renderer=by)
        for column in NAMES:
            found[column] += map(attrgetter(column), truth.features)
        found["scene_id"] += [name] * len(truth.features)
        found["closed"] += [truth.closed] * len(truth.features)
    return pa.table(found, schema=TRUTH.schema)
