"""The twenty perceptual subtasks (Dysca, section 3.2) in canonical order."""

from __future__ import annotations

#: Subtask -> granularity. The order is canonical: tables and shards follow it.
SUBTASKS: dict[str, str] = {
    "style": "coarse",
    "background": "coarse",
    "color": "coarse",
    "animal": "fine",
    "object": "fine",
    "plant": "fine",
    "food": "fine",
    "age": "fine",
    "gender": "fine",
    "expression": "fine",
    "race": "fine",
    "celebrity": "fine",
    "action": "fine",
    "text": "fine",
    "clothes": "fine",
    "movie": "fine",
    "anime": "fine",
    "landmark": "fine",
    "profession": "fine",
    "tv_show": "fine",
}

QUESTION_TYPES = ("multiple_choice", "true_false", "free_form")
