"""What became of an answer, in one word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

#: What the models' consensus did to a question; the others are outcomes of one answer.
DROPPED = "dropped"
OUTCOMES = {
    "right": "Right",
    "wrong": "Wrong",
    "caption": "Caption",
    "unscored": "Unscored",
    "refused": "Refused",
    "truncated": "Truncated",
    "failed": "Failed",
    DROPPED: "Dropped by consensus",
}


def outcome_of(score: Mapping[str, Any] | None, status: str) -> str:
    """Key of :data:`OUTCOMES` for an answer with this status and this row of scores."""
    if status == "refused":
        return "refused"
    if status not in ("answered", "truncated"):
        return "failed"
    if score is None or not score["scored"]:
        if score and score["parse_method"] == "refusal":
            return "refused"
        return "truncated" if status == "truncated" else "unscored"
    if score["correct"] is None:
        return "caption"
    return "right" if score["correct"] else "wrong"
