"""What the attack pushes an image away from, and what it pulls it to, in words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from lvlmbench.reference.captions import aspects, phrase


def wrong_caption(
    scene: Mapping[str, Any], questions: Sequence[Mapping[str, Any]], rng: np.random.Generator
) -> str | None:
    """A caption that is wrong about something that is asked of the scene; None if nothing is.

    Drawn from the wrong options of its multiple-choice questions and the claims of its false
    statements, all equally likely: its caption with that label in place of the right one, and
    where the caption does not hold the right one literally, the wrong one alone with its kind.

    Parameters
    ----------
    scene
        A row of ``tables.SCENES``.
    questions
        The rows of ``tables.QUESTIONS`` about it, in any order.
    """
    right = aspects(scene)
    wrong: list[tuple[str, str, str]] = []
    for question in sorted(questions, key=lambda q: str(q["question_id"])):
        aspect = question["subtask"]
        if question["question_type"] == "multiple_choice":
            answer = question["answer"]
            wrong += [(aspect, answer, o) for o in question["options"] if o != answer]
        elif question["question_type"] == "true_false" and question["answer"] == "False":
            wrong.append((aspect, right.get(aspect, ""), question["claim"]))
    if not wrong:
        return None
    aspect, answer, instead = wrong[int(rng.integers(len(wrong)))]
    found = answer and re.search(rf"(?<!\w){re.escape(answer)}(?!\w)", scene["caption"])
    if not found:
        return phrase(aspect, instead)
    caption: str = scene["caption"]
    return caption[: found.start()] + instead + caption[found.end() :]
