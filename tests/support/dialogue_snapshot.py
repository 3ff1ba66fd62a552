"""A snapshot on disk of a suite with TouchStone's tasks: what is asked, and a model's answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.project import project_of
from lvlmbench.stages.answer.asked import Asked
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.suites.suite import suite_of
from support import own_questions
from support.render_scenes import vocabulary

MODEL = "chance"
#: Sections of parameters of such a snapshot.
SECTIONS: Mapping[str, Any] = {
    "filter": {"filters": []},
    "scenarios": {"names": ["clean"]},
    "answer": {"models": [{"name": MODEL, "engine": MODEL}]},
}


def said(row: Mapping[str, Any]) -> str:
    """What the model answers: several lines, tabs and quotes, nothing to each fifth scene."""
    if row["question_id"][0] in "048":
        return ""
    return f'I see\ta "box" and\r\nmore,\n{row["question_id"][:8]}'


def build(root: Path, params: Params, say: Callable[[Mapping[str, Any]], str] = said) -> Asked:
    """Write the snapshot of a suite's parameters; gives it opened."""
    words, suite = vocabulary(), suite_of(params)
    scenes = suite.scenes(params, words, 0, params.corpus.n_scenes)
    images, verdicts, _, layouts = render_shard(params, words, scenes)
    questions = suite.questions(params, words, scenes, layouts)
    pictures = {row["scene_id"]: row for row in images.to_pylist()}
    answers = tables.ANSWERS.of(
        {
            "model": MODEL, "scenario": "clean", "question_id": row["question_id"],
            "image_id": pictures[row["scene_id"]]["image_id"],
            "image_sha256": pictures[row["scene_id"]]["sha256"],
            "status": "answered", "text": say(row), "parameters": "{}",
        }
        for row in questions.to_pylist()
    )  # fmt: skip
    truth = suite.truth(params, words, scenes, layouts)
    data = root / "data" / params.suite
    for table, rows, names in (
        (tables.SCENES, scenes, {}),
        (tables.QUESTIONS, questions, {}),
        (tables.LAYOUTS, layouts, {}),
        (tables.TRUTH, truth, {}),
        (tables.IMAGES, images, {"scenario": "clean"}),
        (tables.VERDICTS, verdicts, {"filter": "render"}),
        (tables.ANSWERS, answers, {"model": MODEL, "scenario": "clean"}),
    ):
        tables.write(rows, table.folder(data, **names) / tables.part_name(0), table, "s")
    (root / "params.yaml").write_text(project_of(params).model_dump_json())
    return Asked.open(root)


def own(root: Path, **changes: Any) -> Asked:
    """A snapshot of a look-alike of the user's table, which lies beside it."""
    table = own_questions.write(root / "mine" / own_questions.FILE)
    return build(root, own_questions.params(table, **SECTIONS, **changes))
