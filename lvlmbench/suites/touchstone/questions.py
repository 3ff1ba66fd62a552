"""What is asked about a picture, with a reference and a description that are true of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.scene import panels
from lvlmbench.scene.asking import Key
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.truth import table_of
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.making import Row, measured
from lvlmbench.suites.suite import measuring
from lvlmbench.suites.touchstone.scenes import Planner, task_of
from lvlmbench.suites.touchstone.values import apart
from lvlmbench.tables import QUESTIONS, TRUTH

FREE_FORM = "free_form"


def ask(params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table) -> pa.Table:
    """Return the questions about scenes that were drawn, in their order.

    Parameters
    ----------
    scenes, layouts
        Rows of :data:`lvlmbench.tables.SCENES` and :data:`lvlmbench.tables.LAYOUTS`; a scene
        without a layout is not asked about, nor is one of which nothing can surely be asked.
    """
    planner, side = Planner(params, vocabulary), params.render.size
    drawn: dict[str, list[Row]] = defaultdict(list)
    for row in layouts.to_pylist():
        drawn[row["scene_id"]].append(row)
    rows: list[Row] = []
    for scene in scenes.to_pylist():
        if layout := drawn[scene["scene_id"]]:
            world = World(Graph.of(scene), layout, side, planner.stock.clash)
            found = _about(planner, scene, world)
            rows += [] if found is None else [found]
    return pa.Table.from_pylist(rows, QUESTIONS.schema)


def truth(params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table) -> pa.Table:
    """Return what pictures show, rows of :data:`lvlmbench.tables.TRUTH`; owed is what a
    description is to say. All else that is so may be said."""
    found = table_of(scenes, layouts, params.render.size, vocabulary, measuring(params))
    pairs = zip(scenes["scene_id"].to_pylist(), scenes["subtask"].to_pylist(), strict=True)
    owes = {scene: task_of(name).owes for scene, name in pairs}
    columns = (found[name].to_pylist() for name in ("scene_id", "kind", "relation", "optional"))
    optional = [
        is_optional or not owes[scene].names(kind, relation)
        for scene, kind, relation, is_optional in zip(*columns, strict=True)
    ]
    at = found.schema.get_field_index("optional")
    return found.set_column(at, TRUTH.field("optional"), pa.array(optional, pa.bool_()))


def _about(planner: Planner, scene: Row, world: World) -> Row | None:
    """The question about a picture; None where nothing can surely be asked."""
    task = task_of(scene["subtask"])
    key = Key(task.name, FREE_FORM)
    name = key.question_id(scene["scene_id"])
    kit = planner.kit(task, "question", name, scene["ordinal"])
    one = task.ask(kit, world)
    if one is None:
        return None
    turned = kit.turned and one.before
    said = " ".join([one.answer, *(turn.answer for turn in one.before if turned)])
    return {
        "question_id": name,
        "scene_id": scene["scene_id"],
        "subtask": task.name,
        "granularity": task.granularity,
        "question_type": FREE_FORM,
        "question": (one.behind if turned else None) or one.question,
        "options": [],
        "answer": one.answer,
        "key": str(key),
        "accepted": list(one.accepted) or None,
        "rivals": list(apart(one.rivals, one.accepted, said)) or None,
        "turns": [turn._asdict() for turn in one.before] if turned else None,
        "description": one.description or task.describe(kit, world),
        "panels": _panels(world.graph.panels),
        "factors": {
            **measured(world),
            "hops": one.hops,
            "near": one.near,
            "prior": one.prior,
        },
    }


def _panels(n: int) -> list[Mapping[str, Any]] | None:
    """Where the panels of a picture lie; None where it is whole."""
    if n == 1:
        return None
    left, top, right, bottom = panels.first(n)
    return [
        {
            "left": (x + left) / panels.SIDE,
            "top": (y + top) / panels.SIDE,
            "right": (x + right) / panels.SIDE,
            "bottom": (y + bottom) / panels.SIDE,
        }
        for x, y in panels.origins(n)
    ]
