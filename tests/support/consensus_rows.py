"""Rows of questions and scores, as model consensus reads them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from lvlmbench import tables

Row = dict[str, Any]
MC, TF, FF = "multiple_choice", "true_false", "free_form"
#: What an answer came to; a number is a caption's similarity.
Outcome = bool | str | float


def question(number: int, kind: str = MC) -> Row:
    return {"question_id": f"q{number}", "scene_id": f"s{number}", "question_type": kind}


def said(model: str, asked: Row, outcome: Outcome, subtask: str = "animal") -> Row:
    """A row of the scores table: right, wrong, a similarity, or why it is unscored."""
    closed = asked["question_type"] != FF
    scored = not isinstance(outcome, str)
    method = "letter" if scored else "none_of_options" if outcome == "no fit" else "none"
    return asked | {
        "model": model,
        "scenario": "clean",
        "subtask": subtask,
        "style": "oil",
        "status": outcome if outcome in ("refused", "error") else "answered",
        "parse_method": method if closed else None,
        "correct": bool(outcome) if scored and closed else None,
        "similarity": float(outcome) if scored and not closed else None,
        "scored": scored,
    }


def scores(rows: Sequence[Row]) -> pa.Table:
    return tables.SCORES.of(list(rows))


def questions(rows: Sequence[Row]) -> pa.Table:
    return tables.QUESTIONS.of(list(rows))
