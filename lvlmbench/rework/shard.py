"""One shard of the render stage: scenes in; images, verdicts and attempts out."""

from __future__ import annotations

import json
from typing import Any

import pyarrow as pa

from lvlmbench import seeding, tables
from lvlmbench.config import Params
from lvlmbench.corpus.exclusion import Exclusion
from lvlmbench.corpus.vocabulary import Vocabulary
from lvlmbench.render.base import Attempt, Drawn, Renderer, Sampler, sampler
from lvlmbench.render.run import SCENARIO, image_row, make_renderer, png_bytes, verdict_row


def render_shard(
    params: Params, vocabulary: Vocabulary, scenes: pa.Table, renderer: Renderer | None = None
) -> tuple[pa.Table, pa.Table, pa.Table]:
    """Images, verdicts and attempts of these scenes, in their order.

    A scene that shows what ``vocabulary.exclude`` lists gets a verdict and no image; the rows of
    all others are what they are without it.

    Parameters
    ----------
    scenes
        Rows of :data:`lvlmbench.tables.SCENES`.
    renderer
        One that is made already; by default the one that ``params`` names.
    """
    draws = sampler(renderer if renderer is not None else make_renderer(params, vocabulary))
    exclusion = Exclusion.of(params)
    images: list[dict[str, Any]] = []
    verdicts: list[dict[str, Any]] = []
    attempts: list[dict[str, Any]] = []
    for scene in scenes.to_pylist():
        reason = exclusion.reason(scene) or draws.refuses(scene)
        verdicts.append(verdict_row(scene, reason))
        if reason is not None:
            continue
        attempt = Attempt(scene, 0, scene["seed"])
        for drawn in draws.draw_batches(draws.batches([attempt])):
            images.append(image_row(draws, scene, attempt.seed, png_bytes(drawn.image)))
            attempts.append(_attempt_row(draws, drawn))
    return (
        pa.Table.from_pylist(images, schema=tables.IMAGES),
        pa.Table.from_pylist(verdicts, schema=tables.VERDICTS),
        pa.Table.from_pylist(attempts, schema=tables.ATTEMPTS),
    )


def _attempt_row(draws: Sampler, drawn: Drawn) -> dict[str, Any]:
    scene, making = drawn.attempt.scene, drawn.making
    return {
        "image_id": seeding.item_id(scene["scene_id"], SCENARIO),
        "scene_id": scene["scene_id"],
        "subtask": scene["subtask"],
        "attempt": drawn.attempt.number,
        "seed": drawn.attempt.seed,
        "renderer": draws.name,
        "renderer_version": draws.version,
        "outcome": "kept",
        "filter": None,
        "reason": None,
        "score": None,
        "threshold": None,
        "method": making.method,
        "prompt_tokens": making.prompt_tokens,
        "prompt_chunks": making.prompt_chunks,
        "prompt_tokens_cut": making.prompt_tokens_cut,
        "exact": making.exact,
        "batch": making.batch,
        "provenance": None if draws.provenance is None else json.dumps(draws.provenance),
    }
