"""A small exam with atomic checks on disk, and models whose answers are planted."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.scenario.scenario import SCENARIOS, Shard
from support.exam.made import Exam, drawn, params_of
from support.exam.snapshot import written

Row = dict[str, Any]
ASPECTS = ["left_and_right", "nearest_neighbor", "diagonal_directions"]
#: Whether an answer is right, by a row of questions; None where it could not be scored.
Says = Callable[[Row], bool | None]


class Site(NamedTuple):
    """An exam with checks, its scenario of checks, and where all lies."""

    exam: Exam
    scenario: str
    snapshot: Snapshot

    @property
    def params(self) -> Params:
        return self.exam.params

    @property
    def questions(self) -> list[Row]:
        rows: list[Row] = tables.of_scenario(self.exam.questions).to_pylist()
        return rows

    @property
    def checks(self) -> list[Row]:
        rows: list[Row] = tables.of_scenario(self.exam.questions, checks=True).to_pylist()
        return rows

    def answer(self, model: str, questions: Says, checks: Says) -> None:
        """Write what a model reaches in the questions and in their checks."""
        pairs = (("clean", self.questions, questions), (self.scenario, self.checks, checks))
        for scenario, rows, says in pairs:
            found = [_score(model, scenario, row, says(row)) for row in rows]
            folder = tables.SCORES.folder(self.snapshot.data, model=model, scenario=scenario)
            tables.write_rows(found, folder / tables.part_name(0), tables.SCORES, "0" * 16)
            said = [_answer(row, score) for row, score in zip(rows, found, strict=True)]
            folder = tables.ANSWERS.folder(self.snapshot.data, model=model, scenario=scenario)
            tables.write_rows(said, folder / tables.part_name(0), tables.ANSWERS, "0" * 16)


def _score(model: str, scenario: str, row: Row, right: bool | None) -> Row:
    return {
        "model": model, "scenario": scenario, "question_id": row["question_id"],
        "image_id": f"i-{row['scene_id']}", "scene_id": row["scene_id"],
        "subtask": row["subtask"], "question_type": row["question_type"], "style": "plain",
        "status": "error" if right is None else "answered", "parse_method": "letter",
        "correct": right, "scored": right is not None,
    }  # fmt: skip


def _answer(row: Row, score: Row) -> Row:
    own = ("model", "scenario", "question_id", "image_id", "status")
    text = "It is <b>so</b>." if score["correct"] else "No."
    return {name: score[name] for name in own} | {"text": text, "prompt": row["question"]}


def scenario_name() -> str:
    """Return the kind of scenario that asks checks."""
    return next(str(kind.name) for kind in SCENARIOS.ordered() if kind.checks)


def checked(root: Path) -> Site:
    """Write an exam of nine pictures with checks to ``root``."""
    name = scenario_name()
    params = params_of(requests=("spatial_understanding",), scenes=9, only=ASPECTS, atomic=True)
    both = {"names": ["clean", name], "noisy": [{"name": name}]}
    scenarios = type(params.scenarios).model_validate(both)
    exam = drawn(params.model_copy(update={"scenarios": scenarios}))
    root.mkdir(parents=True, exist_ok=True)
    snapshot = written(exam, root, root / "labels")
    shown = shown_in(exam, name)
    folder = tables.IMAGES.folder(snapshot.data, scenario=name)
    tables.write(shown, folder / tables.part_name(0), tables.IMAGES, "0" * 16)
    kept = tables.of_scenario(exam.questions).to_pylist()
    consensus = [
        {"question_id": row["question_id"], "scene_id": row["scene_id"], "n_models": 0,
         "n_wrong": 0, "n_none": 0, "keep": True, "models": [], "verdict": "kept",
         "above_guessing": []}
        for row in kept
    ]  # fmt: skip
    folder = tables.CONSENSUS.folder(snapshot.data)
    tables.write_rows(consensus, folder / tables.part_name(0), tables.CONSENSUS, "0" * 16)
    return Site(exam, name, snapshot)


def shown_in(exam: Exam, scenario: str) -> pa.Table:
    """Return what a scenario shows of an exam."""
    spec = exam.params.scenarios.spec(scenario)
    kind = SCENARIOS.get(spec.registered, "here")
    questions = tables.of_scenario(exam.questions, spec.checks)
    shard = Shard(exam.images, exam.scenes, questions, tables.IMAGES.empty_table())
    return tables.IMAGES.of([*kind.make(exam.params, spec, {}).apply(shard)])


def element(check: Row) -> str:
    """Return what a check is about."""
    return tables.checked_by(check["key"])[1]


def labels_in(exam: Exam, scene_id: str) -> set[str]:
    """Return the labels of what was drawn of a scene."""
    rows = exam.layouts.to_pylist()
    return {row["label"] for row in rows if row["scene_id"] == scene_id and row["label"]}


def program(row: Row) -> Any:
    """Return the program of a question."""
    return json.loads(row["program"])
