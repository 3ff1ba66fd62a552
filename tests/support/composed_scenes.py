"""Composed scenes for tests: planned, drawn, measured and asked about, without a pipeline."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import pyarrow as pa
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core import seeding
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.stages.render.layout import Instance
from lvlmbench.suites.suite import suite_of
from support.render_scenes import vocabulary


@dataclass(frozen=True)
class Made:
    """Scenes with their pictures, layouts and questions."""

    params: Params
    scenes: pa.Table
    images: Mapping[str, Image.Image]
    layouts: pa.Table
    questions: pa.Table


def composed(seed: int = 5, size: int = 512, **corpus: Any) -> Params:
    """Parameters of a suite of composed scenes."""
    return validate(
        {
            "suite": "composed",
            "kind": "composed",
            "snapshot": {"seed": seed},
            "render": {"size": size},
            "corpus": {"drawable_by": "pictograph", "scenes_per_subtask": 6, **corpus},
        }
    )


def layout_rows(scene: Mapping[str, Any], layout: tuple[Instance, ...]) -> list[dict[str, Any]]:
    """The rows of a picture in the table of layouts."""
    image_id = seeding.item_id(scene["scene_id"], CLEAN)
    return [one.row(image_id, scene["scene_id"], n) for n, one in enumerate(layout)]


@cache
def made(seed: int = 5, size: int = 512, scenes: int = 6, subtasks: tuple[str, ...] = ()) -> Made:
    """All of a small suite."""
    more: dict[str, Any] = {"subtasks": list(subtasks)} if subtasks else {}
    params = composed(seed, size, scenes_per_subtask=scenes, **more)
    suite, known = suite_of(params), vocabulary()
    planned = suite.scenes(params, known, 0, params.corpus.n_scenes)
    renderer = PictographRenderer(params, known)
    images, rows = {}, []
    for scene in planned.to_pylist():
        if renderer.refuses(scene) is None:
            depiction = renderer.draw(scene)
            images[scene["scene_id"]] = depiction.image
            rows += layout_rows(scene, depiction.layout or ())
    layouts = tables.LAYOUTS.of(rows)
    questions = suite.questions(params, known, planned, layouts)
    return Made(params, planned, images, layouts, questions)
