"""Made-up numbers about answers beside references, as the stage ``dialogue`` would have left them,
laid over the report's snapshot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.core.seeding import generator
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.suites.dialogue import ABILITIES, TASKS

ALL, REFERENCE, PEOPLE = "all", "reference", "people"
JUDGES = ("lexical", "<b>second</b>")
#: Tasks that are asked; of those of taste no answer has a score.
ASKED = [name for name, task in TASKS.items() if task.decided != "not drawn"]
SCORED = [name for name in ASKED if TASKS[name].decided == "seen"]
#: Measure -> least value and how far it goes, by the tables of the report.
RANGES = {
    "score": (100, 900), "common_score": (100, 900),
    "reference": (100, 900), "relative": (0, 120), "win": (0, 30),
    "tie": (0, 30), "loss": (40, 60), "win_rate": (0, 100), "bias": (0.2, 1.0), "flips": (0, 60),
    "hallucination": (0, 1000), "exact_hallucination": (0, 1000), "strength": (-3, 6),
    "rank": (1, 4), "agreement": (30, 60), "kappa": (-0.2, 1), "alpha": (-0.2, 1),
}  # fmt: skip
OF_TASKS = ("score", "flips", "bias")
RANKED = ("strength", "rank", "win_rate")
TOGETHER = ("agreement", "kappa", "alpha")
MARGIN, N, ANSWERS, UNJUDGED = 0.1, 1234, 57, 4


def number(*names: str) -> float:
    """The value of a number, by its names in the order of the table's key: two decimals."""
    least, wide = RANGES[names[-1]]
    draw = float(generator(9, "dialogue", "/".join(names)).random())
    value = least + wide * draw
    return float(round(value)) if names[-1] == "rank" else round(value, 2)


def _row(*names: str) -> dict[str, Any]:
    value = number(*names)
    keys = dict(zip(tables.DIALOGUE.key, names, strict=True))
    ends = {"value": value, "low": value - MARGIN, "high": value + MARGIN}
    return {**keys, **ends, "n": N, "answers": ANSWERS, "unjudged": UNJUDGED}


def _rows(p: Params) -> Iterator[dict[str, Any]]:
    models = [model.name for model in p.answer.models]
    for judge in JUDGES:
        for scenario in p.scenarios.names:
            for model in models:
                for measure in RANGES:
                    if measure not in TOGETHER:
                        yield _row(judge, model, scenario, ALL, ALL, measure)
                for stratum in (*SCORED, *ABILITIES):
                    for measure in OF_TASKS:
                        yield _row(judge, model, scenario, stratum, ALL, measure)
            for measure in RANKED:
                yield _row(judge, REFERENCE, scenario, ALL, ALL, measure)
            for beside in (*(other for other in JUDGES if other != judge), PEOPLE):
                for stratum, measure in product((ALL, *ABILITIES), TOGETHER):
                    yield _row(judge, ALL, scenario, stratum, beside, measure)
    for scenario, stratum, measure in product(p.scenarios.names, (ALL, *ABILITIES), TOGETHER):
        yield _row(PEOPLE, ALL, scenario, stratum, PEOPLE, measure)


def laid_over(snapshot: Snapshot, results: Path, published: bool = False) -> Snapshot:
    """The snapshot with these numbers, its questions spread over the tasks; ``results`` is an empty
    folder."""
    for path in snapshot.results.iterdir():
        if path.name != tables.DIALOGUE.place:
            (results / path.name).symlink_to(path)
    rows = [*_rows(snapshot.params)]
    tables.write_rows(rows, tables.DIALOGUE.folder(results), tables.DIALOGUE, "s")
    figures = snapshot.params.figures.model_copy(update={"published": published})
    params = snapshot.params.model_copy(update={"figures": figures})
    found = replace(snapshot, results=results, params=params)
    found.__dict__["asked"] = {name: _spread(each) for name, each in snapshot.asked.items()}
    return found


def _spread(questions: pa.Table) -> pa.Table:
    at = questions.column_names.index("subtask")
    names = [ASKED[i % len(ASKED)] for i in range(len(questions))]
    return questions.set_column(at, "subtask", pa.array(names, pa.string()))
