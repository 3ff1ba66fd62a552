"""Mistakes in the parameters of reference models, filters, consensus, audit and exclusion."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from lvlmbench.config import validate
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_names
from support.one_line import assert_one_line


def filters(*specs: Any) -> dict[str, Any]:
    return {"filter": {"filters": list(specs)}}


def one(kind: str, **settings: Any) -> dict[str, Any]:
    return filters({"name": kind, kind: settings})


def reference(**sections: Any) -> dict[str, Any]:
    return {"reference": sections}


PADDLE = {"engine": "paddleocr", "runtime": "onnxruntime"}

#: (parameters, what the line must hold)
MISTAKES: list[tuple[Any, list[str]]] = [
    # filters: which
    (filters("integrity"), ["filter.filters.0: write '- name: integrity'"]),
    ({"filter": ["clip"]}, ["filter: should be a section"]),
    ({"filter": {"filters": "clip"}}, ["filter.filters: should be a list", '(got "clip")']),
    ({"filter": {"filters": None}}, ["filter.filters: should be a list", "(got null)"]),
    (filters(3), ["filter.filters.0: should be a section"]),
    (filters({"kind": "clip"}), ["filter.filters.0.name: is missing"]),
    (filters({"name": "Clip"}), ["filter.filters.0.name: should be small letters", '"Clip"']),
    (filters({"name": "../x"}), ["filter.filters.0.name: should be small letters"]),
    (filters({"name": 1}), ["filter.filters.0.name", "(got 1)"]),
    (filters({"name": "ocr"}, {"name": "ocr"}), ["filter.filters: the filter 'ocr' is listed tw"]),
    (filters({"name": "a", "kind": "clip"}, {"name": "a", "kind": "ocr"}), ["'a' is listed twice"]),
    (filters({"name": "render", "kind": "clip"}), ["'render' names the renderer's own"]),
    (filters({"name": "clip", "ocr": {}}), ["filter.filters.0: 'ocr' is of no use to the kind"]),
    (filters({"name": "clip", "kind": "ocr", "clip": {}}), ["'clip' is of no use to the kind 'oc"]),
    (filters({"name": "clip", "clip": "reference_a"}), ["filters.0.clip: should be a section"]),
    (filters({"name": "integrity", "integrity": {}}), ["integrity: is not a known key"]),
    # clip
    (one("clip", engin="x"), ["filters.0.clip.engin: is not a known key; did you mean 'engine'?"]),
    (one("clip", engine=""), ["filters.0.clip.engine"]),
    (one("clip", threshold=25), ["filters.0.clip.threshold", "(got 25)"]),
    (one("clip", threshold="high"), ["filters.0.clip.threshold", '(got "high")']),
    (one("clip", text="question"), ["filters.0.clip.text", "'caption' or 'prompt'"]),
    (one("clip", device="gpu"), ["filters.0.clip.device", "'cuda'"]),
    (one("clip", batch_size=0), ["filters.0.clip.batch_size", "(got 0)"]),
    (
        one("clip", engine="local-dir:x", pretrained="openai"),
        ["filters.0.clip.pretrained: is of no use to 'local-dir:x'"],
    ),
    (one("clip", engine="hf-hub:a/b", pretrained="x"), ["of no use to 'hf-hub:a/b'"]),
    # ocr
    (one("ocr", engine="tesseract"), ["filters.0.ocr.engine", "use one of: paddleocr, rapidocr"]),
    (one("ocr", max_distance=2), ["filters.0.ocr.max_distance", "(got 2)"]),
    (one("ocr", max_distance=True), ["filters.0.ocr.max_distance: true and false mean nothing"]),
    (one("ocr", detection_dir="x"), ["filters.0.ocr.detection_dir: is of no use to rapidocr"]),
    (one("ocr", recognition_model="x"), ["ocr.recognition_model: is of no use to rapidocr"]),
    (one("ocr", runtime="onnxruntime"), ["filters.0.ocr.runtime: is of no use to rapidocr"]),
    (one("ocr", **PADDLE, detection_dir=""), ["filters.0.ocr.detection_dir"]),
    # safety
    (
        one("safety", engine="nude"),
        ["filters.0.safety.engine", "nudenet, safety_checker"],
    ),
    (one("safety", threshold=0), ["filters.0.safety.threshold", "(got 0)"]),
    (one("safety", threshold=50), ["filters.0.safety.threshold", "(got 50)"]),
    (one("safety", model="a/b"), ["filters.0.safety.model: is of no use to nudenet"]),
    (
        one("safety", engine="safety_checker", threshold=0.3),
        ["filters.0.safety.threshold: is of no use to safety_checker"],
    ),
    (filters({"name": "safety", "safety": []}), ["filters.0.safety: should be a section"]),
    # consensus and audit
    ({"consensus": {"wrong": 7}}, ["consensus.wrong: is more than consensus.models, 6", "(got 7)"]),
    ({"consensus": {"models": 2, "wrong": 3}}, ["consensus.wrong: is more than", "models, 2"]),
    ({"consensus": {"models": 0}}, ["consensus.models", "(got 0)"]),
    ({"consensus": {"models": 0, "wrong": 3}}, ["consensus.models", "(got 0)"]),
    ({"consensus": {"models": ["a"]}}, ["consensus.models"]),
    ({"consensus": {"wrong": 0}}, ["consensus.wrong", "(got 0)"]),
    ({"consensus": {"wrong": "all"}}, ["consensus.wrong", '(got "all")']),
    ({"consensus": {"model": 3}}, ["consensus.model: is not a known key; did you mean 'models'?"]),
    ({"audit": 0.4}, ["audit: should be a section"]),
    ({"audit": {"threshold": 0}}, ["audit.threshold", "(got 0)"]),
    ({"audit": {"threshold": 40}}, ["audit.threshold", "(got 40)"]),
    ({"audit": {"threshold": "40%"}}, ["audit.threshold", '(got "40%")']),
    ({"audit": {"threshold": float("nan")}}, ["audit.threshold"]),
    ({"audit": {"treshold": 0.4}}, ["audit.treshold: is not a known key; did you mean 'threshol"]),
    # reference models
    (reference(models="reference_a"), ["reference.models: should be a list"]),
    (reference(models=["reference_a"] * 2), ["reference.models", "'reference_a' is listed twice"]),
    (reference(models=["Reference A"]), ["reference.models.0: should be small letters"]),
    (reference(scenes={"training": 63}), ["reference.scenes.training", "(got 63)"]),
    (
        reference(weights="trained", scenes={"training": 100}, training={"batch_size": 128}),
        ["reference: a batch of 128 (training.batch_size) does not fit into 100 scenes"],
    ),
    (reference(weights="new"), ["reference.weights", '(got "new")']),
    (reference(training={"precision": "half"}), ["reference.training.precision"]),
    (reference(scenes={"validation": 10}), ["reference.scenes.validation", "(got 10)"]),
    (
        reference(weights="trained", false_rejections=0.0001),
        ["reference: ", "of 4000 scenes", "raise scenes.validation to 10000"],
    ),
    (reference(false_rejections="2%"), ["reference.false_rejections", '(got "2%")']),
    (reference(false_rejections=2), ["reference.false_rejections", "(got 2)"]),
    (reference(scenes={"pixels": 63}), ["scenes.pixels: 63 is not a multiple of 16; use 48 or 64"]),
    (reference(scenes={"pixels": 16}), ["reference.scenes.pixels", "(got 16)"]),
    (reference(scenes={"seed": -1}), ["reference.scenes.seed", "(got -1)"]),
    (reference(training=300), ["reference.training: should be a section"]),
    (reference(training={"step": 5}), ["training.step: is not a known key; did you mean 'steps'?"]),
    (reference(training={"steps": 0}), ["reference.training.steps", "(got 0)"]),
    (reference(training={"checkpoint_every": 0}), ["training.checkpoint_every", "(got 0)"]),
    # answering models
    (
        {
            "answer": {
                "models": [{"name": "a", "engine": "reference_a", "endpoint": {"model": "m"}}]
            }
        },
        ["answer.models.0: 'endpoint' is of no use to the engine 'reference_a'"],
    ),
    # exclusion; test_exclusion.py has what only the vocabulary tells
    ({"vocabulary": {"exclude": {"text": [False]}}}, ["exclude.text.0", "put the label in quotes"]),
    ({"vocabulary": {"exclude": {"text": [1984]}}}, ["exclude.text.0", "put the label in quotes"]),
]


@pytest.mark.parametrize(("data", "parts"), MISTAKES)
def test_a_mistake_is_one_line(data: Any, parts: list[str]) -> None:
    with pytest.raises(UserError) as caught:
        validate(data, "mine.yaml")
    line = str(caught.value)
    assert line.startswith("mine.yaml: ") and "\n" not in line and len(line) < 300
    for part in parts:
        assert part in line, line


#: Parameters whose parts are right and do not fit together, or the disk.
MISFITS: list[tuple[Any, list[str]]] = [
    (filters({"name": "x"}), ["filter.filters: x: 'x' is not known; use one of: ", "safety"]),
    (filters({"name": "a", "kind": "clarity"}), ["filter.filters: a: 'clarity' is not known"]),
    (one("clip", engine="reference_c"), ["clip: clip: engine: there is no reference model"]),
    (
        one("clip", engine="local-dir:gone", threshold=0.2),
        ["clip: clip: engine: there is no folder 'gone'; give the path"],
    ),
    (one("ocr", **PADDLE, detection_dir="gone"), ["ocr: ocr: detection_dir: there is no folder"]),
    (one("ocr", **PADDLE, recognition_dir="gone"), ["ocr: ocr: recognition_dir: there is no fol"]),
    (
        one("safety", engine="safety_checker", model="gone"),
        ["safety: safety: model: 'gone' is not a folder; give a local folder"],
    ),
    (reference(models=["reference_c"]), ["reference.models: there is no reference model"]),
    (
        reference(models=["reference_b"]),
        [
            "clip: clip: engine: 'reference_a' is not in reference.models; "
            "add reference_a to reference.models"
        ],
    ),
]


@pytest.mark.parametrize(("data", "parts"), MISFITS)
def test_what_does_not_fit_is_one_line(
    data: Any, parts: list[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    chance = {"answer": {"models": [{"name": "chance", "engine": "chance"}]}}
    params = validate(data | chance, "mine.yaml")
    with pytest.raises(UserError) as caught:
        check_names(params, "mine.yaml")
    line = str(caught.value)
    assert line.startswith("mine.yaml: ") and "\n" not in line and len(line) < 300
    for part in parts:
        assert part in line, line


def test_the_command_shows_that_line(
    tmp_path: Path, lvlmbench: Callable[..., Any], root: Path
) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(yaml.safe_dump({"consensus": {"wrong": 7}}))
    assert_one_line(lvlmbench("config", "check", file), "mine.yaml: consensus.wrong: is more than")
    file.write_text(yaml.safe_dump({"filter": {"filters": ["clip"]}}))
    assert_one_line(lvlmbench("config", "check", file), "filter.filters.0: write '- name: clip'")


@pytest.mark.parametrize(
    "data",
    [
        filters(),
        filters({"name": "strict", "kind": "safety", "safety": {"threshold": 0.2}}),
        one("safety", engine="safety_checker"),
        one("ocr", **PADDLE, detection_model="x_det", recognition_dir="y"),
        one("clip", engine="ViT-L-14", pretrained="openai"),
        {"consensus": {"models": 3, "wrong": 3}},
        {"consensus": {"wrong": None}},
        reference(scenes={"training": 64, "validation": 64}, training={"batch_size": 64}),
        reference(models=[], scenes={"training": 64}),
        reference(scenes={"pixels": 96}),
        {"vocabulary": {"exclude": {"text": ["no", "1984"]}}},
    ],
)
def test_what_is_right_passes_and_stays_right_once_resolved(data: Any) -> None:
    """Jobs read the parameters as they were resolved, every default spelled out."""
    params = validate(data)
    assert validate(params.model_dump(mode="json")) == params
