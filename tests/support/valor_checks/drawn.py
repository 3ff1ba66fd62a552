"""Scenes of each subset: planned, drawn and measured, without a pipeline."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.scene.claims import Scope, Truth
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.truth import from_rows, measured_of
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.suites.suite import suite_of
from support.composed_scenes import layout_rows
from support.render_scenes import vocabulary


@dataclass(frozen=True)
class Subset:
    """The scenes of a subset.

    Attributes
    ----------
    scope
        What of an answer counts.
    truths
        Scene -> what is so in its picture, as the table ``truth`` and its layout have it.
    """

    name: str
    scope: Scope
    truths: Mapping[str, Truth]


def valor(seed: int, scenes: int, size: int) -> Params:
    """Parameters of a suite with so many scenes a subset."""
    return validate(
        {
            "suite": "valor",
            "kind": "valor",
            "snapshot": {"seed": seed},
            "render": {"size": size},
            "corpus": {"drawable_by": "pictograph", "scenes_per_subtask": scenes},
        }
    )


def subsets(seed: int, scenes: int, size: int = 256) -> list[Subset]:
    """Draw the scenes of a seed; those that cannot be drawn are left out."""
    params, known = valor(seed, scenes, size), vocabulary()
    suite = suite_of(params)
    planned = suite.scenes(params, known, 0, params.corpus.n_scenes)
    renderer = PictographRenderer(params, known)
    layouts: dict[str, list[dict[str, Any]]] = {}
    for scene in planned.to_pylist():
        if renderer.refuses(scene) is None:
            depiction = renderer.draw(scene)
            layouts[scene["scene_id"]] = layout_rows(scene, depiction.layout or ())
    measured = tables.LAYOUTS.of(row for rows in layouts.values() for row in rows)
    features: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in suite.truth(params, known, planned, measured).to_pylist():
        features[row["scene_id"]].append(row)
    truths: dict[str, dict[str, Truth]] = defaultdict(dict)
    for scene in planned.to_pylist():
        name = scene["scene_id"]
        if layouts.get(name):
            geometry = measured_of(Graph.of(scene), layouts[name], size)
            truths[scene["subtask"]][name] = from_rows(features[name], geometry)
    return [Subset(name, scope, truths[name]) for name, scope in suite.scopes(params).items()]
