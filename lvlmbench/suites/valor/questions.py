"""What is asked about a picture: to describe it, of which the truth is known."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.scene.asking import Key
from lvlmbench.scene.claims import KINDS, Feature
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.structured import reference
from lvlmbench.scene.truth import feature_of, table_of
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.making import Row, measured
from lvlmbench.suites.suite import measuring
from lvlmbench.suites.valor.association.drawable import associated
from lvlmbench.suites.valor.probes import probes
from lvlmbench.suites.valor.scenes import Planner, subset_of
from lvlmbench.tables import QUESTIONS, TRUTH

FREE_FORM, STRUCTURED, PROBE = "free_form", "structured", "true_false"

#: Kind of features that probes are held against.
OBJECT = KINDS[0]


def ask(params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table) -> pa.Table:
    """Return the questions about scenes that were drawn, in their order.

    Parameters
    ----------
    scenes, layouts
        Rows of :data:`lvlmbench.tables.SCENES` and :data:`lvlmbench.tables.LAYOUTS`; a scene
        without a layout is not asked about, nor is one of whose picture nothing is owed.
    """
    planner, side = Planner(params, vocabulary), params.render.size
    shown: dict[str, list[Feature]] = defaultdict(list)
    for row in truth(params, vocabulary, scenes, layouts).to_pylist():
        shown[row["scene_id"]].append(feature_of(row))
    drawn: dict[str, list[Row]] = defaultdict(list)
    for row in layouts.to_pylist():
        drawn[row["scene_id"]].append(row)
    rows: list[Row] = []
    for scene in scenes.to_pylist():
        name = scene["scene_id"]
        features = shown[name]
        if drawn[name] and not all(each.optional for each in features):
            world = World(Graph.of(scene), drawn[name], side, planner.stock.clash)
            rows += _about(planner, scene, world, features)
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


def _about(
    planner: Planner, scene: Row, world: World, features: Sequence[Feature]
) -> Iterator[Row]:
    """The requests for a description of a picture, in words and in a form, and what else is asked.

    ``features`` are what the picture shows.
    """
    subset = subset_of(scene["subtask"])
    key = Key(subset.name, FREE_FORM)
    # Scenes of one layout are asked for in the same words.
    kit = planner.kit(subset, "question", key.question_id(scene["pair"] or scene["scene_id"]))
    prior = subset.prior(kit, world.graph)
    factors = {**measured(world), "hops": 0, "near": 0, "prior": prior}
    yield {
        **_common(scene, key),
        "question": kit.draws.pick(subset.questions),
        "options": [],
        "answer": subset.said(kit, world),
        "factors": factors,
    }
    yield {
        **_common(scene, Key(subset.name, STRUCTURED)),
        "question": subset.form.prompt,
        "options": [],
        "answer": reference(subset.form, features),
        "factors": factors,
    }
    if subset.probed and planner.own.probes:
        known = associated(planner.own.association, planner.stock)
        kit = planner.kit(subset, "probes", scene["scene_id"])
        named = {form for each in features if each.kind == OBJECT for form in each.forms}
        found = probes(kit, known, world, named, planner.leads, planner.own.probes)
        for about, fields in found:
            yield {**_common(scene, Key(subset.name, PROBE, about)), **fields}


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
