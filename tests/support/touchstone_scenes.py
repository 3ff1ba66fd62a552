"""Scenes of the suite ``touchstone`` for tests: planned, drawn, measured and asked about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.suites.suite import suite_of
from support.composed_scenes import layout_rows
from support.render_scenes import vocabulary

Row = dict[str, Any]


def params_of(
    scenes: int, seed: int = 5, tasks: tuple[str, ...] = (), size: int = 512, **own: Any
) -> Params:
    """Parameters of so many scenes a task."""
    corpus: Row = {"drawable_by": "pictograph", "scenes_per_subtask": scenes, "touchstone": own}
    if tasks:
        corpus["subtasks"] = list(tasks)
    return validate(
        {
            "suite": "touchstone", "kind": "touchstone", "snapshot": {"seed": seed},
            "render": {"size": size}, "corpus": corpus,
        }
    )  # fmt: skip


@dataclass(frozen=True)
class Asked:
    """Scenes with their layouts, and the question about each that has one."""

    params: Params
    scenes: pa.Table
    layouts: Mapping[str, list[Row]]
    questions: Mapping[str, Row]
    refused: Mapping[str, str]

    @property
    def layout_table(self) -> pa.Table:
        """All layouts as a table."""
        return tables.LAYOUTS.of([row for rows in self.layouts.values() for row in rows])

    def pairs(self) -> list[tuple[Row, list[Row], Row]]:
        """Scenes with layout and question, in their order."""
        return [
            (scene, self.layouts[scene["scene_id"]], self.questions[scene["scene_id"]])
            for scene in self.scenes.to_pylist()
            if scene["scene_id"] in self.questions
        ]


@cache
def asked(tasks: tuple[str, ...], scenes: int = 8, seed: int = 5, turns: bool = True) -> Asked:
    """Return all of a small suite."""
    params, known = params_of(scenes, seed, tasks, turns=turns), vocabulary()
    suite, renderer = suite_of(params), PictographRenderer(params, known)
    planned = suite.scenes(params, known, 0, params.corpus.n_scenes)
    layouts, refused = dict[str, list[Row]](), dict[str, str]()
    for scene in planned.to_pylist():
        why = renderer.refuses(scene)
        if why is not None:
            refused[scene["scene_id"]] = why
        else:
            layouts[scene["scene_id"]] = layout_rows(scene, renderer.draw(scene).layout or ())
    table = tables.LAYOUTS.of([row for rows in layouts.values() for row in rows])
    questions = suite.questions(params, known, planned, table).to_pylist()
    return Asked(params, planned, layouts, {row["scene_id"]: row for row in questions}, refused)
