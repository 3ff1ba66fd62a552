"""From answers to the scores table."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from lvlmbench.errors import UserError
from lvlmbench.scoring.captions import Encode, similarities
from lvlmbench.scoring.choice import extract_choice


def score_rows(
    answers: pa.Table,
    questions: pa.Table,
    scenes: pa.Table,
    images: pa.Table,
    load: Callable[[], Encode],
    batch_size: int,
) -> list[dict[str, object]]:
    """Rows of the scores table, one an answer, in the answers' order.

    ``scored`` is false where nothing can be said about the answer: the request failed or was
    refused, the text is empty, or no choice can be read from it. Such answers are counted, and
    neither right nor wrong. ``load`` gives the caption encoder and is called only if there are
    captions to compare. Of ``images``, those of the scenario, only ``image_id`` and
    ``perturbation`` are looked at.

    Raises
    ------
    UserError
        An answer's question, scene or image is not among those given.
    """
    asked = _by_key(questions, "question_id")
    styles = dict(zip(scenes["scene_id"].to_pylist(), scenes["style"].to_pylist(), strict=True))
    done = dict(
        zip(images["image_id"].to_pylist(), images["perturbation"].to_pylist(), strict=True)
    )
    rows: list[dict[str, object]] = []
    captions: list[tuple[int, tuple[str, str]]] = []
    for answer in answers.to_pylist():
        question = asked.get(answer["question_id"])
        if question is None or question["scene_id"] not in styles:
            raise UserError(
                f"answers of '{answer['model']}' in scenario '{answer['scenario']}'",
                f"hold question {answer['question_id']}, which this corpus does not",
                "run the rules 'corpus' and 'answer' again",
            )
        if answer["image_id"] not in done:
            raise UserError(
                f"answers of '{answer['model']}' in scenario '{answer['scenario']}'",
                f"are about image {answer['image_id']}, which this scenario does not have",
                "run the rules 'scenario' and 'answer' again",
            )
        perturbation = done[answer["image_id"]] or {}
        row: dict[str, object] = {
            "model": answer["model"],
            "scenario": answer["scenario"],
            "question_id": answer["question_id"],
            "image_id": answer["image_id"],
            "perturbation": perturbation.get("kind"),
            "severity": perturbation.get("severity"),
            "scene_id": question["scene_id"],
            "subtask": question["subtask"],
            "question_type": question["question_type"],
            "style": styles[question["scene_id"]],
            "status": answer["status"],
            "parsed_index": None,
            "parse_method": None,
            "correct": None,
            "similarity": None,
            "scored": False,
        }
        text = answer["text"] if answer["status"] == "answered" else ""
        if question["question_type"] == "free_form":
            if text.strip():
                captions.append((len(rows), (question["answer"], text)))
        else:
            choice = extract_choice(text, question["options"])
            row["parsed_index"], row["parse_method"] = choice.index, choice.method
            if choice.index is not None:
                row["correct"] = choice.index == question["answer_index"]
                row["scored"] = True
        rows.append(row)
    if captions:
        found = similarities([pair for _, pair in captions], load(), batch_size)
        for (at, _), similarity in zip(captions, found, strict=True):
            rows[at]["similarity"], rows[at]["scored"] = similarity, True
    return rows


def _by_key(table: pa.Table, key: str) -> dict[str, dict[str, Any]]:
    return {row[key]: row for row in table.to_pylist()}
