"""What is known of a trained reference model: thresholds, and how well it does, on held-out scenes.

The scenes that validate are drawn like those of training and never trained on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
from PIL import Image

from lvlmbench.core.seeding import generator
from lvlmbench.stages.reference.captions import aspects
from lvlmbench.stages.reference.data import Scenes
from lvlmbench.stages.reference.encoder import Encoder
from lvlmbench.stages.reference.labels import GROUPS
from lvlmbench.stages.reference.pinned import confusions
from lvlmbench.stages.reference.zero_shot import DECIMALS, ZeroShot
from lvlmbench.stats.estimate import wilson

F64 = npt.NDArray[np.float64]

_BATCH = 64

#: The subtask whose scenes the CLIP filter leaves to the OCR filter.
TEXT = "text"


def encode(encoder: Encoder, scenes: Scenes) -> F64:
    """Unit vectors of the scenes' images, (scenes, dimensions)."""
    batches = scenes.pictures["image"].batches(_BATCH)
    parts = [encoder.images([Image.fromarray(p) for p in pixels]) for pixels in batches]
    return np.concatenate(parts)


def lower_quantile(values: F64, share: float) -> float:
    """The largest threshold below which at most ``share`` of the values lie."""
    ordered = np.sort(values)
    return float(ordered[math.floor(share * len(ordered))])


def clip_threshold(
    encoder: Encoder, scenes: Scenes, images: F64, share: float, seed: int
) -> dict[str, float]:
    """The cosine below which a share of true pairs lies, and how many shuffled pairs do."""
    rows = [i for i, row in enumerate(scenes.rows) if row["subtask"] != TEXT]
    texts, _ = encoder.texts([scenes.rows[i]["caption"] for i in rows])
    true = np.round((texts * images[rows]).sum(1), DECIMALS)
    threshold = lower_quantile(true, share)
    shift = 1 + int(generator(seed, "reference/shuffled", "pairs").integers(len(rows) - 1))
    order = generator(seed, "reference/shuffled", "order").permutation(len(rows))
    partner = np.empty_like(order)
    partner[order] = np.roll(order, shift)
    different = np.array(
        [
            scenes.rows[rows[i]]["foreground"] != scenes.rows[rows[j]]["foreground"]
            for i, j in enumerate(partner)
        ]
    )
    shuffled = np.round((texts * images[rows][partner]).sum(1), DECIMALS)[different]
    return {
        "clip_threshold": threshold,
        "true_pairs": len(true),
        "true_cosine_mean": float(np.round(true.mean(), DECIMALS)),
        "shuffled_cosine_mean": float(np.round(shuffled.mean(), DECIMALS)),
        "shuffled_rejected": float(np.round((shuffled < threshold).mean(), DECIMALS)),
    }


def label_odds(model: ZeroShot, scenes: Scenes, images: F64) -> dict[str, F64]:
    """Group -> least log-odds of each scene's labels in it, (scenes,); NaN where there are none."""
    found = {group: np.full(len(scenes.rows), np.nan) for group in GROUPS}
    for i, row in enumerate(scenes.rows):
        if row["subtask"] == TEXT:
            continue
        for aspect, label in aspects(row).items():
            if model.labels.number(aspect, label) is not None:
                odds = found[model.labels.group(aspect)]
                odds[i] = np.fmin(odds[i], model.odds(aspect, label, images[i]))
    return found


def label_thresholds(odds: dict[str, F64], share: float) -> dict[str, float]:
    """The thresholds of the groups at which at most ``share`` of the scenes is lost in all.

    Each group loses the same share of the scenes that it judges, the largest that does.
    """
    judged = np.any([~np.isnan(found) for found in odds.values()], axis=0)
    allowed = math.floor(share * int(judged.sum()))

    def at(each: float) -> dict[str, float]:
        return {
            group: lower_quantile(found[~np.isnan(found)], each)
            for group, found in odds.items()
            if not np.isnan(found).all()
        }

    def lost(thresholds: dict[str, float]) -> int:
        below = [odds[group] < limit for group, limit in thresholds.items()]
        return int(np.any(below, axis=0).sum())

    steps = 1000
    best = max(i for i in range(steps + 1) if lost(at(share * i / steps)) <= allowed)
    return at(share * best / steps)


def best_threshold(odds: F64, truth: npt.NDArray[np.bool_]) -> float:
    """The threshold with the most right decisions ``odds > threshold``; the middle of a gap."""
    order = np.argsort(odds, kind="stable")
    values, right = odds[order], truth[order]
    # Threshold after the first i: those are called false, the others true.
    gains = np.concatenate([[0], np.cumsum(np.where(right, -1, 1))])
    edges = np.concatenate([[values[0] - 1], (values[:-1] + values[1:]) / 2, [values[-1] + 1]])
    usable = np.concatenate([[True], values[1:] > values[:-1], [True]])
    best = int(np.argmax(np.where(usable, gains, -len(odds) - 1)))
    return float(np.round(edges[best], DECIMALS))


def true_false(
    model: ZeroShot,
    questions: Sequence[dict[str, Any]],
    images: F64,
    row_of: dict[str, int],
    threshold: float | None = None,
) -> dict[str, float]:
    """A threshold of the log-odds and its accuracy.

    Where none is given, it is set on every other question and tried on the rest.
    """
    odds, truth = [], []
    for question in questions:
        claim = model.claim(question["question"])
        if claim is None:
            continue
        odds.append(model.odds(*claim, images[row_of[question["scene_id"]]]))
        truth.append(question["answer"] == "True")
    values, right = np.array(odds), np.array(truth)
    if threshold is None:
        threshold = best_threshold(values[::2], right[::2])
        values, right = values[1::2], right[1::2]
    hits = (values > threshold) == right
    low, high = wilson(float(hits.mean()), len(hits))
    numbers = {"accuracy": 100 * float(hits.mean()), "low": 100 * low, "high": 100 * high}
    rounded = {k: round(v, 3) for k, v in numbers.items()}
    return {"true_false_threshold": threshold, **rounded, "n": len(hits)}


def choices(
    model: ZeroShot, questions: Sequence[dict[str, Any]], images: F64, row_of: dict[str, int]
) -> list[int]:
    """Number of the option that the model takes, for each question."""
    return [
        model.option(q["question"], q["options"], images[row_of[q["scene_id"]]]) for q in questions
    ]


def multiple_choice(
    questions: Sequence[dict[str, Any]], picked: Sequence[int]
) -> dict[str, dict[str, float]]:
    """Subtask -> accuracy in percent with its 95 % Wilson interval, chance, n."""
    hits: dict[str, list[bool]] = {}
    chance: dict[str, list[float]] = {}
    for question, chosen in zip(questions, picked, strict=True):
        aspect = question["subtask"]
        hits.setdefault(aspect, []).append(chosen == question["answer_index"])
        chance.setdefault(aspect, []).append(question["chance"])
    found = {}
    for aspect, values in sorted(hits.items()):
        low, high = wilson(float(np.mean(values)), len(values))
        numbers = {
            "accuracy": 100 * float(np.mean(values)),
            "low": 100 * low,
            "high": 100 * high,
            "chance": 100 * float(np.mean(chance[aspect])),
        }
        found[aspect] = {**{k: round(v, 3) for k, v in numbers.items()}, "n": len(values)}
    return found


def measure(
    model: ZeroShot, scenes: Scenes, questions: pa.Table, threshold: float
) -> dict[str, Any]:
    """How well a model with this threshold does on scenes that nothing was set on.

    Accuracies in percent with their 95 % intervals, and which labels are taken for which others.
    """
    images = encode(model.encoder, scenes)
    row_of = {row["scene_id"]: i for i, row in enumerate(scenes.rows)}
    rows = [q for q in questions.to_pylist() if q["scene_id"] in row_of and q["subtask"] != TEXT]
    chosen = [q for q in rows if q["question_type"] == "multiple_choice"]
    claims = [q for q in rows if q["question_type"] == "true_false"]
    picked = choices(model, chosen, images, row_of)
    by_subtask = multiple_choice(chosen, picked)
    told = true_false(model, claims, images, row_of, threshold)
    answered = [
        (q["subtask"], q["answer"], q["options"][i]) for q, i in zip(chosen, picked, strict=True)
    ]
    accuracies = [numbers["accuracy"] for numbers in by_subtask.values()]
    return {
        "scenes": len(scenes.rows),
        "multiple_choice_mean": round(float(np.mean(accuracies)), 3),
        "multiple_choice": by_subtask,
        "true_false": {k: v for k, v in told.items() if k != "true_false_threshold"},
        "confusions": confusions(answered),
    }


def calibrate(
    model: ZeroShot, scenes: Scenes, questions: pa.Table, false_rejections: float, seed: int
) -> tuple[dict[str, Any], dict[str, Any]]:
    """calibration.json and metrics.json of a model, from the scenes that validate.

    The second is what ``dvc metrics show`` prints: two accuracies, in percent.
    """
    images = encode(model.encoder, scenes)
    row_of = {row["scene_id"]: i for i, row in enumerate(scenes.rows)}
    rows = [q for q in questions.to_pylist() if q["scene_id"] in row_of and q["subtask"] != TEXT]
    kinds = {
        kind: [q for q in rows if q["question_type"] == kind]
        for kind in ("multiple_choice", "true_false")
    }
    odds = label_odds(model, scenes, images)
    thresholds = label_thresholds(odds, false_rejections)
    pairs = clip_threshold(model.encoder, scenes, images, false_rejections, seed)
    claims = true_false(model, kinds["true_false"], images, row_of)
    asked = kinds["multiple_choice"]
    by_subtask = multiple_choice(asked, choices(model, asked, images, row_of))
    calibration: dict[str, Any] = {
        "false_rejections": false_rejections,
        "clip_threshold": pairs["clip_threshold"],
        "true_false_threshold": claims["true_false_threshold"],
        **{f"{group}_threshold": thresholds.get(group, 0.0) for group in GROUPS},
    }
    calibration["validation"] = {
        "scenes": len(scenes.rows),
        "multiple_choice": by_subtask,
        "true_false": {k: v for k, v in claims.items() if k != "true_false_threshold"},
        "clip_filter": pairs,
    }
    accuracies = [numbers["accuracy"] for numbers in by_subtask.values()]
    metrics = {
        "multiple_choice": round(float(np.mean(accuracies)), 3) if accuracies else None,
        "true_false": claims["accuracy"],
    }
    return calibration, metrics
