"""Reference models answer by quick vectors, and nobody can tell: the exact ones decide in doubt."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
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
from lvlmbench.stages.reference.captions import KIND, phrase
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


def near_tie(model: ZeroShot, texts: F64) -> tuple[int, int, F64, F64]:
    """Two of some texts, an exact vector by which the first is ahead by a hair, and a quick one by
    which the second is: no cosine of the two differs by more than is allowed."""
    for i, j in itertools.permutations(range(len(texts)), 2):
        between = texts[i] + texts[j]
        between /= np.linalg.norm(between)
        others = np.delete(texts @ between, [i, j])
        if not len(others) or others.max() < (texts @ between)[i] - 4 * ERROR:
            step = texts[i] - texts[j]
            step *= ERROR / (step @ step)
            return i, j, between + step, between - 0.9 * step
    raise AssertionError("no two of the texts are nearest to what lies between them")


def of(model: ZeroShot, aspect: str) -> tuple[list[str], F64]:
    """Labels of an aspect and the vectors of their phrases."""
    return list(model.labels.of[aspect]), model._phrases[model.labels.span(aspect)]


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


def test_whatever_is_decided_is_left_open_where_it_is_near(params: Params, folder: Path) -> None:
    model = zero_shot.zero_shot(folder, vocabulary_dir(params))
    animals, vectors = of(model, "animal")
    i, j, exact, quick = near_tie(model, vectors)
    pair = [animals[j], animals[i]]
    strange = ["a zorb of glass", "a heap of tin"]
    texts = model.encoder.texts([phrase("animal", each) for each in strange])[0]
    _, _, exact_strange, quick_strange = near_tie(model, texts)
    _, _, exact_kind, quick_kind = near_tie(model, of(model, KIND)[1])
    _, _, exact_number, quick_number = near_tie(model, of(model, "number")[1])
    many = "How many cars are in the picture? Answer with one number or one word only."
    which = "Which animal is it?"
    claim = ("animal", animals[i])
    limit = (model.odds(*claim, exact) + model.odds(*claim, quick)) / 2
    decided: list[tuple[Callable[[F64, float], object], F64, F64]] = [
        (lambda v, e: model.best("animal", v, e), exact, quick),
        (lambda v, e: model.option(which, pair, v, e), exact, quick),
        (lambda v, e: model.option(which, strange, v, e), exact_strange, quick_strange),
        (lambda v, e: model.short(many, v, e), exact_number, quick_number),
        (lambda v, e: model.describe(v, e), exact_kind, quick_kind),
        (lambda v, e: model.above(claim, limit, v, e), exact, quick),
    ]
    for decide, right, near in decided:
        assert decide(right, 0.0) != decide(near, 0.0), "else nothing would depend on it"
        with pytest.raises(Unsure):
            decide(near, ERROR)


def test_the_exact_vector_decides_what_is_near(params: Params, folder: Path) -> None:
    known = zero_shot.zero_shot(folder, vocabulary_dir(params))
    animals, vectors = of(known, "animal")
    i, j, exact, quick = near_tie(known, vectors)

    def seeing(vector: F64) -> Any:
        return SimpleNamespace(images=lambda pictures: np.stack([vector] * len(pictures)))

    model = ZeroShot(seeing(exact), known.labels, seeing(quick))
    model.__dict__["_phrases"] = known._phrases
    sink = io.BytesIO()
    Image.new("RGB", (64, 64), "white").save(sink, "PNG")
    item = Item(
        question_id="q", scene_id="s", subtask="animal", question_type="multiple_choice",
        question="Which animal is it?", options=(animals[j], animals[i]), prompt="p",
        image=sink.getvalue(), image_id="i", image_sha256="0",
    )  # fmt: skip
    assert answers(params, folder, [item], model) == [f"(B) {animals[i]}"]


def test_a_doubt_is_told() -> None:
    scores = np.array([0.3, 0.5, 0.5 - ERROR, 0.1])
    assert zero_shot._top(scores, 0.0) == 1
    assert zero_shot._top(scores, ERROR / 2.1) == 1
    with pytest.raises(Unsure):
        zero_shot._top(scores, ERROR / 1.9)
    assert zero_shot._top(np.array([0.2, 0.7, 0.7]), 0.0) == 1, "ties go to the first"
    assert zero_shot._top(np.array([0.2]), ERROR) == 0
