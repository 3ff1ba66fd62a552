"""Reference models answer by quick vectors, and nobody can tell: the exact ones decide in doubt."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from lvlmbench.config import Params, load_params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.answer.engine import Item
from lvlmbench.stages.answer.kinds.reference import Reference
from lvlmbench.stages.reference import zero_shot
from lvlmbench.stages.reference.folder import NAMES
from lvlmbench.stages.reference.zero_shot import ERROR, Unsure, ZeroShot
from lvlmbench.stages.render.shard import make_renderer, png_bytes
from lvlmbench.suites.suite import build_shard
from support import render_scenes

ROOT = Path(__file__).parents[3]
F64 = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def params() -> Params:
    return load_params(ROOT / "params.yaml", "dysca")


def noisy(image: Image.Image, seed: int) -> Image.Image:
    """The image with noise over it."""
    noise = np.random.default_rng(seed).integers(-60, 61, (*image.size, 3))
    pixels = np.clip(np.asarray(image).astype(int) + noise, 0, 255)
    return Image.fromarray(pixels.astype(np.uint8))


@pytest.fixture(scope="module")
def items(params: Params) -> list[Item]:
    """Questions about small drawn scenes; of each second one the image is noisy."""
    corpus = params.corpus.model_copy(update={"scenes_per_subtask": 2})
    few = params.model_copy(update={"corpus": corpus})
    vocabulary = load_vocabulary(vocabulary_dir(params))
    scenes, questions = build_shard(few, vocabulary, 0, few.corpus.n_scenes)
    renderer = make_renderer(render_scenes.params(64), vocabulary, "pictograph")
    shown = [row for row in scenes.to_pylist() if renderer.refuses(row) is None]
    files = {}
    for n, row in enumerate(shown):
        image = renderer.draw(row).image
        files[row["scene_id"]] = png_bytes(noisy(image, n) if n % 2 else image)
    return [
        Item(
            question_id=row["question_id"], scene_id=row["scene_id"], subtask=row["subtask"],
            question_type=row["question_type"], question=row["question"],
            options=tuple(row["options"] or ()), prompt=row["question"],
            image=files[row["scene_id"]], image_id="i", image_sha256=row["scene_id"],
        )
        for row in questions.to_pylist() if row["scene_id"] in files
    ]  # fmt: skip


class Shifted:
    """An encoder whose cosines are off by as much as is allowed, either way."""

    def __init__(self, exact: Any) -> None:
        self._exact = exact

    def images(self, pictures: Sequence[Image.Image]) -> F64:
        """Vectors beside the exact ones."""
        vectors: F64 = self._exact.images(pictures)
        away = np.random.default_rng(1).normal(size=vectors.shape)
        away *= ERROR / np.linalg.norm(away, axis=1, keepdims=True)
        return vectors + away


@pytest.fixture(scope="module", params=NAMES)
def folder(request: pytest.FixtureRequest) -> Path:
    return ROOT / "data" / "pinned" / str(request.param)


def answers(params: Params, folder: Path, items: list[Item], model: ZeroShot) -> list[str]:
    engine = Reference(params, folder)
    engine.__dict__["_model"] = model
    return [reply.text for _, reply in engine.answer(items)]


def test_quick_vectors_answer_as_the_exact_ones(
    params: Params, folder: Path, items: list[Item]
) -> None:
    model = zero_shot.zero_shot(folder, vocabulary_dir(params))
    assert model.quick is not None and model.quick is not model.encoder
    exact = answers(params, folder, items, ZeroShot(model.encoder, model.labels))
    assert answers(params, folder, items, model) == exact
    shifted: Any = Shifted(model.encoder)
    off = answers(params, folder, items, ZeroShot(model.encoder, model.labels, shifted))
    assert off == exact
    assert len({*exact}) > 60


def test_few_are_left_to_the_exact_vectors(
    params: Params, folder: Path, items: list[Item], monkeypatch: pytest.MonkeyPatch
) -> None:
    model = zero_shot.zero_shot(folder, vocabulary_dir(params))
    asked: list[int] = []
    whole = model.encoder.images

    def counted(pictures: Sequence[Image.Image]) -> F64:
        asked.append(len(pictures))
        return whole(pictures)

    monkeypatch.setattr(model.encoder, "images", counted)
    answers(params, folder, items, model)
    assert sum(asked) < 0.2 * len(items)


def test_the_error_of_quick_vectors_is_a_tenth_of_what_is_allowed(
    params: Params, folder: Path, items: list[Item]
) -> None:
    model = zero_shot.zero_shot(folder, vocabulary_dir(params))
    assert model.quick is not None
    files = [*dict.fromkeys(item.image or b"" for item in items)]
    pictures = [Image.open(io.BytesIO(file)).convert("RGB") for file in files]
    pictures += [Image.new("RGB", (64, 64), color) for color in ("black", "white", "red")]
    away = model.quick.images(pictures) - model.encoder.images(pictures)
    # No cosine with a unit vector is off by more than the length of the difference.
    assert np.linalg.norm(away, axis=1).max() < ERROR / 10


def test_a_doubt_is_told() -> None:
    scores = np.array([0.3, 0.5, 0.5 - ERROR, 0.1])
    assert zero_shot._top(scores, 0.0) == 1
    assert zero_shot._top(scores, ERROR / 2.1) == 1
    with pytest.raises(Unsure):
        zero_shot._top(scores, ERROR / 1.9)
    assert zero_shot._top(np.array([0.2, 0.7, 0.7]), 0.0) == 1, "ties go to the first"
    assert zero_shot._top(np.array([0.2]), ERROR) == 0
