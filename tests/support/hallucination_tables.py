"""A suite's tables about some free answers, as a scripted judge sees them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.scene.truth import row_of
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.judge.judge import Judge
from lvlmbench.stages.judge.judging import Judging, Question
from support.scripted_judge import TRUTH, Scripted

#: Two subtasks, two scenes each, which all show what :data:`TRUTH` says.
SUBTASKS = {"s1": "animal", "s2": "animal", "s3": "color", "s4": "color"}


def params(models: Sequence[str] = ("m",), judges: Sequence[str] = ("j",)) -> Params:
    return validate(
        {
            "scenarios": {"names": ["clean"]},
            "answer": {"models": [{"name": name, "engine": "chance"} for name in models]},
            "judge": {"judges": [{"name": name, "engine": "lexical"} for name in judges]},
        }
    )


def question(scene: str, **more: Any) -> dict[str, Any]:
    return {
        "question_id": f"q-{scene}", "scene_id": scene, "subtask": SUBTASKS[scene],
        "question_type": "free_form", "question": "Describe this image.", "options": [],
        "answer": "A dog and a red ball.",
    } | more  # fmt: skip


def snapshot(
    data: Path,
    said: Mapping[tuple[str, str], str | None],
    questions: Sequence[Mapping[str, Any]] | None = None,
    judges: Mapping[str, Judge] | None = None,
    designs: Sequence[Mapping[str, Any]] = (),
) -> Snapshot:
    """Write the tables below ``data`` and return what reads them.

    Parameters
    ----------
    said
        (model, scene) -> the answer, None where there is none.
    """
    judges = judges or {"j": Scripted()}
    models = list(dict.fromkeys(model for model, _ in said))
    asked = [question(scene) for scene in SUBTASKS] if questions is None else questions
    _write(tables.QUESTIONS, asked, data)
    known = [row_of(scene, f, True) for scene in SUBTASKS for f in TRUTH.features]
    _write(tables.TRUTH, known, data)
    _write(tables.DESIGNS, designs, data)
    _write(tables.SCENES, [{"scene_id": scene} for scene in SUBTASKS], data)
    free = {
        row["question_id"]: Question(
            row["scene_id"], row["subtask"], row["question"], row["answer"]
        )
        for row in asked
        if row["question_type"] == "free_form"
    }
    truths = dict.fromkeys(SUBTASKS, TRUTH)
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
            found = Judging(judge, name, free, truths).rows(answers)
            for table in (tables.CLAIMS, tables.MATCHES, tables.JUDGEMENTS):
                _write(table, getattr(found, table.name), data, judge=name, **names)
    return Snapshot(params(models, [*judges]), data)


def _write(
    table: tables.Table, rows: Sequence[Mapping[str, Any]], data: Path, **names: str
) -> None:
    tables.write_rows(rows, table.folder(data, **names) / tables.part_name(0), table, "s")
