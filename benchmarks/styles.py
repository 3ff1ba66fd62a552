"""How well SC tells a model that is sensitive to style from one that is not, by planted models.

The design is that of a snapshot's own parameters: its scenes, those that are shown again in other
styles, and their questions, as far as the renderer draws them. Models are planted: each question
has a difficulty of its own, each picture makes all of its questions a little harder or easier, and
a style is worth so many points or nothing, with the same mean. The real code then computes SC
within scenes, and SC over scenes of one style each as the paper has it. A model is called sensitive
where p is 0.05 or less (within scenes), or the interval stays above 0 (both). The last line of
standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import defaultdict
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt
import pandas as pd
import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params, load_params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.core.guard import main_guard
from lvlmbench.core.seeding import generator
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.metrics.frame import prepared
from lvlmbench.stages.metrics.sample import Sample
from lvlmbench.stages.metrics.sensitivity import styles
from lvlmbench.stages.metrics.styles import Paired, sensitivity
from lvlmbench.stages.render.shard import make_renderer
from lvlmbench.stats.estimate import wilson
from lvlmbench.stats.resampling import Bootstrap
from lvlmbench.suites.suite import suite_of

Array = npt.NDArray[Any]
#: Least and largest share of right answers to a question, and what a picture adds at most.
EASY, PICTURE = (0.4, 0.85), 0.06
#: Difficulty of subtasks: they differ by so much at most, beside that of questions.
SUBTASK = 0.08


@dataclass(frozen=True)
class Design:
    """Answers to come of one model: those within scenes, and those over scenes of one style."""

    within: pd.DataFrame
    over: pd.DataFrame


def frame(questions: pa.Table, scenes: pa.Table) -> pd.DataFrame:
    """All closed questions as answers, in the form that metrics are computed from."""
    style = dict(zip(scenes["scene_id"].to_pylist(), scenes["style"].to_pylist(), strict=True))
    rows = [
        {
            "model": "m",
            "scenario": "s",
            "question_id": q["question_id"],
            "image_id": q["scene_id"],
            "scene_id": q["scene_id"],
            "subtask": q["subtask"],
            "question_type": q["question_type"],
            "style": style[q["scene_id"]],
            "status": "answered",
            "correct": True,
            "scored": True,
        }
        for q in questions.to_pylist()
        if q["answer_index"] is not None and q["subtask"] != "style"
    ]
    return prepared(tables.SCORES.of(rows), questions=questions)


def design(params: Params) -> Design:
    """What the parameters plan and the renderer draws."""
    vocabulary, suite = load_vocabulary(vocabulary_dir(params)), suite_of(params)
    scenes = suite.scenes(params, vocabulary, 0, params.corpus.n_scenes)
    scenes = pa.concat_tables([scenes, suite.restyled(params, vocabulary, scenes)])
    renderer = make_renderer(params, vocabulary)
    scenes = scenes.filter([renderer.refuses(scene) is None for scene in scenes.to_pylist()])
    asked = suite.questions(params, vocabulary, scenes, tables.LAYOUTS.empty_table())
    again = asked["base"].is_valid()
    return Design(
        frame(asked.filter(again), scenes), frame(asked.filter(asked["base"].is_null()), scenes)
    )


def values(of: pd.DataFrame, keys: list[str], sd: float, random: np.random.Generator) -> Array:
    """Planted scores, in percent: 0 or 100 each."""
    question = of.groupby(keys, observed=True).ngroup().to_numpy()
    subtask, style = of["subtask"].cat.codes.to_numpy(), of["style"].cat.codes.to_numpy()
    worth = random.normal(size=style.max() + 1)
    met = np.bincount(style, minlength=len(worth)) > 0
    worth = sd / 100 * (worth - worth[met].mean()) / worth[met].std()
    chance = random.uniform(*EASY, question.max() + 1)[question] + worth[style]
    chance += random.uniform(-SUBTASK, SUBTASK, subtask.max() + 1)[subtask]
    picture = of["scene_id"].to_numpy()
    chance += random.uniform(-PICTURE, PICTURE, picture.max() + 1)[picture]
    return np.where(random.random(len(of)) < chance, 100.0, 0.0)


def model(task: tuple[Design, float, int, int, int]) -> dict[str, Any]:
    """What is found of one planted model."""
    planned, sd, seed, number, resamples = task
    random = generator(seed, "benchmark/styles", f"{sd:g}/{number}")
    bootstrap = Bootstrap(seed, f"{number}", resamples)
    keys = ["base", "subtask", "question_type"]
    within = planned.within.assign(value=values(planned.within, keys, sd, random))
    paired = Paired.of(within)
    assert paired is not None, "the design pairs answers"
    found = sensitivity(paired, bootstrap)
    over = planned.over.assign(value=values(planned.over, ["question"], sd, random))
    spread = styles(Sample(over, over))
    assert spread is not None, "scenes have several styles"
    error = spread.error(bootstrap.deviations(spread.influence))
    sizes = (paired.n_styles, paired.n_questions, paired.n_scenes, len(paired.base))
    return {
        "sizes": sizes,
        "within": (found.spread.value, found.spread.noise, found.spread.corrected),
        "over": (spread.value, spread.noise, spread.corrected),
        "p at most 0.05, within scenes": found.p <= 0.05,
        "interval above 0, within scenes": found.error is not None and found.error[1] > 0,
        "interval above 0, over scenes (as the paper)": error is not None and error[1] > 0,
        "interval holds it, within scenes": found.error is not None
        and found.error[1] <= sd * sd <= found.error[2],
    }


@main_guard
def main() -> None:
    """Plant models, and print how many are called sensitive."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", type=Path, default=Path("params.yaml"))
    parser.add_argument("--suite", default="dysca")
    parser.add_argument("--models", type=int, default=400, help="of each kind")
    parser.add_argument("--sd", type=float, default=10.0, help="over styles, in points")
    parser.add_argument("--resamples", type=int, default=1000, help="and permutations")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    args = parser.parse_args()

    start, planned = time.perf_counter(), design(load_params(args.config, args.suite))
    told: dict[str, dict[str, list[float]]] = {}
    figures: dict[str, Any] = {"benchmark": "styles", "models": args.models, "sd": args.sd}
    with ProcessPoolExecutor(args.cores) as pool:
        for sd in (0.0, args.sd):
            tasks = [(planned, sd, args.seed, i, args.resamples) for i in range(args.models)]
            found = list(pool.map(model, tasks, chunksize=4))
            name = "sensitive" if sd else "not sensitive"
            if not sd:
                names = ("styles", "questions", "scenes", "pictures")
                sizes = dict(zip(names, found[0]["sizes"], strict=True))
                figures |= {"size": sizes, "over_questions": len(planned.over)}
                print(f"within scenes: {figures['size']}")
            told[name] = _told(found, name)
            for where in ("within", "over"):
                mean = np.mean([each[where] for each in found], axis=0).round(1).tolist()
                told[name][f"mean value, noise, corrected, {where} scenes"] = mean
                print(f"{name:14} {where} scenes: value, noise, corrected on average {mean}")
    figures |= {"called_sensitive": told, "seconds": round(time.perf_counter() - start)}
    print(json.dumps(figures))


def _told(found: list[dict[str, Any]], name: str) -> dict[str, list[float]]:
    """Shares, in percent with 95 % intervals, by rule."""
    counts: dict[str, list[bool]] = defaultdict(list)
    for each in found:
        for rule, is_so in each.items():
            if isinstance(is_so, bool | np.bool_):
                counts[rule].append(bool(is_so))
    shares = {}
    for rule, held in counts.items():
        share = float(np.mean(held))
        shares[rule] = [round(100 * x, 1) for x in (share, *wilson(share, len(held)))]
        print(
            f"{name:14} {rule:46} {shares[rule][0]:5.1f} % ({shares[rule][1]} to {shares[rule][2]})"
        )
    return shares


if __name__ == "__main__":
    main()
