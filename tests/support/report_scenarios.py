"""The made-up snapshot under other conditions: its noisy images and how well models see in them."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Iterator
from typing import Any

import numpy as np
from PIL import Image

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core.seeding import generator, item_id
from lvlmbench.stages.scenario.kinds.corruption.settings import Corruption
from lvlmbench.stages.scenario.kinds.resolution import Resolution

Row = dict[str, Any]

#: Printed on some images, and what no report may let through.
PRINTED = '<img src=x onerror="window.pwned=1">'
#: Share of its skill that a model has left in a scenario.
EYESIGHT = {
    "clean": 1.0,
    "corruption": 0.7,
    "print_attack": 0.5,
    "adversarial": 0.9,
    "blind": 0.0,
    "other_image": 0.0,
}
EPSILON = 8 / 255


def _png(pixels: np.ndarray) -> bytes:
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


def _noise(raw: bytes, key: str, reach: int) -> bytes:
    """The image with noise of at most ``reach``; a damaged image stays as it is."""
    try:
        with Image.open(io.BytesIO(raw)) as image:
            pixels = np.asarray(image.convert("RGB"), dtype=np.int16)
    except OSError:
        return raw
    rng = generator(4, "noise", key)
    side = len(pixels) // 16
    change = np.kron(rng.integers(-reach, reach + 1, (16, 16, 3)), np.ones((side, side, 1)))
    return _png(np.clip(pixels + change, 0, 255).astype(np.uint8))


def _row(spec: ScenarioSpec, clean: Row, done: Row, raw: bytes | None, variant: str = "") -> Row:
    image_id = item_id(clean["image_id"], spec.name, variant)
    empty = dict.fromkeys(("severity", "parameters", "printed_text", "epsilon", "proxy"))
    size = clean["width"] if raw is not None else None
    return clean | {
        "image_id": image_id,
        "scenario": spec.name,
        "perturbation": empty | done,
        "image": None if raw is None else {"bytes": raw, "path": f"{image_id}.png"},
        "width": size,
        "height": size,
        "sha256": None if raw is None else hashlib.sha256(raw).hexdigest(),
    }


def _turned(question: Row) -> list[int]:
    """Options one place on, and all wrong ones but the first as before they were adjusted."""
    n, right = len(question["options"]), question["answer_index"]
    wrong = [at + n * bool(question.get("replaced")) for at in range(n) if at != right]
    return [*wrong, right]


def _of_scene(
    spec: ScenarioSpec, n: int, clean: Row, other: Row, questions: list[Row]
) -> Iterator[Row]:
    raw = clean["image"]["bytes"]
    damage = spec.find(Corruption)
    if spec.registered == "resolution":
        for severity, side in enumerate(spec.own(Resolution).ranked, start=1):
            done = {"kind": "resolution", "severity": severity}
            done["parameters"] = json.dumps({"size": [side, side]})
            row = _row(spec, clean, done, raw, f"{side}")
            yield row | {"width": side, "height": side}
    elif damage is not None:
        kinds, severities = damage.kinds, damage.severities
        pairs = [(k, s) for k in kinds for s in severities]
        for kind, severity in pairs if damage.every else [pairs[n % len(pairs)]]:
            variant = f"{kind}-{severity}"
            noisy = _noise(raw, clean["image_id"] + variant, 20 * severity)
            yield _row(spec, clean, {"kind": kind, "severity": severity}, noisy, variant)
    elif spec.registered == "print_attack":
        for i, question in enumerate(questions):
            if question["subtask"] == "text":
                continue
            look = {"color": "red", "size_px": 20, "angle": -15, "position": "top", "opacity": 0.75}
            text = PRINTED if i == 0 else "barn owl"
            done = {
                "kind": "print_attack",
                "printed_text": text,
                "parameters": json.dumps(look) if n % 3 else "{not JSON",
            }
            row = _row(spec, clean, done, _noise(raw, text, 90), question["question_id"])
            yield row | {"question_id": question["question_id"]}
    elif spec.registered == "adversarial":
        losses = {"norm": "Linf", "loss_before": -0.8, "loss_after": 0.25}
        losses |= {"similarity_before": 0.8, "similarity_after": -0.25}
        done: Row = {"kind": "adversarial", "epsilon": EPSILON - n * 1e-5, "proxy": "reference_a",
                "parameters": json.dumps(losses)}  # fmt: skip
        yield _row(spec, clean, done, _noise(raw, clean["image_id"], 8))
    elif spec.drafts:
        for question in questions:
            row = _row(spec, clean, {"kind": "options"}, raw, question["question_id"])
            order = _turned(question) if question["options"] else None
            yield row | {"question_id": question["question_id"], "order": order}
    elif spec.registered == "blind":
        yield _row(spec, clean, {"kind": "no_image"}, None)
    else:
        yield _row(spec, clean, {"kind": "other_image"}, other["image"]["bytes"])


def images(p: Params, spec: ScenarioSpec, clean: list[Row], questions: list[Row]) -> list[Row]:
    """Rows of IMAGES of one scenario."""
    by_scene: dict[str, list[Row]] = {}
    for question in questions:
        by_scene.setdefault(question["scene_id"], []).append(question)
    out: list[Row] = []
    for n, row in enumerate(clean):
        out += _of_scene(spec, n, row, clean[n - 1], by_scene[row["scene_id"]])
    return out


def _eyesight(row: Row, scenario: str, model: str) -> float:
    done = row.get("perturbation") or {}
    if model == "chance":
        return 1.0
    if scenario == "adversarial" and model == done["proxy"]:
        return 0.0
    if done.get("severity") is not None and scenario not in EYESIGHT:
        return 1.0 - 0.18 * float(done["severity"])
    return EYESIGHT.get(scenario, 1.0)


def asked(
    questions: list[Row], shown: list[Row], scenario: str, model: str
) -> Iterator[tuple[Row, tuple[str, str | None, float]]]:
    """Questions as they are asked, each with (scenario, image, eyesight of the model)."""
    own: dict[str, list[Row]] = {}
    of_scene: dict[str, list[Row]] = {}
    for row in shown:
        key = row.get("question_id")
        (own.setdefault(key, []) if key else of_scene.setdefault(row["scene_id"], [])).append(row)
    for question in questions:
        found = own.get(question["question_id"]) or of_scene.get(question["scene_id"], [])
        for row in found:
            image_id = None if scenario == "clean" else row["image_id"]
            yield question, (scenario, image_id, _eyesight(row, scenario, model))
