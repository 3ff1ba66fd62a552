"""Scenes of the suite ``valor`` for tests: planned, drawn, measured and asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.world import World
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.suites.graphs.stock import stock_of
from lvlmbench.suites.suite import suite_of
from support.composed_scenes import layout_rows
from support.render_scenes import vocabulary

SUBSETS = ("valor_objects", "valor_attributes", "valor_people", "valor_positions", "valor_sizes")

Row = dict[str, Any]


def params_of(
    scenes: int, seed: int = 5, size: int = 512, subsets: tuple[str, ...] = (), **own: Any
) -> Params:
    """Parameters of so many scenes a subset."""
    corpus: Row = {"drawable_by": "pictograph", "scenes_per_subtask": scenes, "valor": own}
    if subsets:
        corpus["subtasks"] = list(subsets)
    return validate(
        {
            "suite": "valor", "kind": "valor", "snapshot": {"seed": seed},
            "render": {"size": size}, "corpus": corpus,
        }
    )  # fmt: skip


@dataclass(frozen=True)
class Described:
    """Scenes with their layouts, truths, questions and designs."""

    params: Params
    scenes: pa.Table
    layouts: Mapping[str, list[Row]]
    truth: Mapping[str, list[Row]]
    questions: list[Row]
    designs: list[Row]
    refused: Mapping[str, str]

    def of(self, subset: str) -> list[Row]:
        """Rows of the scenes of a subset that were drawn, in their order."""
        return [
            row
            for row in self.scenes.to_pylist()
            if row["subtask"] == subset and row["scene_id"] in self.layouts
        ]

    def world(self, scene: Row) -> World:
        """What the picture of a scene shows."""
        stock = stock_of(vocabulary(), self.params.corpus.drawable_by)
        layout = self.layouts[scene["scene_id"]]
        return World(Graph.of(scene), layout, self.params.render.size, stock.clash)

    def asked(self, question_type: str) -> list[Row]:
        """Questions of a type."""
        return [row for row in self.questions if row["question_type"] == question_type]


@cache
def described(scenes: int = 8, seed: int = 5, subsets: tuple[str, ...] = ()) -> Described:
    """Return all of a small suite."""
    params, known = params_of(scenes, seed, subsets=subsets), vocabulary()
    suite, renderer = suite_of(params), PictographRenderer(params_of(scenes, seed), vocabulary())
    planned = suite.scenes(params, known, 0, params.corpus.n_scenes)
    layouts: dict[str, list[Row]] = {}
    refused = {}
    for scene in planned.to_pylist():
        why = renderer.refuses(scene)
        if why is not None:
            refused[scene["scene_id"]] = why
        else:
            layouts[scene["scene_id"]] = layout_rows(scene, renderer.draw(scene).layout or ())
    table = tables.LAYOUTS.of([row for rows in layouts.values() for row in rows])
    truth: dict[str, list[Row]] = {name: [] for name in planned["scene_id"].to_pylist()}
    for row in suite.truth(params, known, planned, table).to_pylist():
        truth[row["scene_id"]].append(row)
    questions = suite.questions(params, known, planned, table).to_pylist()
    designs = suite.designs(params, known, 0, params.corpus.n_scenes).to_pylist()
    return Described(params, planned, layouts, truth, questions, designs, refused)
