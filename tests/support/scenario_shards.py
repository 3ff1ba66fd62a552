"""Made shards of clean images for tests of scenarios."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from typing import Any

import numpy as np
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.config.shards import subtask_ranges
from lvlmbench.core.seeding import item_id
from lvlmbench.stages.scenario.scenario import SCENARIOS, Row, Scenario, Shard


def parameters(*noisy: dict[str, Any], **sections: Any) -> Params:
    """Parameters with these scenarios; three scenes of each subtask."""
    names = ["clean", *(spec["name"] for spec in noisy)]
    corpus = {"scenes_per_subtask": 3, "subtasks": ["animal", "color", "text"]}
    return validate(
        {"corpus": corpus, "scenarios": {"names": names, "noisy": list(noisy)}, **sections}
    )


def scenario(params: Params, name: str, **weights: Any) -> Scenario:
    """The scenario called ``name``, ready to be applied."""
    spec = params.scenarios.spec(name)
    return SCENARIOS.get(spec.registered, "test").make(params, spec, weights)


def picture(number: int, size: int = 64) -> bytes:
    """A PNG with something to see in it; another one for each number."""
    rng = np.random.default_rng(number)
    pixels = np.full((size, size, 3), rng.integers(0, 256, 3), np.uint8)
    pixels[size // 4 : size // 2, size // 3 :] = rng.integers(0, 256, 3)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def clean_shard(params: Params, missing: Sequence[int] = (), size: int = 64) -> Shard:
    """All planned scenes with an image each, except those at the ``missing`` places."""
    images, scenes, questions = [], [], []
    for subtask, (start, stop) in subtask_ranges(params).items():
        for at in range(start, stop):
            scene_id, data = item_id("scene", at), picture(at, size)
            scenes.append({"scene_id": scene_id, "subtask": subtask, "ordinal": at - start})
            questions.append(
                {"question_id": item_id("question", at), "scene_id": scene_id, "subtask": subtask}
            )
            if at not in missing:
                image_id = item_id("image", at)
                images.append(
                    {
                        "image_id": image_id,
                        "scene_id": scene_id,
                        "scenario": "clean",
                        "image": {"bytes": data, "path": f"{image_id}.png"},
                        "width": size,
                        "height": size,
                        "sha256": hashlib.sha256(data).hexdigest(),
                        "renderer": "made",
                        "renderer_version": "1",
                        "seed": at,
                    }
                )
    table = tables.IMAGES.of(images)
    return Shard(
        images=table,
        scenes=tables.SCENES.of(scenes),
        questions=tables.QUESTIONS.of(questions),
        around=table,
    )


def part(shard: Shard, *places: int) -> Shard:
    """The shard with these clean images alone; what is around them stays."""
    return Shard(shard.images.take(list(places)), shard.scenes, shard.questions, shard.around)


def applied(params: Params, name: str, shard: Shard) -> list[Row]:
    """Rows of a scenario, as they come back from a table."""
    rows = list(scenario(params, name).apply(shard))
    found: list[Row] = tables.IMAGES.of(rows).to_pylist()
    return found
