"""How often the 95 % intervals hold what they should, by simulated snapshots of the default's size.

Three designs are simulated, and everything is computed by the project's own code:

* ``dysca``: subtasks with scenes that each have questions of two closed types and captions;
* ``composed``: skills at three levels; scenes come with twins, and each question about a scene has
  one about its twin;
* ``valor``: five subsets of descriptions with true and false claims, covered and left-out features;
  in one subset three scenes share a layout; each description is compared with a reference, too.

Scenes (twins, triplets) differ in difficulty, so that their answers hang together; subtasks differ
in accuracy. A number is right where its interval holds what an endless snapshot would give. For
differences, a second model changes a share of the answers, in one direction more than in the other;
for the type I error, two models of equal skill answer each on its own. The last line of standard
output is one JSON object.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from itertools import product

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import numpy.typing as npt
import pandas as pd

from lvlmbench.analysis.dialogue.compared import Compared, Scores
from lvlmbench.analysis.dialogue.numbers import numbers as dialogue_numbers
from lvlmbench.analysis.hallucination.told import Part
from lvlmbench.analysis.hallucination.totals import Numbers, Totals
from lvlmbench.core.guard import main_guard
from lvlmbench.core.seeding import generator
from lvlmbench.stages.metrics.kinds.levels import paired_answers
from lvlmbench.stages.metrics.sample import Sample
from lvlmbench.stats.estimate import Estimate

F64 = npt.NDArray[np.float64]
I64 = npt.NDArray[np.int64]

ACCURACIES = (0.5, 0.7, 0.9, 0.95, 0.98)
FLIPS = (0.01, 0.03, 0.1, 0.3)
#: How much answers about one scene, or its twin, hang together; how far subtasks are apart
#: (standard deviation of log-odds).
CORRELATION, APART = 0.1, 0.5
#: Share of the changes of answers that make them worse.
WORSE = 0.7
LEAST, MOST = 93.5, 97.0
TYPE_ONE = 5.5
#: What rests on none to three changed answers: no interval holds it in just 95 % of cases.
FEW_CHANGES = {f"difference of a subtask, {percent} % flips" for percent in (1, 3, 10)}

#: What was estimated, and the truth.
Found = Iterator[tuple[str, Estimate | None, float]]


def apart(random: np.random.Generator, accuracy: float, n: int) -> F64:
    """Return n accuracies around one."""
    odds = np.log(accuracy / (1 - accuracy)) + APART * random.standard_normal(n)
    return np.asarray(1 / (1 + np.exp(-odds)))


def of_clusters(random: np.random.Generator, p: F64, cluster: I64) -> F64:
    """Return the accuracy of each answer, from that of its cell and the luck of its cluster."""
    from scipy.special import betaincinv

    luck = random.random(int(cluster.max()) + 1)[cluster]
    more = 1 / CORRELATION - 1
    return np.asarray(betaincinv(p * more, (1 - p) * more, luck))


def frame(columns: Mapping[str, npt.NDArray[np.generic]], value: F64) -> pd.DataFrame:
    """Return answers as :func:`lvlmbench.stages.metrics.frame.prepared` gives them."""
    made = pd.DataFrame({"level": None, **columns}).assign(value=value, scored=True, style="photo")
    for name in ("refused", "truncated", "failed"):
        made[name] = False
    for name in ("question_type", "subtask", "style", "level"):
        if name in made:
            made[name] = pd.Categorical(made[name])
    return made


def of_sample(made: pd.DataFrame, paired: bool = False) -> Sample:
    """Return the estimates over answers."""
    return Sample(made, made, paired=paired)


# ---- dysca


def dysca(random: np.random.Generator, subtasks: int, scenes: int) -> dict[str, I64]:
    """Return a design: by question its subtask, scene and type (0 and 1 closed, 2 a caption)."""
    per = random.choice([3, 4], subtasks * scenes, p=[0.66, 0.34])
    scene = np.repeat(np.arange(subtasks * scenes), per)
    kind = random.choice(3, len(scene), p=[0.407, 0.405, 0.188])
    return {"scene": scene, "subtask": scene // scenes, "kind": kind}


_KINDS = np.array(["true_false", "multiple_choice", "free_form"])


def dysca_frame(design: Mapping[str, I64], value: F64) -> pd.DataFrame:
    """Return answers of a design."""
    names = np.array([f"subtask {at:02d}" for at in range(int(design["subtask"].max()) + 1)])
    columns: dict[str, npt.NDArray[np.generic]] = {
        "question": np.arange(len(value)),
        "scene": design["scene"],
        "cluster": design["scene"],
        "subtask": names[design["subtask"]],
        "question_type": _KINDS[design["kind"]],
    }
    return frame(columns, value)


def of_dysca(random: np.random.Generator, accuracy: float, scenes: int) -> Found:
    """Yield scores at an accuracy, and differences at some shares of changed answers."""
    design = dysca(random, 40, scenes)
    p = apart(random, accuracy, 40)
    each = of_clusters(random, p[design["subtask"]], design["scene"])
    free = design["kind"] == 2
    right = 100.0 * (random.random(len(each)) < each)
    caption = 20 + 60 * each + 5 * random.standard_normal(len(each))
    closed = dysca_frame({k: v[~free] for k, v in design.items()}, right[~free])
    sample = of_sample(closed)
    yield "total", sample.total, 100 * float(p.mean())
    for kind, found in sample.scores.items():
        yield "score of a question type", found, 100 * float(_asked(closed, kind, p))
    for at in range(len(p)):
        yield "score of a subtask", sample.across(f"subtask {at:02d}"), 100 * float(p[at])
    if accuracy == ACCURACIES[2]:
        with_captions = of_sample(dysca_frame(design, np.where(free, caption, right)))
        asked = [at for at in range(40) if (free & (design["subtask"] == at)).any()]
        true = (200 * float(p.mean()) + 20 + 60 * float(p[asked].mean())) / 3
        yield "total with captions", with_captions.total, true
    for flips in FLIPS if accuracy == ACCURACIES[2] else ():
        rate = apart(random, flips, 40)
        changes = random.random(len(each)) < of_clusters(
            random, rate[design["subtask"]], design["scene"]
        )
        change = np.where(random.random(len(each)) < WORSE, -100.0, 100.0) * changes
        changed = of_sample(
            dysca_frame({k: v[~free] for k, v in design.items()}, change[~free]), paired=True
        )
        lost = 100 * (1 - 2 * WORSE) * rate
        name = f"{round(100 * flips)} % flips"
        yield f"difference, {name}", changed.total, float(lost.mean())
        for at in range(len(p)):
            found = changed.across(f"subtask {at:02d}")
            yield f"difference of a subtask, {name}", found, float(lost[at])


def _asked(table: pd.DataFrame, kind: str, p: F64) -> float:
    """The mean accuracy of the subtasks that a question type is asked about."""
    asked = table[table["question_type"] == kind]["subtask"].unique()
    return float(np.mean([p[int(name.split()[1])] for name in asked]))


# ---- composed


def composed(scenes: int) -> dict[str, I64]:
    """Return a design: two questions about each scene, and the same about its twin."""
    pairs = 12 * 3 * scenes
    cluster = np.repeat(np.arange(pairs), 4)
    twin = np.tile([0, 0, 1, 1], pairs)
    which = np.tile([0, 1, 0, 1], pairs)
    return {
        "scene": 2 * cluster + twin, "cluster": cluster, "cell": cluster // scenes,
        "pair": 2 * cluster + which, "kind": which,
    }  # fmt: skip


def composed_frame(design: Mapping[str, I64], value: F64) -> pd.DataFrame:
    """Return answers of a design."""
    cell = design["cell"]
    columns: dict[str, npt.NDArray[np.generic]] = {
        "question": np.arange(len(value)),
        "scene": design["scene"],
        "cluster": design["cluster"],
        "pair": design["pair"],
        "subtask": np.array([f"skill {at:02d}" for at in range(12)])[cell // 3],
        "level": np.array(["easy", "medium", "hard"])[cell % 3],
        "question_type": _KINDS[design["kind"]],
    }
    return frame(columns, value)


def of_composed(random: np.random.Generator, accuracy: float, scenes: int) -> Found:
    """Yield accuracies of single questions and of pairs."""
    design = composed(scenes)
    p = apart(random, accuracy, 36)
    each = of_clusters(random, p[design["cell"]], design["cluster"])
    right = np.asarray(100.0 * (random.random(len(each)) < each), dtype=np.float64)
    sample = of_sample(composed_frame(design, right))
    skills = p.reshape(12, 3).mean(axis=1)
    yield "accuracy with twins", sample.total, 100 * float(p.mean())
    # Both right: the second moment of the beta that answers of a cluster share.
    both = 100 * p * (p + CORRELATION * (1 - p))
    pairs = of_sample(paired_answers(sample))
    yield "pair accuracy", pairs.total, float(both.mean())
    for at, skill in enumerate(both.reshape(12, 3).mean(axis=1)):
        yield "pair accuracy of a skill", pairs.across(f"skill {at:02d}"), float(skill)
        found = sample.across(f"skill {at:02d}")
        yield "accuracy of a skill with twins", found, 100 * float(skills[at])


# ---- valor


def of_valor(random: np.random.Generator, accuracy: float, scenes: int) -> Found:
    """Yield faithfulness, coverage and F1, and the win rate of descriptions."""
    names = [f"subset {at}" for at in range(5)]
    true, covers = (apart(random, each, 5) for each in (accuracy, 0.9 * accuracy))
    subtasks: dict[str, Totals] = {}
    clusters: dict[str, str] = {}
    for at, name in enumerate(names):
        totals = subtasks.setdefault(name, Totals())
        number = np.arange(scenes)
        cluster = number // 3 if at == 0 else number
        said, owed = random.integers(3, 15, scenes), random.integers(4, 12, scenes)
        one = random.binomial(said, of_clusters(random, np.full(scenes, true[at]), cluster))
        other = random.binomial(owed, of_clusters(random, np.full(scenes, covers[at]), cluster))
        for i in range(scenes):
            scene = f"{at}/{i:03d}"
            clusters[scene] = f"{at}/{cluster[i]:03d}"
            totals.count(True)
            totals.add(scene, [
                Part("faithfulness", "all", float(one[i]), float(said[i])),
                Part("coverage", "all", float(other[i]), float(owed[i])),
            ])  # fmt: skip
    f1 = 2 * true * covers / (true + covers)
    truths = {"faithfulness": true, "coverage": covers, "f1": f1}
    for row in Numbers(subtasks, clusters).rows():
        if row.measure not in truths or row.value is None:
            continue
        of = truths[row.measure]
        one_of = row.subtask != "all"
        value = of[names.index(row.subtask)] if one_of else of.mean()
        found = Estimate(row.value, row.low, row.high)
        yield f"{row.measure}{' of a subset' if one_of else ''}", found, 100 * float(value)


def of_wins(random: np.random.Generator, accuracy: float, scenes: int) -> Found:
    """Yield the win rate over answers, of which a fifth are ties."""
    p = of_clusters(random, np.full(scenes, accuracy), np.arange(scenes))
    drawn, tie = random.random(scenes) < p, random.random(scenes) < 0.2
    answers = []
    for i in range(scenes):
        own = 7.0 if tie[i] else 9.0 if drawn[i] else 5.0
        scores = Scores(own, 7.0, own, 7.0)
        answers.append(Compared((str(i), None), f"{i:03d}", f"task {i % 27}", scores))
    abilities = {f"task {at}": "ability" for at in range(27)}
    for row in dialogue_numbers(answers, abilities, set(), frozenset()):
        if row.stratum == "all" and row.measure == "win_rate" and row.value is not None:
            true = 100 * (0.8 * accuracy + 0.1)
            yield "win rate", Estimate(row.value, row.low, row.high), true


# ---- type I error


def of_equals(random: np.random.Generator, accuracy: float, scenes: int) -> Found:
    """Yield differences of two models of equal skill, with scenes alone, twins and triplets."""
    design = composed(scenes)
    p = apart(random, accuracy, 36)
    chance = of_clusters(random, p[design["cell"]], design["cluster"])
    # Each model has a leaning of its own towards what a pair of twins shows.
    models = [of_clusters(random, chance, design["cluster"]) for _ in range(2)]
    value = [100.0 * (random.random(len(chance)) < each) for each in models]
    change = of_sample(composed_frame(design, value[0] - value[1]), paired=True)
    yield "type I error, twins", change.total, 0.0
    design3 = dysca(random, 40, scenes)
    for name, size in (("scenes", 1), ("triplets", 3)):
        cluster = design3["scene"] // size
        p3 = apart(random, accuracy, 40)[cluster * size // scenes]
        shared = of_clusters(random, p3, cluster)
        models = [of_clusters(random, shared, cluster) for _ in range(2)]
        value = [100.0 * (random.random(len(shared)) < each) for each in models]
        made = dysca_frame({**design3, "kind": design3["kind"] % 2}, value[0] - value[1])
        yield (
            f"type I error, {name}",
            of_sample(made.assign(cluster=cluster), paired=True).total,
            0.0,
        )


DESIGNS = (
    (of_dysca, 10), (of_composed, 5), (of_valor, 42), (of_wins, 108), (of_equals, 9),
)  # fmt: skip


def snapshot(task: tuple[int, int, float]) -> list[tuple[str, float, int]]:
    """Return (what, accuracy, 0 where its interval holds the truth, else the side) of all numbers
    of one simulated snapshot; ``task`` is (seed, number, accuracy)."""
    seed, number, accuracy = task
    out = []
    for design, scenes in DESIGNS:
        random = generator(seed, f"intervals/{design.__name__}", f"{number}/{accuracy}")
        for what, found, true in design(random, accuracy, scenes):
            if found is not None and found.low is not None and found.high is not None:
                side = int(found.low > true + 1e-6) - int(found.high < true - 1e-6)
                out.append((what, accuracy, side))
    return out


@main_guard
def main() -> None:
    """Simulate, and print a line for each kind of interval, by accuracy."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--snapshots", type=int, default=400, help="of each accuracy")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    args = parser.parse_args()

    start = time.perf_counter()
    held: dict[str, dict[float, list[int]]] = defaultdict(lambda: defaultdict(list))
    tasks = [(args.seed, i, each) for i, each in product(range(args.snapshots), ACCURACIES)]
    with ProcessPoolExecutor(args.cores) as pool:
        for found in pool.map(snapshot, tasks, chunksize=4):
            for what, accuracy, side in found:
                held[what][accuracy].append(side)
    coverage: dict[str, dict[str, float]] = {}
    for what in sorted(held):
        by = {each: 100 * float(np.mean(np.array(s) == 0)) for each, s in held[what].items()}
        coverage[what] = {str(each): round(by[each], 2) for each in sorted(by)}
        whole = np.concatenate([np.array(s) for s in held[what].values()]) == 0
        share = 100 * float(whole.mean())
        coverage[what]["all"] = round(share, 2)
        if what.startswith("type I"):
            print(f"{what:36} {100 - share:6.2f} %{'' if 100 - share <= TYPE_ONE else '  <-- off'}")
            continue
        each = "  ".join(f"{accuracy}: {found:.1f}" for accuracy, found in sorted(by.items()))
        ok = "" if LEAST <= share <= (100 if what in FEW_CHANGES else MOST) else "  <-- off"
        print(f"{what:36} {share:6.2f} %   {each}{ok}")
    seconds = time.perf_counter() - start
    figures = {
        "benchmark": "intervals", "snapshots": args.snapshots, "seconds": round(seconds),
        "coverage": coverage,
    }  # fmt: skip
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
