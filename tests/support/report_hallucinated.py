"""Made-up numbers about what free answers of the report's snapshot make up, and what its scenes
hold: as the stages ``questions``, ``render`` and ``hallucination`` would have left them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.core.seeding import generator
from lvlmbench.scene.truth import row_of
from support.scripted_judge import TRUTH

#: Subtasks that have numbers.
SUBTASKS = ("animal", "food")
ALL = "all"
#: Objects of :data:`TRUTH` -> where each picture shows them, in thousandths.
BOXES = {"o1": (100, 200, 400, 700), "o2": (600, 500, 900, 800)}
#: Measure -> strata that it has; of all but the last of these numbers go from 0 to 100.
STRATA: dict[str, Sequence[str]] = {
    **dict.fromkeys(
        ("faithfulness", "coverage", "f1", "faithfulness_macro", "coverage_macro", "all_true",
         "all_covered", "claims", "order_lis", "released_faithfulness", "released_coverage",
         "chair_i", "chair_s", "amber_chair", "amber_cover", "amber_hal", "amber_cog",
         "order_tau", "associative_effect"),
        (ALL,),
    ),
    "count_accuracy": ("said", "owed"),
    "wrong": ("object", "attribute", "relation"),
    "faithfulness_at": ("1", "2", "13", "3", "5", "8"),
    "acc_f": ("judge", "chair"),
    "acc_c": ("judge", "chair"),
    "associated_claims": ("untypical", "unassociated", "typical", "random"),
}  # fmt: skip
PROBES = ("pope_accuracy", "pope_precision", "pope_recall", "pope_f1", "pope_yes")
NEGATIVES = ("random", "popular", "adversarial")


def number(*names: str) -> float:
    """The value of a number, by its names in the order of the table's key: one decimal."""
    measure = names[-1]
    draw = float(generator(9, "hallucination", "/".join(names)).random())
    if measure == "order_tau":
        return round(2 * draw - 1, 2)
    if measure == "associative_effect":
        return round(40 * draw - 10, 1)
    return round(12 * draw if measure == "claims" else 100 * draw, 1)


def _row(*names: str) -> dict[str, Any]:
    value, wide = number(*names), 0.1 if names[-1] == "order_tau" else 3.0
    keys = dict(zip(tables.HALLUCINATION.key, names, strict=True))
    ends = {"value": value, "low": value - wide, "high": value + wide}
    return {**keys, **ends, "n": 1234, "answers": 57, "unjudged": 4}


def _rows(p: Params) -> Iterator[dict[str, Any]]:
    for model in p.answer.models:
        for scenario in p.scenarios.names:
            for judge in p.judge.judges:
                for measure, strata in STRATA.items():
                    for subtask in (ALL, *SUBTASKS):
                        for stratum in strata:
                            names = (judge.name, model.name, scenario, subtask, stratum, measure)
                            yield _row(*names)
            for measure in PROBES:
                for stratum in NEGATIVES:
                    yield _row(ALL, model.name, scenario, ALL, stratum, measure)


def write_numbers(p: Params, results: Path) -> None:
    """Write the table ``hallucination``."""
    tables.write_rows([*_rows(p)], tables.HALLUCINATION.folder(results), tables.HALLUCINATION, "s")


def write_truth(
    p: Params, data: Path, scenes: Sequence[dict[str, Any]], ids: Sequence[str]
) -> None:
    """Write what all scenes hold, and where pictures show it; ``ids`` are the pictures'."""
    truth = [row_of(scene["scene_id"], f, TRUTH.closed) for scene in scenes for f in TRUTH.features]
    layouts = [
        {
            "image_id": image_id, "scene_id": scene["scene_id"], "instance": n, "object": name,
            "label": name, "copy": 0, "panel": 0, "visible": 1.0, "depth": 0, "pixels": 99,
            "box": dict(zip(("left", "top", "right", "bottom"),
                            (round(end * p.render.size / 1000) for end in box), strict=True)),
            "hides": [], "relations": [],
        }
        for scene, image_id in zip(scenes, ids, strict=True)
        for n, (name, box) in enumerate(BOXES.items())
    ]  # fmt: skip
    arms = tables.designs.ARMS
    designs = [
        {"scene_id": scene["scene_id"], "arm": arms[n % len(arms)], "triplet": f"t{n // 4}"}
        for n, scene in enumerate(scenes)
    ]
    made = ((truth, tables.TRUTH), (layouts, tables.LAYOUTS), (designs, tables.DESIGNS))
    for rows, table in made:
        tables.write_rows(rows, table.folder(data) / tables.part_name(0), table, "s")
