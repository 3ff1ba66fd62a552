"""Composed scenes that were planned, drawn and measured, for the oracle to be asked about.

Some are jostled: their things are drawn at other places than the solver found, so that they hide
one another, stand nearly level or lie close by. What is asked must still be true of the picture.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from PIL import Image

from lvlmbench.config import Params, validate
from lvlmbench.core.seeding import item_id
from lvlmbench.scene import panels
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.vocabulary import Vocabulary, load_vocabulary
from lvlmbench.stages.render.kinds.pictograph import arrangement
from lvlmbench.stages.render.kinds.pictograph.arrangement import Plan
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.suites.composed.settings import Composing
from lvlmbench.suites.suite import suite_of
from lvlmbench.tables import LAYOUTS

FOLDER = Path(__file__).parents[2] / "data" / "vocabulary"

Row = dict[str, Any]

#: A level of a user's own: two steps in one picture of many things.
DEEP: Row = {
    "things": [5, 8], "span": [128, 190], "background": True, "style": True, "weather": True,
    "hops": 2, "near": 3,
}  # fmt: skip


@cache
def vocabulary() -> Vocabulary:
    """Return the vocabulary of the checkout."""
    return load_vocabulary(FOLDER)


def params_of(scenes: int, skills: Sequence[str] = (), side: int = 256, seed: int = 0) -> Params:
    """Return params of so many scenes a skill."""
    levels = {name: level.model_dump() for name, level in Composing().levels.items()}
    corpus: Row = {
        "drawable_by": "pictograph", "scenes_per_subtask": scenes,
        "composed": {"levels": {**levels, "deep": DEEP}},
    }  # fmt: skip
    if skills:
        corpus["subtasks"] = list(skills)
    return validate(
        {
            "kind": "composed", "suite": "composed", "corpus": corpus,
            "render": {"size": side}, "snapshot": {"seed": seed},
        }
    )  # fmt: skip


class Jostled(PictographRenderer):
    """Draws each thing up to a share of the side away from where the solver put it."""

    share = 0.16

    def _plans(self, graph: Graph, streams: Any) -> list[Plan] | None:
        found = super()._plans(graph, streams)
        if found is None:
            return found
        rng = random.Random(str(graph.objects))
        left, top, right, bottom = panels.first(graph.panels)
        by = {}
        moved = []
        for plan in found:
            slot, corner = (plan.object.slot, plan.copy), panels.origins(graph.panels)
            x0, y0 = corner[plan.object.panel or 0]
            limit = int(1000 * self.share) if graph.panels == 1 else 45
            by.setdefault(slot, [rng.randint(-limit, limit) for _ in "xy"])
            own = by[slot]
            if graph.panels > 1 and rng.random() < 0.2:  # a shift that only this panel has
                own = [at + rng.randint(-60, 60) for at in own]
            half = (plan.object.span or 0) // 2 + 12
            center = tuple(
                min(max(at + step, low + half), high - half)
                for at, step, low, high in zip(
                    plan.center, own, (left + x0, top + y0), (right + x0, bottom + y0), strict=True
                )
            )
            moved.append(replace(plan, center=center))
        return moved


class Crowded(Jostled):
    """Draws things so far from their places that many hide others."""

    share = 0.4


@dataclass(frozen=True)
class Sample:
    """Scenes that were drawn, with their layouts."""

    params: Params
    scenes: pa.Table
    layouts: pa.Table
    refused: tuple[str, ...]

    def rows(self) -> Iterable[tuple[Row, list[Row]]]:
        """Yield each scene that was drawn, with its layout."""
        by_scene: dict[str, list[Row]] = {}
        for row in self.layouts.to_pylist():
            by_scene.setdefault(row["scene_id"], []).append(row)
        for scene in self.scenes.to_pylist():
            if scene["scene_id"] in by_scene:
                yield scene, by_scene[scene["scene_id"]]

    def asked(self, seeds: Iterable[int] = (0,)) -> list[Row]:
        """Return what the suite asks about them: with each seed, other things."""
        suite, found = suite_of(self.params), []
        for seed in seeds:
            snapshot = self.params.snapshot.model_copy(update={"seed": seed})
            params = self.params.model_copy(update={"snapshot": snapshot})
            found += suite.questions(params, vocabulary(), self.scenes, self.layouts).to_pylist()
        return found


def drawn(params: Params, renderer: PictographRenderer | None = None) -> Sample:
    """Return all scenes of params, drawn."""
    renderer = renderer or PictographRenderer(params, vocabulary())
    scenes = suite_of(params).scenes(params, vocabulary(), 0, params.corpus.n_scenes)
    rows: list[Row] = []
    refused = []
    for scene in scenes.to_pylist():
        why = renderer.refuses(scene)
        if why is not None:
            refused.append(f"{scene['subtask']}: {why}")
            continue
        rows += laid_out(renderer, scene)
    return Sample(params, scenes, LAYOUTS.of(rows), tuple(refused))


def laid_out(renderer: PictographRenderer, scene: Mapping[str, Any]) -> list[Row]:
    """Return the layout of a scene: rows of the table layouts."""
    image, found = item_id(scene["scene_id"], "clean"), renderer.draw(scene).layout
    return [one.row(image, scene["scene_id"], number) for number, one in enumerate(found)]


@dataclass(frozen=True)
class Buffers:
    """Id buffers of a scene: all things together, each alone, which they are."""

    pixels: npt.NDArray[np.uint8]
    together: npt.NDArray[np.uint8]
    alone: list[npt.NDArray[np.uint8]]
    objects: list[tuple[str, int]]


def buffers_of(renderer: PictographRenderer, scene: Mapping[str, Any]) -> Buffers:
    """Return the id buffers of a scene before its style."""
    picture = renderer.compose(scene)
    assert picture.marked is not None
    graph = Graph.of(scene)
    found = renderer._plans(graph, renderer._streams(scene))
    assert found is not None
    alone = []
    for plan in found:
        blank = Image.new("RGB", picture.image.size)
        one = arrangement.compose(blank, [plan], renderer._cache)
        assert one.marked is not None
        alone.append(np.asarray(one.marked.ids))
    objects = [(each.object, each.panel) for each in picture.marked.placed]
    return Buffers(np.asarray(picture.image), np.asarray(picture.marked.ids), alone, objects)
