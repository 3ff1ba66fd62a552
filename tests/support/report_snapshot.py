"""A small made-up snapshot on disk: every table that the report reads, hostile text included."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from PIL import Image, ImageDraw

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.config.project import project_of
from lvlmbench.core.seeding import generator, item_id
from lvlmbench.scene.subtasks import SUBTASKS, subtasks_of
from lvlmbench.stages.audit.audit import COLUMNS
from lvlmbench.stages.metrics.comparisons import write_comparisons
from lvlmbench.stages.metrics.metrics import write_costs, write_metrics
from lvlmbench.stages.score.captions import Pair, similarities
from lvlmbench.stages.score.rows import Asked, score_rows
from support import report_scenarios
from support.render_scenes import graph
from support.report_answers import HOSTILE, PRICES, answered
from support.report_hallucinated import write_numbers, write_truth
from support.report_judged import write_exam, write_judged

SNAPSHOT = "0123456789abcdef"
STYLES = ["comic book", "mosaic", "oil painting", "pixel art", "photograph", "watercolor"]
LABELS = ["red fox", "barn owl", "green sea turtle", "hedgehog"]
UNDRAWN = ("celebrity", "movie", "anime", "tv_show")

#: Models that the made-up consensus counts.
COUNTED = ("model-a", "hostile", "reference_a")
#: Cosine below which the made-up CLIP filter removes an image.
LIMIT = 0.31
#: A reason and a note that a filter could have taken from an image or a prompt.
READ = "reads </figcaption><img src=x onerror=pwned> instead"
CUT = "the text is cut to <77> tokens"


def params(**changes: Any) -> Params:
    """Parameters of the made-up snapshot; ``changes`` replace whole sections."""
    endpoint = {"base_url": "https://models.example/v1", "model": "small"}
    data: dict[str, Any] = {
        "snapshot": {"name": "made-up", "seed": 11},
        "corpus": {"scenes_per_subtask": 3},
        "render": {"size": 128},
        "filter": {
            "filters": [
                {"name": "integrity"},
                {"name": "clip", "clip": {"engine": "reference_a"}},
                {"name": "ocr"},
            ]
        },
        "vocabulary": {"exclude": {"animal": ["barn owl"]}},
        "scenarios": {"names": ["clean"]},
        "answer": {
            "models": [
                {"name": "chance", "engine": "chance"},
                {
                    "name": "model-a",
                    "engine": "openai_chat",
                    "endpoint": endpoint | {"price_per_million": PRICES},
                },
                {
                    "name": "hostile",
                    "engine": "openai_chat",
                    "endpoint": endpoint,
                    "language_model": "<b>LM</b>",
                    "visual_encoder": "REFERENCE_A",
                },
                {"name": "reference_a", "engine": "reference_a"},
            ]
        },
        "statistics": {"resamples": 200},
        "report": {"items": 24, "thumbnail_size": 96},
    }
    return validate(data | changes)


def noisy_params(**changes: Any) -> Params:
    """The same, asked in every scenario; curves over two kinds of corruption."""
    once = {"kinds": ["gaussian_noise", "motion_blur", "jpeg_compression", "shear"]}
    curve = {"every": True, "kinds": ["gaussian_noise", "rotation"], "severities": [1, 5]}
    noisy: list[dict[str, Any]] = [
        {"name": "corruption", "corruption": once},
        {"name": "print_attack"},
        {"name": "adversarial"},
        {"name": "blind"},
        {"name": "other_image"},
        {"name": "corruption_curve", "kind": "corruption", "corruption": curve},
    ]
    names = ["clean", *(s["name"] for s in noisy)]
    return params(**{"scenarios": {"names": names, "noisy": noisy}} | changes)


def picture(scene_id: str, size: int = 128) -> bytes:
    """A PNG with some shapes."""
    rng = generator(0, "picture", scene_id)
    image = Image.new("RGB", (size, size), tuple(int(v) for v in rng.integers(120, 255, 3)))
    draw = ImageDraw.Draw(image)
    for _ in range(6):
        x, y, r = (int(v) for v in rng.integers(8, size - 8, 3))
        color = tuple(int(v) for v in rng.integers(0, 255, 3))
        draw.ellipse([x - r // 3, y - r // 3, x + r // 3, y + r // 3], fill=color)
    out = io.BytesIO()
    image.save(out, "PNG")
    return out.getvalue()


def _scenes(p: Params) -> list[dict[str, Any]]:
    rows = []
    for subtask in subtasks_of("dysca"):
        for ordinal in range(p.corpus.count(subtask)):
            key = item_id(p.snapshot.seed, "scene", subtask, ordinal)
            rng = generator(p.snapshot.seed, "scene", key)
            rows.append(
                {
                    "scene_id": key,
                    "subtask": subtask,
                    "ordinal": ordinal,
                    "foreground_list": "animal",
                    "foreground": LABELS[ordinal % 4],
                    "attributes": {"number": 2} if subtask == "animal" else {},
                    "background": "sandy beach",
                    "style": STYLES[int(rng.integers(len(STYLES)))],
                    "text": HOSTILE[0] if subtask == "text" else None,
                    "prompt": f"a picture of {LABELS[ordinal % 4]}, <b>{subtask}</b>",
                    "negative_prompt": "blurry",
                    "caption": f'An image of a {LABELS[ordinal % 4]}" onload="x.',
                    "seed": ordinal,
                }
            )
    return [row | graph(row) for row in rows]


def _questions(scenes: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for scene in scenes:
        rng = generator(5, "question", scene["scene_id"])
        for kind in ("multiple_choice", "true_false", "free_form"):
            options: list[str] = []
            if kind == "multiple_choice":
                options = [LABELS[i] for i in rng.permutation(4)]
            elif kind == "true_false":
                options = ["True", "False"]
            index = int(rng.integers(len(options))) if options else None
            asked = scene["subtask"] if kind != "true_false" else "style"
            yield {
                "question_id": item_id(scene["scene_id"], asked, kind),
                "scene_id": scene["scene_id"],
                "subtask": asked,
                "granularity": SUBTASKS[asked].granularity,
                "question_type": kind,
                "question": "What is shown in this image?",
                "options": options,
                "answer": scene["caption"] if index is None else options[index],
                "answer_index": index,
                "chance": 1 / len(options) if options else None,
                "claim": "mosaic" if kind == "true_false" else None,
            }


class _Encoder:
    """Stands in for the sentence encoder: a random direction near (1, 1, ...) for each text."""

    def reference(self, texts: Sequence[str], batch_size: int) -> np.ndarray:
        return np.stack([1 + generator(1, "encode", text[:99]).random(8) for text in texts])

    exact = fast = reference


def _compare(pairs: Sequence[Pair]) -> list[float]:
    return similarities(pairs, _Encoder(), 64)


def _write(rows: list[dict[str, Any]], folder: Path, schema: Any, shard: int) -> None:
    for i in range(0, max(len(rows), 1), shard):
        tables.write_rows(rows[i : i + shard], folder / tables.part_name(i // shard), schema,
                          SNAPSHOT)  # fmt: skip


def _refusal(p: Params, scene: dict[str, Any]) -> str | None:
    """Why the renderer does not draw a scene."""
    if scene["foreground"] in p.vocabulary.exclude.get(scene["subtask"], ()):
        return f"excluded from the vocabulary: {scene['subtask']} '{scene['foreground']}'"
    if scene["subtask"] in UNDRAWN:
        return f"no pictograph of a {scene['subtask']} <i>yet</i>"
    return None


def _ruling(name: str, n: int, scene: dict[str, Any]) -> dict[str, Any]:
    """What a filter says of the image of scene number ``n``; scene 6 has an image cut short."""
    if n == 6:
        return {"keep": False, "reason": "undecodable"}
    if name == "integrity":
        return {"keep": n % 13 != 6, "reason": "blank image" if n % 13 == 6 else None}
    if name == "clip" and scene["subtask"] != "text":
        low = n % 11 == 4
        score = round(generator(3, "score", scene["scene_id"]).uniform(*((0.1, LIMIT) if low else
                      (LIMIT, 0.8))), 6)  # fmt: skip
        reason = "unlike its caption" if low else None
        note = CUT if n % 7 == 3 else None
        return {"keep": not low, "reason": reason, "score": score, "threshold": LIMIT, "note": note}
    if name == "ocr" and scene["subtask"] == "text":
        wrong = scene["ordinal"] == 1
        score = 0.25 if wrong else 0.0
        reason = READ if wrong else None
        return {"keep": not wrong, "reason": reason, "score": score, "threshold": 0.0}
    return {"keep": True}


def _image(p: Params, n: int, scene: dict[str, Any], image_id: str) -> dict[str, Any]:
    raw = picture(scene["scene_id"], p.render.size)
    raw = raw[: len(raw) // 2] if n == 6 else raw
    return {
        "image_id": image_id,
        "scene_id": scene["scene_id"],
        "scenario": "clean",
        "image": {"bytes": raw, "path": f"{image_id}.png"},
        "width": p.render.size,
        "height": p.render.size,
        "sha256": hashlib.sha256(raw).hexdigest(),
        "renderer": "pictograph",
        "renderer_version": "1",
        "seed": scene["seed"],
    }


def attempt(scene: dict[str, Any], **changes: Any) -> dict[str, Any]:
    """The attempt that drew a scene: by the pictograph renderer, unless ``changes`` say else."""
    return {
        "image_id": item_id(scene["scene_id"], "clean"),
        "scene_id": scene["scene_id"],
        "subtask": scene["subtask"],
        "attempt": 0,
        "seed": scene["seed"],
        "renderer": "pictograph",
        "renderer_version": "1",
        "outcome": "kept",
        "method": "drawn",
        "exact": True,
        "batch": 1,
    } | changes


def _consensus(
    asked: list[dict[str, Any]], scores: dict[str, list[dict[str, Any]]], counted: tuple[str, ...]
) -> list[dict[str, Any]]:
    """Closed questions, dropped where two or more models are counted and none is right."""
    right = {
        (model, row["question_id"]) for model in counted for row in scores[model] if row["correct"]
    }
    rows = []
    for question in asked if counted else []:
        if question["options"]:
            key = question["question_id"]
            wrong = sum((model, key) not in right for model in counted)
            rows.append(
                {
                    "question_id": key,
                    "scene_id": question["scene_id"],
                    "n_models": len(counted),
                    "n_wrong": wrong,
                    "n_none": 0,
                    "keep": len(counted) < 2 or wrong < len(counted),
                    "models": list(counted),
                    "verdict": "dropped" if 2 <= len(counted) <= wrong else "kept",
                    "expected_bad": 0.95 if 2 <= len(counted) <= wrong else None,
                    "above_guessing": [0.7] * len(counted),
                }
            )
    return rows


def audit_rows(proposed: int) -> list[str]:
    """Lines of an audit of 30 entries, the first ``proposed`` of them proposed."""
    by_filter = [f"rejected_by_{name}" for name in ("integrity", "clip", "ocr")]
    lines = [",".join([*COLUMNS, *by_filter])]
    for i in range(30):
        is_bad = i < proposed
        rate, low = (0.9, 0.7 - i / 100) if is_bad else (0.1, 0.02)
        label = "<b>owl</b>" if i == 0 else f"entry {i}"
        hits = int(40 * rate)
        line = f"animal: [{label}]" if is_bad else ""
        state = f"{str(is_bad).lower()},{str(i == 1).lower()},{line}"
        lines.append(
            f"animal,{label},,foreground,40,{hits},{rate},{low},{rate + 0.05:.2f},40,{hits},200,"
            f"0.01,{rate - 0.01},{low},{rate},0.001,{state},{hits - 3},3,80,3,0,{hits - 4},1"
        )
    return lines


def _answers(
    p: Params,
    data: Path,
    shard: int,
    images: list[dict[str, Any]],
    questions: list[dict[str, Any]],
    asked: list[dict[str, Any]],
    corpus: tuple[pa.Table, pa.Table],
) -> dict[str, list[dict[str, Any]]]:
    """Write images, answers and scores of all scenarios; scores of the first one by model."""
    scored: dict[str, list[dict[str, Any]]] = {}
    for scenario in p.scenarios.names:
        shown = images
        if scenario != "clean":
            shown = report_scenarios.images(p, p.scenarios.spec(scenario), images, questions)
            _write(shown, data / "images" / scenario, tables.IMAGES, shard)
        pictures = tables.IMAGES.of(shown)
        for model in (m.name for m in p.answer.models):
            answers = [
                answered(model, i, q, *about)
                for i, (q, about) in enumerate(
                    report_scenarios.asked(asked, shown, scenario, model)
                )
            ]
            _write(answers, data / "answers" / model / scenario, tables.ANSWERS, shard)
            given = tables.ANSWERS.of(answers)
            known = Asked(*corpus, pictures)
            rows = score_rows(given, known, _compare, p.score.strategy).to_pylist()
            _write(rows, data / "scores" / model / scenario, tables.SCORES, 10**6)
            if scenario == p.scenarios.names[0]:
                scored[model] = rows
    return scored


def build(
    root: Path,
    p: Params | None = None,
    shard: int = 17,
    counted: tuple[str, ...] = COUNTED,
    proposed: int = 25,
) -> Params:
    """Write config.json, data/ and the results that the report reads below ``root``."""
    p = p or params()
    data = root / "data" / p.suite
    scenes = _scenes(p)
    questions = list(_questions(scenes))
    verdicts: dict[str, list[dict[str, Any]]] = {name: [] for name in ("render", *p.filter.names)}
    images = []
    for n, scene in enumerate(scenes):
        image_id = item_id(scene["scene_id"], "clean")
        about = {"image_id": image_id, "scene_id": scene["scene_id"]}
        reason = _refusal(p, scene)
        verdicts["render"].append(
            about | {"filter": "render", "keep": reason is None, "reason": reason}
        )
        if reason is not None:
            continue
        images.append(_image(p, n, scene, image_id))
        for name in p.filter.names:
            verdicts[name].append(about | {"filter": name} | _ruling(name, n, scene))
    _write(scenes, data / "scenes", tables.SCENES, shard)
    _write(questions, data / "questions", tables.QUESTIONS, shard)
    _write(images, data / "images" / "clean", tables.IMAGES, shard)
    drawn = {image["scene_id"] for image in images}
    attempts = [attempt(scene) for scene in scenes if scene["scene_id"] in drawn]
    _write(attempts, data / "attempts", tables.ATTEMPTS, shard)
    for name, rows in verdicts.items():
        _write(rows, data / "verdicts" / name, tables.VERDICTS, shard)
    gone = {v["scene_id"] for rows in verdicts.values() for v in rows if not v["keep"]}
    asked = [q for q in questions if q["scene_id"] not in gone]
    corpus = (
        tables.QUESTIONS.of(questions),
        tables.SCENES.of(scenes),
    )
    scored = _answers(p, data, shard, images, questions, asked, corpus)
    agreed = _consensus(asked, scored, counted)
    _write(agreed, data / "consensus", tables.CONSENSUS, 10**6)
    write_judged(p, data)
    write_exam(p, data)
    write_truth(p, data, scenes, [item_id(scene["scene_id"], "clean") for scene in scenes])
    results = root / "results" / p.suite
    write_numbers(p, results)
    shards = sorted((data / "scores").glob("*/*/part-*.parquet"))
    names = ("consensus", "questions", "scenes")
    parts: Any = {name: sorted((data / name).iterdir()) for name in names} | {"scores": shards}
    out, text = results / "metrics.parquet", root / "metrics.json"
    costs = write_costs(p, data, results / "costs.parquet")
    write_metrics(p, **parts, costs=costs, out_parquet=out, out_json=text)
    write_comparisons(p, **parts, out=results / "comparisons.parquet")
    audit = "\n".join(audit_rows(proposed)) + "\n"
    (results / "vocabulary_audit.csv").write_text(audit)
    (root / "config.json").write_text(project_of(p).model_dump_json())
    return p
