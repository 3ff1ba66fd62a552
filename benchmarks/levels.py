"""How well a model that looks at several things answers, level by level: engine ``windows``.

Scenes of all skills are drawn with a seed of their own, asked about and answered, in this process.
Beside accuracy stands chance: levels differ in how many options their questions have. Steps from
one level to the next have a 95 % interval by drawing pairs of twins again, skill by skill. Short
answers are told apart, since some skills ask for them at one level alone. The last line of standard
output is one JSON object.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np

from benchmarks.harness.composing import asked, drawn, parameters, skills, vocabulary_of
from lvlmbench.config import Params
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.guard import main_guard
from lvlmbench.core.seeding import generator, item_id
from lvlmbench.stages.answer.engine import MODELS, Item, Model
from lvlmbench.suites.composed.scenes import Planner

LEVELS = ("easy", "medium", "hard")
ENGINE = "windows"
#: Of another seed than any snapshot's, and than those that the engine was made with.
_SEED = 7_001
_DRAWS = 2000


class Answer(NamedTuple):
    """One question that was answered."""

    skill: str
    level: str
    question_type: str
    pair: str
    chance: float
    right: bool


def _item(question: dict[str, Any], image: bytes) -> Item:
    return Item(
        question_id=question["question_id"],
        scene_id=question["scene_id"],
        subtask=question["subtask"],
        question_type=question["question_type"],
        question=question["question"],
        options=tuple(question["options"] or ()),
        prompt=question["question"],
        image=image,
        image_id=item_id("image", question["scene_id"]),
        image_sha256=hashlib.sha256(image).hexdigest(),
        program=question["program"],
    )


def model_of(params: Params, tower: str) -> Model:
    """Return the engine with the pinned weights of a reference model."""
    given = {"name": ENGINE, "engine": ENGINE, "windows": {"tower": tower}}
    weights = {tower: PROJECT_ROOT / params.reference.pinned / tower}
    make = MODELS.get(ENGINE, "answer.models")
    model: Model = make(params, ModelParams.model_validate(given), weights)
    return model


def answers(name: str, scenes: int, tower: str, seed: int, size: int) -> Iterator[Answer]:
    """Draw scenes of a skill, ask, and have the engine answer."""
    params = parameters(seed, [name], scenes, size)
    vocabulary = vocabulary_of(params)
    pictures: dict[str, bytes] = {}
    found = list(drawn(params, vocabulary, pictures))
    pairs = {one.scene["scene_id"]: one.scene["pair"] or one.scene["scene_id"] for one in found}
    questions = asked(Planner(params, vocabulary), found, size)
    items = (_item(each, pictures[each["scene_id"]]) for each in questions)
    replies = (reply.text for _, reply in model_of(params, tower).answer(items))
    for each, text in zip(questions, replies, strict=True):
        right = (
            text.startswith(f"({chr(65 + each['answer_index'])})")
            if each["options"]
            else text in each["accepted"]
        )
        yield Answer(
            name, each["level"], each["question_type"], pairs[each["scene_id"]], each["chance"],
            right,
        )  # fmt: skip


def summary(found: Sequence[Answer]) -> dict[str, float]:
    """Accuracy beside chance."""
    n = len(found)
    accuracy, chance = (sum(v) / n for v in zip(*((a.right, a.chance) for a in found), strict=True))
    return {
        "n": n,
        "accuracy": round(accuracy, 4),
        "chance": round(chance, 4),
        "gain": round(accuracy - chance, 4),
    }


def _drawn_again(found: Sequence[Answer], value: Callable[[Answer], float], at: int) -> Any:
    """Means of a level's answers, pairs of each skill drawn again (draws,)."""
    by_pair: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for each in found:
        by_pair[each.skill][each.pair].append(value(each))
    rng = generator(0, "benchmarks/levels", str(at))
    total, n = np.zeros(_DRAWS), np.zeros(_DRAWS)
    for pairs in by_pair.values():
        sums = np.array([sum(each) for each in pairs.values()])
        sizes = np.array([len(each) for each in pairs.values()])
        again = rng.integers(len(sums), size=(_DRAWS, len(sums)))
        total += sums[again].sum(axis=1)
        n += sizes[again].sum(axis=1)
    return total / n


def step(
    upper: Sequence[Answer], lower: Sequence[Answer], value: Callable[[Answer], float]
) -> dict[str, float]:
    """Return by how much one level is above another, with a 95 % interval."""
    means = [sum(map(value, each)) / len(each) for each in (upper, lower)]
    away = _drawn_again(upper, value, 0) - _drawn_again(lower, value, 1)
    low, high = np.percentile(away, [2.5, 97.5])
    return {
        "step": round(means[0] - means[1], 4),
        "low": round(float(low), 4),
        "high": round(float(high), 4),
    }


def steps(found: Sequence[Answer]) -> dict[str, dict[str, float]]:
    """Steps from level to level: of accuracy, and of the gain over chance."""
    at = {level: [each for each in found if each.level == level] for level in LEVELS}
    values: dict[str, Callable[[Answer], float]] = {
        "accuracy": lambda one: float(one.right),
        "gain": lambda one: one.right - one.chance,
    }
    return {
        f"{upper}-{lower} {name}": step(at[upper], at[lower], value)
        for upper, lower in pairwise(LEVELS)
        for name, value in values.items()
    }


def _tell(label: str, found: Sequence[Answer]) -> dict[str, float]:
    told = summary(found)
    print(
        f"{label:28} {told['n']:6} {told['accuracy']:8.3f} {told['chance']:7.3f} "
        f"{100 * told['gain']:+6.1f}",
        flush=True,
    )
    return told


@main_guard
def main() -> None:
    """Draw, ask, answer, and print what each level leaves of the model."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skills", nargs="*", default=None, help="names; all without")
    parser.add_argument("--scenes", type=int, default=96, help="of a skill; levels take turns")
    parser.add_argument("--tower", default="reference_a")
    parser.add_argument("--seed", type=int, default=_SEED)
    parser.add_argument("--size", type=int, default=512, help="side of the pictures")
    args = parser.parse_args()

    begin = time.process_time()
    found: list[Answer] = []
    print("skill, level                      n accuracy  chance   gain")
    cells = {}
    short: list[Answer] = []  # not asked by all skills at all levels, so counted apart
    for name in args.skills or skills():
        every = list(answers(name, args.scenes, args.tower, args.seed, args.size))
        own = [each for each in every if each.question_type != "short_answer"]
        found += own
        short += [each for each in every if each.question_type == "short_answer"]
        for level in LEVELS:
            some = [each for each in own if each.level == level]
            if some:
                cells[f"{name} {level}"] = _tell(f"{name} {level}", some)
    levels = {level: _tell(level, [a for a in found if a.level == level]) for level in LEVELS}
    for kind in sorted({each.question_type for each in (*found, *short)}):
        for level in LEVELS:
            some = [a for a in (*found, *short) if (a.level, a.question_type) == (level, kind)]
            levels[f"{level} {kind}"] = _tell(f"{level} {kind}", some)
    told = steps(found)
    for name, each in told.items():
        print(f"{name:28} {each['step']:+.3f} ({each['low']:+.3f} to {each['high']:+.3f})")
    figures = {
        "benchmark": "levels",
        "tower": args.tower,
        "seconds": round(time.process_time() - begin),
        "levels": levels,
        "steps": told,
        "cells": cells,
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
