"""One shard of the render stage: scenes in, images and verdicts out."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
from PIL import Image

from lvlmbench import seeding, tables
from lvlmbench.config import Params
from lvlmbench.corpus.exclusion import Exclusion
from lvlmbench.corpus.shards import image_range, image_shards, parts_overlapping
from lvlmbench.corpus.vocabulary import Vocabulary
from lvlmbench.errors import UserError
from lvlmbench.render.base import RENDERERS, Renderer, Scene

SCENARIO = "clean"

_UNTOUCHED = {
    "kind": None,
    "severity": None,
    "parameters": None,
    "printed_text": None,
    "epsilon": None,
    "proxy": None,
}


def make_renderer(params: Params, vocabulary: Vocabulary) -> Renderer:
    """The renderer that the parameters name.

    Raises
    ------
    UserError
        No renderer of that name is registered, or it cannot be made.
    """
    return RENDERERS.get(params.render.renderer, "render.renderer")(params, vocabulary)


def shard_of(params: Params, shard: int, parts: Sequence[Path]) -> pa.Table:
    """The scenes of an image shard, from the scenes parts that overlap it.

    Raises
    ------
    UserError
        There is no such shard, a part is missing, or the parts belong to other parameters.
    """
    if not 0 <= shard < image_shards(params):
        raise UserError("--shard", f"there is no shard {shard}", f"0 to {image_shards(params) - 1}")
    start, stop = image_range(params, shard)
    size = params.corpus.shard_scenes
    by_name = {path.name: path for path in parts}
    numbers = parts_overlapping(start, stop, size)
    names = [tables.part_name(number) for number in numbers]
    missing = [name for name in names if name not in by_name]
    if missing:
        raise UserError("--scenes", f"{missing[0]} is missing", f"give {' and '.join(names)}")
    found = tables.read([by_name[name] for name in names], tables.SCENES)
    first = start - numbers[0] * size
    if found.num_rows < first + stop - start:
        raise UserError(
            "--scenes",
            f"has {found.num_rows} scenes, fewer than the parameters plan",
            "make the corpus again with the same parameters",
        )
    return found.slice(first, stop - start)


def png_bytes(image: Image.Image) -> bytes:
    """The image as PNG; fast level 1 (see docs/renderers.md for sizes and times)."""
    sink = io.BytesIO()
    image.save(sink, "PNG", compress_level=1)
    return sink.getvalue()


def render_scenes(
    renderer: Renderer, scenes: Iterable[Scene], exclusion: Exclusion
) -> Iterator[tuple[dict[str, Any] | None, dict[str, Any]]]:
    """For each scene its image row (None where it is left out or refused) and its verdict row."""
    for scene in scenes:
        image_id = seeding.item_id(scene["scene_id"], SCENARIO)
        reason = exclusion.reason(scene) or renderer.refuses(scene)
        verdict = {
            "image_id": image_id,
            "scene_id": scene["scene_id"],
            "filter": "render",
            "score": None,
            "threshold": None,
            "keep": reason is None,
            "reason": reason,
            "note": None,
        }
        if reason is not None:
            yield None, verdict
            continue
        image = renderer.draw(scene)
        data = png_bytes(image)
        row = {
            "image_id": image_id,
            "scene_id": scene["scene_id"],
            "question_id": None,
            "scenario": SCENARIO,
            "perturbation": _UNTOUCHED,
            "image": {"bytes": data, "path": f"{image_id}.png"},
            "width": image.width,
            "height": image.height,
            "sha256": hashlib.sha256(data).hexdigest(),
            "renderer": renderer.name,
            "renderer_version": renderer.version,
            "seed": scene["seed"],
        }
        yield row, verdict


def render_shard(
    params: Params, vocabulary: Vocabulary, scenes: pa.Table, renderer: Renderer | None = None
) -> tuple[pa.Table, pa.Table]:
    """Images and verdicts of these scenes, in their order.

    A scene that shows what ``vocabulary.exclude`` lists gets a verdict and no image; the rows of
    all others are what they are without it.

    Parameters
    ----------
    scenes
        Rows of :data:`lvlmbench.tables.SCENES`.
    renderer
        One that is made already; by default the one that ``params`` names.
    """
    renderer = renderer if renderer is not None else make_renderer(params, vocabulary)
    images: list[dict[str, Any]] = []
    verdicts: list[dict[str, Any]] = []
    for row, verdict in render_scenes(renderer, _rows(scenes), Exclusion.of(params)):
        if row is not None:
            images.append(row)
        verdicts.append(verdict)
    return (
        pa.Table.from_pylist(images, schema=tables.IMAGES),
        pa.Table.from_pylist(verdicts, schema=tables.VERDICTS),
    )


def _rows(scenes: pa.Table) -> Iterator[Scene]:
    for batch in scenes.to_batches(max_chunksize=256):
        yield from batch.to_pylist()
