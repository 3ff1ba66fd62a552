"""What every renderer's shard is made with: its scenes, its renderer, the rows of its tables."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.config.shards import image_range, image_shards, parts_overlapping
from lvlmbench.core import seeding
from lvlmbench.core.blame import check_made
from lvlmbench.core.errors import UserError
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.render.choice import chosen
from lvlmbench.stages.render.renderer import RENDERERS, Renderer, Scene

_UNTOUCHED = {
    "kind": None,
    "severity": None,
    "parameters": None,
    "printed_text": None,
    "epsilon": None,
    "proxy": None,
}


def make_renderer(
    params: Params,
    vocabulary: Vocabulary,
    name: str | None = None,
    where: str = "render.renderer",
) -> Renderer:
    """The renderer that the parameters name, or the one called ``name``, which ``where`` gave.

    Raises
    ------
    UserError
        No renderer of that name is registered, or it cannot be made.
    """
    name = name if name is not None else chosen(params).renderer
    kind = RENDERERS.get(name, where)
    found: Renderer = kind(params, vocabulary)
    of, needs = f"renderer '{name}'", ("name", "version", "refuses", "draw")
    check_made(found, of, *needs, example="docs/extending.md", maker=kind.make)
    return found


def shard_of(params: Params, shard: int, parts: Sequence[Path]) -> pa.Table:
    """The scenes of an image shard, from the scenes parts that overlap it.

    Behind each of them are those that show it again, in other styles.

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
    planned = tables.read([by_name[name] for name in names], tables.SCENES)
    found = planned.filter(planned["base"].is_null())
    first = start - numbers[0] * size
    if found.num_rows < first + stop - start:
        raise UserError(
            "--scenes",
            f"has {found.num_rows} scenes, fewer than the parameters plan",
            "make the corpus again with the same parameters",
        )
    found = found.slice(first, stop - start)
    again = planned.filter(pc.is_in(planned["base"], value_set=found["scene_id"], skip_nulls=True))
    return tables.behind_bases(pa.concat_tables([found, again]))


def png_bytes(image: Image.Image) -> bytes:
    """The image as PNG; fast level 1 (see docs/scenes.md for sizes and times)."""
    sink = io.BytesIO()
    image.save(sink, "PNG", compress_level=1)
    return sink.getvalue()


def verdict_row(scene: Scene, reason: str | None) -> dict[str, Any]:
    """Row of the renderer's verdicts: ``reason`` says why a scene has no image."""
    return {
        "image_id": seeding.item_id(scene["scene_id"], CLEAN),
        "scene_id": scene["scene_id"],
        "filter": "render",
        "score": None,
        "threshold": None,
        "keep": reason is None,
        "reason": reason,
        "note": None,
    }


def image_row(
    scene: Scene, seed: int, data: bytes, renderer: str, renderer_version: str
) -> dict[str, Any]:
    """Row of the images; ``data`` is the picture as PNG, ``seed`` the one it was drawn from."""
    image_id = seeding.item_id(scene["scene_id"], CLEAN)
    with Image.open(io.BytesIO(data)) as picture:
        width, height = picture.size
    return {
        "image_id": image_id,
        "scene_id": scene["scene_id"],
        "question_id": None,
        "scenario": CLEAN,
        "perturbation": _UNTOUCHED,
        "image": {"bytes": data, "path": f"{image_id}.png"},
        "width": width,
        "height": height,
        "sha256": hashlib.sha256(data).hexdigest(),
        "renderer": renderer,
        "renderer_version": renderer_version,
        "seed": seed,
    }
