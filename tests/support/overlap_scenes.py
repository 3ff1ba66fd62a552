"""Snapshots for the tests of overlaps: made in memory, and written as folders."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import yaml
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params, load_params, validate
from lvlmbench.config.identity import PROJECT_ROOT, vocabulary_dir
from lvlmbench.config.project import project_of
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.render.shard import make_renderer, png_bytes
from lvlmbench.suites.suite import build_shard
from lvlmbench.versions.content import Rows, Scenes, questions_of


def parameters(seed: int, scenes: int, **corpus: Any) -> Params:
    """The default ones with another seed and so many scenes of each subtask."""
    given = load_params(PROJECT_ROOT / "params.yaml", "dysca").model_dump(mode="json")
    given["snapshot"] |= {"seed": seed, "name": f"seed-{seed}"}
    given["corpus"] |= {"scenes_per_subtask": scenes, **corpus}
    given["render"]["size"] = 64
    return validate(given)


def corpus(params: Params) -> tuple[pa.Table, pa.Table]:
    """All scenes and questions."""
    vocabulary = load_vocabulary(vocabulary_dir(params))
    return build_shard(params, vocabulary, 0, params.corpus.n_scenes)


def text_side(seed: int, scenes: int) -> tuple[Scenes, Rows]:
    """Scenes and questions as overlaps are told from them."""
    of_scenes, of_questions = corpus(parameters(seed, scenes))
    found = Scenes.of([of_scenes])
    return found, questions_of([of_questions], found)


def drawn(params: Params, scenes: pa.Table, limit: int | None = None) -> dict[str, bytes]:
    """Scene -> its picture as PNG, of those that the renderer draws."""
    renderer = make_renderer(params, load_vocabulary(vocabulary_dir(params)))
    out: dict[str, bytes] = {}
    for scene in scenes.to_pylist():
        if renderer.refuses(scene) is None:
            out[scene["scene_id"]] = png_bytes(renderer.draw(scene).image)
        if len(out) == limit:
            break
    return out


def _parts(table: pa.Table, folder: Path, schema: tables.Table, rows: int) -> None:
    for shard, start in enumerate(range(0, table.num_rows, rows)):
        tables.write(table.slice(start, rows), folder / tables.part_name(shard), schema, "test")


def image_rows(pictures: dict[str, bytes]) -> pa.Table:
    """Rows of ``tables.IMAGES``: scene -> encoded picture."""
    blank = dict.fromkeys(tables.IMAGES.names)
    rows = [
        blank
        | {
            "image_id": f"image-of-{scene}",
            "scene_id": scene,
            "scenario": "clean",
            "image": {"bytes": data, "path": None},
            "sha256": hashlib.sha256(data).hexdigest(),
        }
        for scene, data in pictures.items()
    ]
    return tables.IMAGES.of(rows)


def write_snapshot(
    folder: Path, params: Params, pictures: dict[str, bytes] | None = None, rows: int = 40
) -> None:
    """A folder with what overlaps are told from, in shards of ``rows`` rows."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "params.yaml").write_text(yaml.safe_dump(project_of(params).model_dump(mode="json")))
    scenes, questions = corpus(params)
    _parts(scenes, folder / "data/dysca/scenes", tables.SCENES, rows)
    _parts(questions, folder / "data/dysca/questions", tables.QUESTIONS, rows)
    if pictures:
        _parts(image_rows(pictures), folder / "data/dysca/images/clean", tables.IMAGES, rows)


def jpeg(data: bytes, quality: int) -> bytes:
    """A picture as JPEG."""
    out = io.BytesIO()
    opened(data).save(out, "JPEG", quality=quality)
    return out.getvalue()


def opened(data: bytes) -> Image.Image:
    """A picture to work on."""
    with Image.open(io.BytesIO(data)) as picture:
        return picture.convert("RGB")


def png(picture: Image.Image) -> bytes:
    """A picture as PNG."""
    return png_bytes(picture)


def noisy(picture: Image.Image, sigma: float) -> Image.Image:
    """Gaussian noise on every pixel."""
    pixels = np.asarray(picture, dtype=np.float64)
    pixels = pixels + np.random.default_rng(0).normal(0, sigma, pixels.shape)
    return Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8))
