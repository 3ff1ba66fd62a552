"""What is asked about a picture: to describe it, of which the truth is known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.scene.asking import Key
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.truth import table_of
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.making import Row, measured
from lvlmbench.suites.suite import measuring
from lvlmbench.suites.valor.scenes import Planner, subset_of
from lvlmbench.tables import QUESTIONS, TRUTH

FREE_FORM = "free_form"


def ask(params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table) -> pa.Table:
    """Return the questions about scenes that were drawn, in their order.

    Parameters
    ----------
    scenes, layouts
        Rows of :data:`lvlmbench.tables.SCENES` and :data:`lvlmbench.tables.LAYOUTS`; a scene
        without a layout is not asked about, nor is one of whose picture nothing is owed.
    """
    planner, side = Planner(params, vocabulary), params.render.size
    owing = {
        row["scene_id"]
        for row in truth(params, vocabulary, scenes, layouts)
        .select(["scene_id", "optional"])
        .to_pylist()
        if not row["optional"]
    }
    drawn: dict[str, list[Row]] = defaultdict(list)
    for row in layouts.to_pylist():
        drawn[row["scene_id"]].append(row)
    rows: list[Row] = []
    for scene in scenes.to_pylist():
        layout = drawn[scene["scene_id"]]
        if layout and scene["scene_id"] in owing:
            world = World(Graph.of(scene), layout, side, planner.stock.clash)
            rows += _about(planner, scene, world)
    return pa.Table.from_pylist(rows, QUESTIONS.schema)


def truth(params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table) -> pa.Table:
    """Return what pictures show, rows of :data:`lvlmbench.tables.TRUTH`; owed is what is asked for.

    All else that is so may be said.
    """
    found = table_of(scenes, layouts, params.render.size, vocabulary, measuring(params))
    pairs = zip(scenes["scene_id"].to_pylist(), scenes["subtask"].to_pylist(), strict=True)
    owes = {scene: subset_of(name).owes for scene, name in pairs}
    kinds, relations = found["kind"].to_pylist(), found["relation"].to_pylist()
    rows = zip(
        found["scene_id"].to_pylist(), kinds, relations, found["optional"].to_pylist(), strict=True
    )
    optional = [
        is_optional or not owes[scene].names(kind, relation)
        for scene, kind, relation, is_optional in rows
    ]
    at = found.schema.get_field_index("optional")
    return found.set_column(at, TRUTH.field("optional"), pa.array(optional, pa.bool_()))


def _about(planner: Planner, scene: Row, world: World) -> Iterator[Row]:
    """The request for a description of a picture."""
    subset = subset_of(scene["subtask"])
    key = Key(subset.name, FREE_FORM)
    item = key.question_id(scene["scene_id"])
    kit = planner.kit(subset, "question", item)
    yield {
        **_common(scene, key),
        "question": kit.draws.pick(subset.questions),
        "options": [],
        "answer": subset.said(kit, world),
        "factors": {
            **measured(world), "hops": 0, "near": 0, "prior": subset.prior(kit, world.graph),
        },
    }  # fmt: skip


def _common(scene: Row, key: Key) -> dict[str, Any]:
    return {
        "question_id": key.question_id(scene["scene_id"]),
        "scene_id": scene["scene_id"],
        "subtask": scene["subtask"],
        "granularity": subset_of(scene["subtask"]).granularity,
        "question_type": key.question_type,
        "key": str(key),
        "level": None,
        "pair": None,
    }
