"""The CLIP filter: what it keeps, what it tells of long texts, and whose threshold it takes."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_names
from lvlmbench.stages.filter.decoding import UNDECODABLE
from lvlmbench.stages.filter.filter import FILTERS, Filter, verdict_rows
from lvlmbench.stages.filter.kinds.clip import DIFFERENT, Clip, default_threshold
from support import tiny_clip

LONG = "a red owl in the forest with two apple"
CAPTIONS = ["a red owl", "a blue car", "two apple in the forest", LONG, "the owl"]


def png(picture: Image.Image) -> bytes:
    out = io.BytesIO()
    picture.save(out, "PNG")
    return out.getvalue()


def row(number: int, data: bytes) -> dict[str, Any]:
    return {
        "image_id": f"i{number}",
        "scene_id": f"s{number}",
        "image": {"bytes": data, "path": f"i{number}.png"},
        "sha256": hashlib.sha256(data).hexdigest(),
    }


def scene(number: int, **more: Any) -> dict[str, Any]:
    about = {"subtask": "animal", "caption": CAPTIONS[number % len(CAPTIONS)], "prompt": "a car"}
    return {"scene_id": f"s{number}"} | about | more


def table(rows: list[dict[str, Any]], about: tables.Table = tables.IMAGES) -> pa.Table:
    return about.of(rows)


IMAGES = [row(i, png(picture)) for i, picture in enumerate(tiny_clip.pictures(11))]
SCENES = [scene(i) for i in range(11)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_clip.save_folder(tmp_path_factory.mktemp("models") / "reference_a", threshold=0.1)


def clip(folder: Path, name: str = "clip", **settings: Any) -> Filter:
    settings = {"text": "caption", **settings}
    spec = FilterSpec.model_validate({"name": name, "kind": "clip", "clip": settings})
    return FILTERS.get("clip", "here")(Params(), spec, {"reference_a": folder})


def judged(judge: Filter, images: list[dict[str, Any]], scenes: list[dict[str, Any]]) -> Any:
    return verdict_rows(judge, table(images), table(scenes, tables.SCENES))


def test_the_threshold_decides(folder: Path) -> None:
    rows = judged(clip(folder, threshold=-1), IMAGES, SCENES)
    assert all(r["keep"] and r["reason"] is None and r["threshold"] == -1 for r in rows)
    scores = sorted(r["score"] for r in rows)
    assert len(set(scores)) == 11 and all(s == round(s, 6) and -1 <= s <= 1 for s in scores)
    middle = judged(clip(folder, threshold=scores[5]), IMAGES, SCENES)
    assert [r["keep"] for r in middle] == [r["score"] >= scores[5] for r in rows]
    assert sum(r["keep"] for r in middle) == 6  # the threshold itself is kept
    assert {r["reason"] for r in middle} == {None, DIFFERENT}
    assert table(middle, tables.VERDICTS).num_rows == 11


def test_threads_that_prepare_images_for_a_gpu_change_nothing(folder: Path) -> None:
    images = [*IMAGES[:3], row(3, b"no picture"), *IMAGES[4:]]
    scenes = [*SCENES[:5], scene(5, subtask="text"), *SCENES[6:]]
    judge = clip(folder, threshold=0.1, batch_size=4)
    alone = judged(judge, images, scenes)
    judge._encoder.threads = 3  # type: ignore[attr-defined]
    assert judged(judge, images, scenes) == alone
    assert alone[3]["reason"] == UNDECODABLE and alone[5]["score"] is None


def test_scores_are_the_cosines_of_the_encoder(folder: Path) -> None:
    from lvlmbench.stages.reference.encoder import load_folder

    encoder = load_folder(folder)
    pictures, captions = tiny_clip.pictures(11), [s["caption"] for s in SCENES]
    cosines = encoder.images(pictures) @ encoder.texts(captions)[0].T
    rows = judged(clip(folder), IMAGES, SCENES)
    assert [r["score"] for r in rows] == [round(float(c), 6) for c in cosines.diagonal()]
    prompts = judged(clip(folder, text="prompt", threshold=0), IMAGES, SCENES)
    expected = encoder.images(pictures) @ encoder.texts(["a car"])[0][0]
    assert [r["score"] for r in prompts] == [round(float(c), 6) for c in expected]


@pytest.mark.parametrize("engine", ["reference_a", "local-dir"])
def test_neither_batches_nor_order_nor_shards_change_a_verdict(folder: Path, engine: str) -> None:
    chosen = engine if engine == "reference_a" else f"local-dir:{folder}"

    def make(batch_size: int) -> Filter:
        return clip(folder, engine=chosen, threshold=0.05, device="cpu", batch_size=batch_size)

    images = [*IMAGES[:4], row(4, b"broken"), *IMAGES[5:]]
    whole = judged(make(32), images, SCENES)
    assert judged(make(1), images, SCENES) == whole
    assert judged(make(3), images[::-1], SCENES) == whole[::-1]
    judge = make(4)
    assert [r for start in (0, 5) for r in judged(judge, images[start:][: 5 + start], SCENES)] == (
        whole
    )


def test_an_image_that_does_not_decode_is_a_verdict(folder: Path) -> None:
    good = IMAGES[0]["image"]["bytes"]
    bad = [b"", b"not an image", good[: len(good) // 2]]
    rows = judged(clip(folder), [row(i, data) for i, data in enumerate([*bad, good])], SCENES)
    assert [r["reason"] for r in rows[:3]] == [UNDECODABLE] * 3
    assert [(r["keep"], r["score"], r["threshold"]) for r in rows[:3]] == [(False, None, None)] * 3
    assert rows[3]["score"] is not None


def test_text_items_are_not_judged(folder: Path) -> None:
    scenes = [scene(0, subtask="text"), scene(1), scene(2, caption=None)]
    rows = judged(clip(folder, threshold=1), IMAGES[:3], scenes)
    assert [r["keep"] for r in rows] == [True, False, True]
    assert [r["score"] is None for r in rows] == [True, False, True]
    assert [r["note"] for r in rows] == [None, None, "no text to compare with"]
    assert judged(clip(folder), [], []) == []


def test_long_texts_are_cut_noted_and_counted(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenes = [*SCENES[:9], scene(9, subtask="text", caption=LONG), scene(10, caption=None)]
    judge = clip(folder, name="alike", batch_size=2, threshold=1)
    rows = judged(judge, IMAGES, scenes)
    long = [r["note"] for r, s in zip(rows, scenes, strict=True) if s["caption"] == LONG]
    assert long == ["text cut to 8 tokens"] * 2 + [None]
    assert [r["note"] for r in rows].count("text cut to 8 tokens") == 2
    assert capsys.readouterr().err == (
        "alike: warning: 2 of 9 texts are longer than the 8 tokens that reference_a reads; "
        "what comes after them was not compared\n"
    )
    assert judged(judge, IMAGES, scenes) == rows
    assert capsys.readouterr().err == ""  # said once: retries ask image by image
    judged(clip(folder), IMAGES[:2], SCENES)
    assert capsys.readouterr().err == ""


def test_the_threshold_is_the_users_then_the_calibrated_one(folder: Path) -> None:
    assert judged(clip(folder), IMAGES, SCENES)[0]["threshold"] == 0.1
    assert judged(clip(folder, threshold=0.2), IMAGES, SCENES)[0]["threshold"] == 0.2


def test_thresholds_of_open_clips_models() -> None:
    def default(engine: str, pretrained: str | None) -> float | None:
        spec = FilterSpec.model_validate(
            {"name": "clip", "clip": {"engine": engine, "pretrained": pretrained}}
        )
        return default_threshold(spec.own(Clip))

    assert default("ViT-L-14", "openai") == default("ViT-L/14", "openai") == 0.25
    assert default("hf-hub:timm/vit_large_patch14_clip_224.openai", None) == 0.25
    assert default("ViT-B-32", "openai") == 0.28
    assert default("ViT-L-14", "laion2b_s32b_b82k") is None


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (None, "calibration.json: is missing; delete the folder and run again"),
        ("{}", "calibration.json: holds no clip_threshold"),
        ("{", "calibration.json: holds no clip_threshold"),
        (json.dumps({"clip_threshold": "high"}), "for clip_threshold, which is no finite number"),
    ],
)
def test_a_bad_calibration_is_one_line(tmp_path: Path, content: str | None, what: str) -> None:
    folder = tiny_clip.save_folder(tmp_path / "reference_a")
    if content is not None:
        (folder / "calibration.json").write_text(content)
    with pytest.raises(UserError, match=what):
        clip(folder)
    assert judged(clip(folder, threshold=0), IMAGES, SCENES)[0]["threshold"] == 0


def test_missing_weights_are_one_line(folder: Path, tmp_path: Path) -> None:
    spec = FilterSpec.model_validate({"name": "clip"})
    make = FILTERS.get("clip", "here")
    with pytest.raises(UserError, match=r"^--weights: hold no reference_a; give the files"):
        make(Params(), spec, {"reference_b": folder})
    with pytest.raises(UserError, match=r"reference_a: there is no such folder; "):
        make(Params(), spec, {"reference_a": tmp_path / "reference_a"})


def with_clip(**settings: Any) -> dict[str, Any]:
    return {"filter": {"filters": [{"name": "clip", "clip": settings}]}}


@pytest.mark.parametrize(
    ("given", "what"),
    [
        (
            {"reference": {"models": ["reference_b"]}, **with_clip(engine="reference_a")},
            "filter.filters: clip: clip: engine: 'reference_a' is not in reference.models; "
            "add reference_a to",
        ),
        (
            with_clip(engine="reference_c"),
            "clip: engine: there is no reference model 'reference_c'; use one of: reference_a, ",
        ),
        (
            {"reference": {"models": ["reference_a", "mine"]}},
            "reference.models: there is no reference model 'mine'; use some of: reference_a, ref",
        ),
        (
            {"render": {"renderer": "diffusion"}, **with_clip()},
            "clip: engine: reference_a has seen nothing but pictographs, and render.renderer is "
            "diffusion; write 'engine: ViT-L-14' and 'pretrained: openai'",
        ),
        (
            with_clip(pretrained="openai"),
            "clip: pretrained: is of no use to reference_a, which brings its weights; leave it out",
        ),
        (
            with_clip(text="prompt"),
            "clip: threshold: that of reference_a is calibrated on captions, not on prompts; wri",
        ),
        (
            with_clip(engine="ViT-B-16", pretrained="openai"),
            "clip: threshold: no default is known for ViT-B-16 openai; write a cosine; 'thresho",
        ),
    ],
)
def test_an_engine_that_cannot_do_it_is_one_line(given: dict[str, Any], what: str) -> None:
    models = {"answer": {"models": [{"name": "chance", "engine": "chance"}]}}
    with pytest.raises(UserError) as error:
        check_names(validate(models | given), "params.yaml")
    assert str(error.value).startswith("params.yaml: ") and what in str(error.value)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"reference": {"models": ["reference_a"]}},
        with_clip(text="prompt", threshold=0.2),
        {"render": {"renderer": "diffusion"}, **with_clip(engine="ViT-L/14", pretrained="openai")},
        with_clip(engine="ViT-B-16", pretrained="openai", threshold=0.26),
    ],
)
def test_engines_that_can(given: dict[str, Any]) -> None:
    models: dict[str, Any] = {"answer": {"models": [{"name": "chance", "engine": "chance"}]}}
    models["scenarios"] = {"names": ["clean"]}
    models["scenarios"] = {"names": ["clean"]}
    check_names(validate(models | given), "params.yaml")


def test_a_model_that_is_not_trained_is_one_line() -> None:
    models = [{"name": "b", "engine": "reference_b"}]
    given = {"reference": {"models": ["reference_a"]}, "answer": {"models": models}}
    with pytest.raises(
        UserError, match=r"answer\.models: b: engine: 'reference_b' is not in reference.models"
    ):
        check_names(validate(given), "params.yaml")
