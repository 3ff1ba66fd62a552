"""How well embedded models tell of several things, and what that takes: faithfulness, coverage.

Scenes of the suite ``valor`` are drawn with a seed of their own, described by ``chance`` and by the
reference models, and judged by rules, in this process. Intervals draw scenes again. Times are of
the processor, for one thread, and those of fifty scenes are what the default run asks for.
``--calibrate`` prints instead from how many steps of log-odds on a thing is best said to be there:
by the F1 of labels on composed scenes of a seed that no snapshot can have, both reference models
together, where things stand out from an even ground and where they do not. The last line of
standard output is one JSON object.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import os
import resource
import sys
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import numpy as np
import pyarrow as pa
from PIL import Image

from benchmarks.harness.composing import Drawn, drawn, parameters, vocabulary_of
from lvlmbench.config import Params, validate
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.guard import main_guard
from lvlmbench.core.seeding import generator, item_id
from lvlmbench.scene.claims import Truth
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.truth import measured_of
from lvlmbench.scene.truth.rows import from_rows
from lvlmbench.scene.vocabulary.keys import THINGS
from lvlmbench.stages.answer.engine import MODELS, Item
from lvlmbench.stages.answer.looking.gaze import Gaze
from lvlmbench.stages.answer.looking.spotting import Spotter
from lvlmbench.stages.judge.judging import Judging, Question
from lvlmbench.stages.judge.making import judge_of
from lvlmbench.stages.reference.folder import NAMES
from lvlmbench.stages.reference.shards import FIRST_SEED
from lvlmbench.stages.reference.zero_shot import zero_shot
from lvlmbench.stages.render.shard import make_renderer, png_bytes
from lvlmbench.suites.suite import suite_of
from lvlmbench.tables import LAYOUTS

#: Of another seed than any snapshot's, and than those that thresholds were set on.
_SEED = 7_301
_CALIBRATION = FIRST_SEED + 1907
_SKILLS = ("existence", "color_binding", "spatial", "size")
_DRAWS = 2000
Row = dict[str, Any]


def valor(seed: int, scenes: int) -> Params:
    """Parameters of the suite, with so many scenes a subset."""
    return validate(
        {
            "suite": "valor",
            "kind": "valor",
            "snapshot": {"seed": seed},
            "corpus": {"drawable_by": "pictograph", "scenes_per_subtask": scenes},
        }
    )


class Described:
    """Scenes that were drawn, what is asked about them, and what is so in them."""

    def __init__(self, params: Params) -> None:
        self.params, vocabulary = params, vocabulary_of(params)
        suite, renderer = suite_of(params), make_renderer(params, vocabulary)
        scenes = suite.scenes(params, vocabulary, 0, params.corpus.n_scenes)
        self.pictures: dict[str, bytes] = {}
        layouts: dict[str, list[Row]] = {}
        for scene in scenes.to_pylist():
            name = scene["scene_id"]
            if renderer.refuses(scene) is None:
                depiction = renderer.draw(scene)
                self.pictures[name] = png_bytes(depiction.image)
                parts = depiction.layout or ()
                layouts[name] = [one.row("", name, at) for at, one in enumerate(parts)]
        rows = [row for layout in layouts.values() for row in layout]
        table = pa.Table.from_pylist(rows, LAYOUTS.schema)
        asked = suite.questions(params, vocabulary, scenes, table).to_pylist()
        self.asked = [row for row in asked if row["question_type"] == "free_form"]
        features: dict[str, list[Row]] = defaultdict(list)
        for row in suite.truth(params, vocabulary, scenes, table).to_pylist():
            features[row["scene_id"]].append(row)
        side = params.render.size
        self.truths: dict[str, Truth] = {
            row["scene_id"]: from_rows(
                features[row["scene_id"]],
                measured_of(Graph.of(row), layouts[row["scene_id"]], side),
            )
            for row in scenes.to_pylist()
            if row["scene_id"] in layouts
        }

    def items(self) -> Iterator[Item]:
        """The questions as a model sees them."""
        for row in self.asked:
            image = self.pictures[row["scene_id"]]
            yield Item(
                question_id=row["question_id"],
                scene_id=row["scene_id"],
                subtask=row["subtask"],
                question_type=row["question_type"],
                question=row["question"],
                options=(),
                prompt=row["question"],
                image=image,
                image_id=item_id("image", row["scene_id"]),
                image_sha256=hashlib.sha256(image).hexdigest(),
            )

    def judged(self, replies: Mapping[str, str]) -> list[Row]:
        """What the judge by rules makes of replies: rows of its judgements."""
        questions = {
            row["question_id"]: Question(
                row["scene_id"], row["subtask"], row["question"], row["answer"]
            )
            for row in self.asked
        }
        name = self.params.judge.judges[0].name
        scopes = suite_of(self.params).scopes(self.params)
        judging = Judging(judge_of(self.params, name), name, questions, self.truths, scopes=scopes)
        about = {"model": "", "scenario": "", "image_id": None, "status": "answered"}
        rows = [{**about, "question_id": key, "text": text} for key, text in replies.items()]
        return judging.rows(rows).judgements


def ratio(rows: Sequence[Row], above: Sequence[str], below: Sequence[str]) -> tuple[float, ...]:
    """A ratio of sums over answers, in percent, with a 95 % interval by drawing scenes again."""
    sums = np.array([[sum(row[k] for k in part) for part in (above, below)] for row in rows])
    rng = generator(0, "benchmark/captioning", "draws")
    again = sums[rng.integers(len(sums), size=(_DRAWS, len(sums)))].sum(axis=1)
    low, high = np.percentile(again[:, 0] / np.maximum(again[:, 1], 1), [2.5, 97.5])
    whole = sums[:, 0].sum() / max(1, sums[:, 1].sum())
    return tuple(round(100 * float(each), 1) for each in (float(whole), float(low), float(high)))


def told(rows: Sequence[Row]) -> dict[str, Any]:
    """Faithfulness, coverage and claims an answer."""
    claims = ("true_claims", "wrong_claims")
    return {
        "faithfulness": ratio(rows, claims[:1], claims),
        "coverage": ratio(rows, ("covered",), ("owed",)),
        "claims": round(sum(row[k] for row in rows for k in claims) / len(rows), 2),
        "answers": len(rows),
    }


def measure(seed: int, scenes: int, show: int) -> Row:
    """Describe and judge scenes of each subset by each model; print and return what came of it."""
    found = Described(valor(seed, scenes))
    figures: Row = {}
    items = list(found.items())
    print("model, subset: faithfulness, coverage (95 % intervals), claims an answer")
    for name in ("chance", *NAMES):
        spec = ModelParams.model_validate({"name": name, "engine": name})
        weights = {each: PROJECT_ROOT / found.params.reference.pinned / each for each in NAMES}
        model = MODELS.get(name, "answer.models")(found.params, spec, weights)
        list(model.answer(items[:1]))  # imports, weights
        began = time.process_time()
        replies = {item.question_id: reply.text for item, reply in model.answer(items)}
        seconds = time.process_time() - began
        rows = found.judged(replies)
        by = {subset: [r for r in rows if r["subtask"] == subset] for subset in
              dict.fromkeys(row["subtask"] for row in rows)}  # fmt: skip
        for subset, own in by.items():
            figures[f"{name} {subset}"] = told(own)
            print(f"{name:12} {subset:18}", *figures[f"{name} {subset}"].values(), flush=True)
        figures[f"{name} seconds for 50"] = round(50 * seconds / len(items), 2)
        for item in items[:: max(1, len(items) // show)] if show else ():
            print(f"  {item.question}\n    {replies[item.question_id]}")
    return figures


def calibrate(scenes: int, size: int) -> Row:
    """Set thresholds; print and return them."""
    params = parameters(0, _SKILLS, scenes, size)
    snapshot = params.snapshot.model_copy(update={"seed": _CALIBRATION})
    params = params.model_copy(update={"snapshot": snapshot})
    vocabulary = vocabulary_of(params)
    pictures: dict[str, bytes] = {}
    plain = [one for one in drawn(params, vocabulary, pictures) if one.layout and _single(one)]
    kinds = {e.label: name for name in THINGS for e in vocabulary.lists[name].entries}
    there: dict[tuple[str, bool], int] = defaultdict(int)
    said: dict[tuple[str, bool], list[tuple[int, bool]]] = defaultdict(list)
    for name in NAMES:
        folder = PROJECT_ROOT / params.reference.pinned / name
        spotter = Spotter(zero_shot(folder, PROJECT_ROOT / params.vocabulary.folder))
        alike = dict(zip(spotter.named, spotter.alike(), strict=True))
        for one in plain:
            labels = {each["label"] for each in one.scene["objects"]}
            shown = [label in labels for _, label in spotter.named]
            picture = Image.open(io.BytesIO(pictures[one.scene["scene_id"]])).convert("RGB")
            found = spotter.spot(Gaze(spotter.model, picture))
            even = one.scene["background"] is None
            for each in one.scene["objects"]:
                there[kinds.get(each["label"], ""), even] += 1
            for each in found:
                right = bool((alike[each.kind, each.label] & shown).any())
                said[each.kind, even].append((each.sure, right))
    return {
        f"{kind}, {'even' if even else 'other'} ground": _best(said[kind, even], there[kind, even])
        for kind in THINGS
        for even in (True, False)
    }


def _single(one: Drawn) -> bool:
    return all(not each["panel"] for each in one.scene["objects"])


def _best(said: Sequence[tuple[int, bool]], there: int) -> Row:
    """The least number of steps with the best F1; the middle one where several have it."""
    steps = range(-6, 9)
    f1 = []
    for least in steps:
        right = [each for sure, each in said if sure >= least]
        f1.append(round(2 * sum(right) / max(1, len(right) + there), 4))
    best = [at for at, each in zip(steps, f1, strict=True) if each == max(f1)]
    return {"least": best[len(best) // 2], "f1": max(f1), "there": there, "all": f1}


@main_guard
def main() -> None:
    """Measure or calibrate, and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=100, help="of a subset, or of a skill")
    parser.add_argument("--seed", type=int, default=_SEED)
    parser.add_argument("--show", type=int, default=0, help="so many captions of each model")
    parser.add_argument("--calibrate", action="store_true", help="set thresholds instead")
    args = parser.parse_args()
    if args.calibrate:
        figures = calibrate(args.scenes, 512)
        for name, each in figures.items():
            print(f"{name:24}", *each.values())
    else:
        figures = measure(args.seed, args.scenes, args.show)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps({"benchmark": "captioning", **figures, "peak_mib": round(peak, 1)}))


if __name__ == "__main__":
    main()
