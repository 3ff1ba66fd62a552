"""An exam that a model plans: parameters, and what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.stages.planner import run
from lvlmbench.suites.planned import Planned
from support.examined import Row

KIND = "autodavis"
#: Aspects that no family asks about, and one that one does.
ONLY = ("irony", "what_does_not_fit", "classes_of_animals")


def planned_params(
    section: Mapping[str, Any], rounds: int = 2, scenes: int | None = None, **own: Any
) -> Params:
    """Parameters of an exam of some aspects, or of words, at all levels, planned by a model."""
    subtask = "own_request" if "words" in own else "semantic_understanding"
    mine = own if "words" in own or "think" in own else {"only": list(ONLY), **own}
    aspects = len(mine["only"]) if "only" in mine else mine.get("general", 4) * mine.get("fine", 6)
    levels = len(mine.get("at", (1, 2, 3)))
    corpus = {
        "drawable_by": "pictograph", "subtasks": [subtask],
        "scenes_per_subtask": rounds * aspects * levels, KIND: mine,
    }  # fmt: skip
    examiners = [{"name": "gpt", "engine": "openai_chat", "endpoint": dict(section)}]
    return validate(
        {
            "suite": KIND, "kind": KIND, "snapshot": {"seed": 5}, "render": {"size": 256},
            "corpus": corpus, "examiner": {"examiners": examiners, "planners": ["gpt"]},
        }
    )  # fmt: skip


def outs_in(folder: Path) -> run.Outs:
    """Where a planner writes."""
    return run.Outs(*(folder / f"{name}.parquet" for name in run.Outs._fields))


def plan(params: Params, folder: Path) -> run.Outs:
    """Have the model plan; returns the files."""
    outs = outs_in(folder)
    run.plan_files(params, "gpt", outs, folder / "answers.sqlite")
    return outs


def planned(outs: run.Outs) -> Planned:
    """What was planned."""
    return Planned(
        tables.read([outs.aspects], tables.PLANNED_ASPECTS),
        tables.read([outs.descriptions], tables.PLANNED_DESCRIPTIONS),
    )


def calls(outs: run.Outs) -> list[Row]:
    """What was asked."""
    return tables.read([outs.requests], tables.PLAN_REQUESTS).to_pylist()
