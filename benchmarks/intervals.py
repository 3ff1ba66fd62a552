"""How often the 95 % intervals hold what they should, and p-values, by simulated snapshots.

Each snapshot has its own truth: how hard each question type, subtask and style is, what a
scenario costs, how much better another model is. Scenes are drawn of fixed number by subtask, in
styles at random and unequally often, each with a difficulty of its own that all its questions
share; some are asked about style and background too, and some answers cannot be scored. The
metrics and comparisons are then computed by the real code. A quarter of the snapshots have no
effect of style at all, and in a quarter both closed question types are equally hard: there SC and
SQ are exactly 0. The last line of standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import resource
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import SUBTASKS
from lvlmbench.core.guard import main_guard
from lvlmbench.core.seeding import generator
from lvlmbench.stages.metrics.comparisons import comparison_rows
from lvlmbench.stages.metrics.metrics import metric_rows
from lvlmbench.stages.metrics.panel import panels
from lvlmbench.stages.metrics.sensitivity import sc, sq

Array = npt.NDArray[Any]
N_SUBTASKS = 16
NAMES = list(SUBTASKS)[:N_SUBTASKS]
#: Share of scenes that are asked about a coarse aspect beside their own subtask.
COARSE = {"style": 0.3, "background": 0.15}
#: Share of scenes with a question of each type about their own subtask.
ASKED = {"multiple_choice": 1.0, "true_false": 1.0, "free_form": 0.62}
KINDS = tuple(ASKED)
UNSCORED = 0.03
#: Largest effects, in shares: of a scene, a subtask, a style.
SCENE, SUBTASK, STYLE = 0.12, 0.1, 0.13
#: How much a style matters to each question type.
STYLE_SHARE = {"multiple_choice": 1.0, "true_false": 0.8, "free_form": 0.6}
#: Which metrics must be right; the others are shown.
LEVEL, TOLERANCE = 95.0, 1.5


@dataclass
class Truth:
    """What is true of one model in one scenario: probabilities before the scene's effect."""

    base: dict[str, float]
    subtask: dict[str, Array]
    style: Array

    def score(self, kind: str, subtask: str | None = None) -> float:
        """In percent; effects of subtasks and styles are 0 on average."""
        more = 0.0 if subtask is None else self.subtask[kind][NAMES.index(subtask)]
        return float(100 * (self.base[kind] + more))

    def of_style(self, style: int) -> float:
        """Score of a style, in percent."""
        found = [self.base[k] + STYLE_SHARE[k] * self.style[style] for k in KINDS]
        return float(100 * np.mean(found))


@dataclass
class Design:
    """Scenes and questions of a snapshot."""

    scene_style: Array
    scene_effect: Array
    kind: Array
    scene: Array
    subtask: Array
    chance: Array


def centered(values: Array, weights: Array | None = None) -> Array:
    return np.asarray(values - np.average(values, weights=weights))


def make_truth(random: np.random.Generator, styles: Array, alike: bool, equal: bool) -> Truth:
    base = {
        "multiple_choice": random.uniform(0.5, 0.6),
        "true_false": random.uniform(0.55, 0.62),
        "free_form": random.uniform(0.4, 0.55),
    }
    if equal:
        base["true_false"] = 0.5 + (base["multiple_choice"] - 0.25) * 2 / 3
    subtask = {k: centered(random.uniform(-SUBTASK, SUBTASK, N_SUBTASKS)) for k in KINDS}
    size = 0.0 if alike else random.uniform(0, STYLE)
    style = size * centered(random.uniform(-1, 1, len(styles)), styles)
    return Truth(base, subtask, style)


def make_design(random: np.random.Generator, scenes: int, styles: Array) -> Design:
    n = N_SUBTASKS * scenes
    own = np.repeat(np.arange(N_SUBTASKS), scenes)
    parts: list[tuple[int, Array, Array]] = []
    for number, kind in enumerate(KINDS):
        chosen = np.flatnonzero(random.random(n) < ASKED[kind])
        parts.append((number, chosen, own[chosen]))
        for name, share in COARSE.items() if kind != "free_form" else ():
            also = np.flatnonzero((random.random(n) < share) & (own != NAMES.index(name)))
            parts.append((number, also, np.full(len(also), NAMES.index(name))))
    scene = np.concatenate([s for _, s, _ in parts])
    kind = np.concatenate([np.full(len(s), number) for number, s, _ in parts])
    subtask = np.concatenate([s for _, _, s in parts])
    options = np.where((subtask % 5 == 3) & (random.random(len(scene)) < 0.5), 3, 4)
    chance = np.where(kind == 0, 1 / options, np.where(kind == 1, 0.5, np.nan))
    style = random.choice(len(styles), n, p=styles)
    effect = SCENE * random.choice([-1.0, 1.0], n)
    return Design(style, effect, kind, scene, subtask, chance)


def answer(
    random: np.random.Generator, design: Design, truth: Truth, luck: Array
) -> tuple[Array, Array]:
    """(value in percent, whether it is scored) of each question; ``luck``, uniform, decides."""
    p = np.array([truth.base[k] for k in KINDS])[design.kind]
    p += np.array([truth.subtask[k] for k in KINDS])[design.kind, design.subtask]
    share = np.array([STYLE_SHARE[k] for k in KINDS])[design.kind]
    p += share * truth.style[design.scene_style[design.scene]] + design.scene_effect[design.scene]
    caption = np.round(100 * p + 40 * (luck - 0.5), 4)
    value = np.where(design.kind == 2, caption, 100.0 * (luck < p))
    return value, random.random(len(p)) >= UNSCORED


def table(
    design: Design, model: str, scenario: str, value: Array, scored: Array, styles: int
) -> pa.Table:
    """The same as rows of the scores table."""
    n = len(value)
    number = [f"{i:07d}" for i in range(n)]
    scene = [f"{i:07d}" for i in design.scene]
    free = design.kind == 2
    columns = {
        "model": pa.array([model] * n),
        "scenario": pa.array([scenario] * n),
        "question_id": pa.array(number),
        "image_id": pa.array(scene),
        "perturbation": pa.nulls(n, pa.string()),
        "severity": pa.nulls(n, pa.int8()),
        "scene_id": pa.array(scene),
        "subtask": pa.array(NAMES).take(pa.array(design.subtask)),
        "question_type": pa.array(KINDS).take(pa.array(design.kind)),
        "style": pa.array([f"style {i:02d}" for i in range(styles)]).take(
            pa.array(design.scene_style[design.scene])
        ),
        "status": pa.array(["answered"] * n),
        "parsed_index": pa.nulls(n, pa.int8()),
        "parse_method": pa.array(["none", "letter"]).take(pa.array(scored.astype(np.int64))),
        "correct": pa.array(value > 50, mask=free | ~scored),
        "similarity": pa.array(value, mask=~free | ~scored),
        "scored": pa.array(scored),
    }
    return pa.table(columns, schema=tables.SCORES.schema)


def snapshot(
    task: tuple[int, int, int, int],
) -> tuple[list[tuple[str, int]], list[tuple[str, float]]]:
    """([what, -1 too low, 0 held, 1 too high]; [what, p under no difference]) of one snapshot.

    ``task`` is (seed, number, scenes a subtask, styles).
    """
    seed, number, scenes, n_styles = task
    random = generator(seed, "intervals", str(number))
    alike, equal = number % 4 == 0, number % 4 == 1
    shares = random.dirichlet(np.full(n_styles, 5.0))
    design = make_design(random, scenes, shares)
    mine, other = (make_truth(random, shares, alike, equal) for _ in range(2))
    drop = random.uniform(0, 0.1)
    noisy = Truth({k: v - drop for k, v in mine.base.items()}, mine.subtask, mine.style)
    n = len(design.scene)
    luck = random.random(n)
    again = np.where(random.random(n) < 0.6, luck, random.random(n))
    made = {
        ("a", "clean"): answer(random, design, mine, luck),
        ("a", "corruption"): answer(random, design, noisy, again),
        ("b", "clean"): answer(random, design, other, random.random(n)),
        ("c", "clean"): answer(random, design, other, random.random(n)),
        ("b", "corruption"): answer(random, design, other, random.random(n)),
    }
    found = {key: table(design, *key, *values, n_styles) for key, values in made.items()}
    questions = pa.table(
        {
            "question_id": found["a", "clean"]["question_id"],
            "chance": pa.array(design.chance, from_pandas=True),
        }
    )
    rows = metric_rows(
        pa.concat_tables([found["a", "clean"], found["a", "corruption"]]), (), questions, number
    )
    held = list(_metrics(rows, design, mine, drop))
    compared = comparison_rows(panels(found.values()), number, 999)
    p: list[tuple[str, float]] = []
    for row in compared:
        kind, pair = str(row["question_type"]), (row["model"], row["baseline_model"])
        kinds = KINDS if kind == "all" else (kind,)
        if row["family"] == "models" and row["scenario"] == "clean" and pair == ("a", "b"):
            true = np.mean([mine.score(k) - other.score(k) for k in kinds])
            held.append(_held("difference of models", row, float(true)))
        if row["scenario"] == "clean" and pair == ("b", "c"):
            p.append((f"models, {'all' if kind == 'all' else 'a type'}", float(str(row["p"]))))
        if row["family"] == "scenarios" and pair == ("b", "b"):
            p.append((f"scenarios, {'all' if kind == 'all' else 'a type'}", float(str(row["p"]))))
    return [h for h in held if h is not None], p


def _held(name: str, row: dict[str, object], true: float) -> tuple[str, int] | None:
    low, high = row["low"], row["high"]
    if low is None or high is None:
        return None
    return name, int(float(str(low)) > true + 1e-6) - int(float(str(high)) < true - 1e-6)


def _metrics(
    rows: list[dict[str, object]], design: Design, mine: Truth, drop: float
) -> Iterator[tuple[str, int] | None]:
    """Each interval of model a against the truth."""
    clusters: dict[tuple[str, str], int] = {}
    for number, kind in enumerate(KINDS):
        for at, name in enumerate(NAMES):
            chosen = (design.kind == number) & (design.subtask == at)
            clusters[kind, name] = len(set(design.scene[chosen]))
    level = {
        (kind, name): float(np.mean(design_chance(design, kind, name)))
        for kind in KINDS[:2]
        for name in NAMES
    }
    complete = []
    for row in rows:
        if row["questions"] != "all" or row["severity"] != "all":
            continue
        metric, kind = str(row["metric"]), str(row["question_type"])
        subtask, style = str(row["subtask"]), str(row["style"])
        clean = row["scenario"] == "clean"
        kinds = KINDS if kind == "all" else (kind,)
        named = None if subtask == "all" else subtask
        if named and min(clusters[k, named] for k in kinds) < 10:
            continue
        score = float(np.mean([mine.score(k, named) for k in kinds]))
        where = "a subtask" if named else ("all" if kind == "all" else "a type")
        if style != "all":
            if clean and kind == "all" and metric == "score" and row["value"] is not None:
                complete.append(int(style.split()[1]))
                yield _held("score of a style", row, mine.of_style(complete[-1]))
        elif metric == "difference":
            yield _held(f"difference of scenarios, {where}", row, -100 * drop)
        elif not clean:
            continue
        elif metric in ("total", "score", "accuracy", "similarity"):
            name = metric if metric == "total" else f"{metric} of {where}"
            yield _held(name, row, score)
        elif metric == "total_strict":
            yield _held(metric, row, score * (1 - UNSCORED))
        elif metric == "above_chance":
            names = [named] if named else NAMES
            guess = float(np.mean([level[kind, n] for n in names]))
            yield _held(f"above_chance of {where}", row, score - guess)
    (sq_row,), (sc_row,) = (
        [r for r in rows if (r["metric"], r["questions"], r["scenario"]) == (m, "all", "clean")]
        for m in ("sq", "sc")
    )
    true = sq(mine.score("true_false"), mine.score("multiple_choice"))
    yield _held("sq", sq_row, true)
    yield _held("sq where it is 0" if true < 1e-9 else "sq where it is not", sq_row, true)
    true = sc([mine.of_style(i) for i in complete]) if complete else 0.0
    yield _held("sc", sc_row, true)
    yield _held("sc where it is 0" if true < 1e-9 else "sc where it is not", sc_row, true)


def design_chance(design: Design, kind: str, subtask: str) -> Array:
    """Expected level of guessing, in percent: the share of three options is a half."""
    if kind == "true_false":
        return np.array([50.0])
    mixed = NAMES.index(subtask) % 5 == 3
    return np.array([100 * (1 / 3 + 1 / 4) / 2 if mixed else 25.0])


@main_guard
def main() -> None:
    """Simulate, and print a line for each kind of interval and of p-value."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--snapshots", type=int, default=2000)
    parser.add_argument("--scenes", type=int, default=20, help="scenes a subtask")
    parser.add_argument("--styles", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    args = parser.parse_args()

    start = time.perf_counter()
    held: dict[str, list[int]] = defaultdict(list)
    p: dict[str, list[float]] = defaultdict(list)
    tasks = [(args.seed, i, args.scenes, args.styles) for i in range(args.snapshots)]
    with ProcessPoolExecutor(args.cores) as pool:
        for intervals, values in pool.map(snapshot, tasks, chunksize=4):
            for name, side in intervals:
                held[name].append(side)
            for name, value in values:
                p[name].append(value)
    seconds = time.perf_counter() - start
    coverage = {}
    for name in sorted(held):
        sides = np.array(held[name])
        coverage[name] = round(100 * float(np.mean(sides == 0)), 2)
        ok = "" if abs(coverage[name] - LEVEL) <= TOLERANCE else "  <-- off"
        below, above = (100 * float(np.mean(sides == s)) for s in (1, -1))
        print(
            f"{name:36} {coverage[name]:6.2f} % of {len(sides):6} intervals"
            f" (truth below {below:.2f} %, above {above:.2f} %){ok}"
        )
    rejected = {}
    for name in sorted(p):
        rejected[name] = {
            str(level): round(100 * float(np.mean(np.array(p[name]) <= level)), 2)
            for level in (0.01, 0.05, 0.5)
        }
        print(f"p under no difference, {name:18} at most 0.01, 0.05, 0.5 in {rejected[name]} %")
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    figures = {
        "benchmark": "intervals",
        "snapshots": args.snapshots,
        "scenes_a_subtask": args.scenes,
        "snapshots_per_s": round(args.snapshots / seconds, 3),
        "seconds": round(seconds),
        "coverage": coverage,
        "p_at_most": rejected,
        "peak_mib": math.ceil(children),
    }
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
