"""A suite's tables about answers of a dialogue, as scripted judges see them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from lvlmbench import tables
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.judge.judge import Comparison, Judge, Pair
from lvlmbench.stages.judge.judging import Judging, Question
from lvlmbench.suites.dialogue import TASKS
from lvlmbench.suites.dysca import Dysca
from support.hallucination_tables import params
from support.scripted_judge import TRUTH

#: Scene -> the task that is asked of it: two of one ability, one of another, one of taste.
ASKED = {
    "s1": "touchstone_simple",
    "s2": "touchstone_simple",
    "s3": "touchstone_detailed",
    "s4": "touchstone_species",
    "s5": "touchstone_story",
}
#: Scene -> what was said before its question.
BEFORE = {"s4": [{"question": "What animal is it?", "answer": "A dog."}]}
#: What the reference says, which a judge of points scores by.
REFERENCE = "8"


def of_dialogue(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the tasks of dialogue those of the default suite."""
    monkeypatch.setattr(Dysca, "dialogue", lambda self, params: TASKS)


def points(bonus: float = 0.0) -> Any:
    """Return what scores an answer by its last word, a number, and adds to who is first."""

    def compare(pair: Pair) -> Comparison:
        one, other = (float(text.split()[-1]) for text in (pair.first, pair.second))
        said = f"{pair.first} before {pair.second}"
        return Comparison("judged", one + bonus, other, reasons=said)

    return compare


def snapshot(
    data: Path,
    said: Mapping[tuple[str, str], str | None],
    judges: Mapping[str, Judge],
    asked: Mapping[str, str] = ASKED,
) -> Snapshot:
    """Write the tables below ``data`` and return what reads them.

    Parameters
    ----------
    said
        (model, scene) -> the answer, None where there is none.
    asked
        Scene -> its task.
    """
    models = list(dict.fromkeys(model for model, _ in said))
    questions = {
        f"q-{scene}": Question(scene, task, f"What of {scene}?", REFERENCE)
        for scene, task in asked.items()
    }
    rows = [
        {
            "question_id": key, "scene_id": question.scene_id, "subtask": question.subtask,
            "question_type": "free_form", "question": question.question, "options": [],
            "answer": question.answer, "description": f"Scene {question.scene_id}.",
            "turns": BEFORE.get(question.scene_id),
        }
        for key, question in questions.items()
    ]  # fmt: skip
    _write(tables.QUESTIONS, rows, data)
    _write(tables.SCENES, [{"scene_id": scene} for scene in asked], data)
    truths = dict.fromkeys(asked, TRUTH)
    for model in models:
        names = {"model": model, "scenario": "clean"}
        answers = [
            {
                **names, "question_id": f"q-{scene}", "image_id": f"i-{scene}", "text": text,
                "status": "error" if text is None else "answered", "image_sha256": f"h-{scene}",
            }
            for (who, scene), text in said.items()
            if who == model
        ]  # fmt: skip
        _write(tables.ANSWERS, answers, data, **names)
        for name, judge in judges.items():
            found = Judging(judge, name, questions, truths, tasks=TASKS).rows(answers)
            for table in (tables.CLAIMS, tables.MATCHES, tables.JUDGEMENTS, tables.PAIRWISE):
                _write(table, getattr(found, table.name), data, judge=name, **names)
    return Snapshot(params(models, [*judges]), data)


def _write(
    table: tables.Table, rows: Sequence[Mapping[str, Any]], data: Path, **names: str
) -> None:
    tables.write_rows(rows, table.folder(data, **names) / tables.part_name(0), table, "s")
