"""What is asked about a picture, with a reference and a description that are true of it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.config import Params
from lvlmbench.scene import panels
from lvlmbench.scene.asking import Key
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.truth import table_of
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.making import Row, measured
from lvlmbench.suites.suite import measuring
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.scenes import Planner, task_of
from lvlmbench.suites.touchstone.task import Asked
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
    planner = Planner(params, vocabulary)
    found = (_about(planner, *each) for each in _drawn(params, planner, scenes, layouts))
    rows = [row for row in found if row is not None]
    return pa.Table.from_pylist(rows, QUESTIONS.schema)


def truth(params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table) -> pa.Table:
    """Return what pictures show, rows of :data:`lvlmbench.tables.TRUTH`; owed is what a
    description is to say. All else that is so may be said."""
    found = table_of(scenes, layouts, params.render.size, vocabulary, measuring(params))
    pairs = zip(scenes["scene_id"].to_pylist(), scenes["subtask"].to_pylist(), strict=True)
    owes = {scene: task_of(name).owes for scene, name in pairs}
    alone = [scene for scene, by_kind in owes.items() if by_kind is None]
    named = _named(
        params,
        vocabulary,
        scenes.filter(pc.is_in(scenes["scene_id"], pa.array(alone, pa.string()))),
        layouts,
    )
    columns = (
        found[name].to_pylist() for name in ("scene_id", "feature", "kind", "relation", "optional")
    )
    optional = []
    for scene, feature, kind, relation, may in zip(*columns, strict=True):
        by_kind = owes[scene]
        owed = feature in named.get(scene, ()) if by_kind is None else by_kind.names(kind, relation)
        optional.append(may or not owed)
    at = found.schema.get_field_index("optional")
    return found.set_column(at, TRUTH.field("optional"), pa.array(optional, pa.bool_()))


def _named(
    params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table
) -> Mapping[str, frozenset[str]]:
    """Scene -> names of the features that its question owes."""
    planner = Planner(params, vocabulary)
    worlds = _drawn(params, planner, scenes, layouts)
    found = {scene["scene_id"]: _asked(planner, scene, world)[1] for scene, world in worlds}
    return {scene: one.owes for scene, one in found.items() if one is not None}


def _drawn(
    params: Params, planner: Planner, scenes: pa.Table, layouts: pa.Table
) -> Iterator[tuple[Row, World]]:
    """Scenes that were drawn, each with what was measured of it."""
    drawn: dict[str, list[Row]] = defaultdict(list)
    wanted = pc.is_in(layouts["scene_id"], pa.array(scenes["scene_id"].to_pylist(), pa.string()))
    for row in layouts.filter(wanted).to_pylist():
        drawn[row["scene_id"]].append(row)
    for scene in scenes.to_pylist():
        if layout := drawn[scene["scene_id"]]:
            yield scene, World(Graph.of(scene), layout, params.render.size, planner.stock.clash)


def _asked(planner: Planner, scene: Row, world: World) -> tuple[TaskKit, Asked | None]:
    """What is asked about a picture, and with what that was found."""
    task = task_of(scene["subtask"])
    name = Key(task.name, FREE_FORM).question_id(scene["scene_id"])
    kit = planner.kit(task, "question", name, scene["ordinal"])
    return kit, task.ask(kit, world)


def _about(planner: Planner, scene: Row, world: World) -> Row | None:
    """The question about a picture; None where nothing can surely be asked."""
    task = task_of(scene["subtask"])
    key = Key(task.name, FREE_FORM)
    name = key.question_id(scene["scene_id"])
    kit, one = _asked(planner, scene, world)
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
