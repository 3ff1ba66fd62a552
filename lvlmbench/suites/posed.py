"""What a suite has a validator asked about one picture."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class Posed:
    """A closed question about a picture, asked to find out whether it is as described.

    Whoever answers is told the question and its options, never which one is right.

    Attributes
    ----------
    check_id, scene_id
        The check, and the scene that it is of.
    shown_id, subtask
        The scene whose picture is shown, and its subtask.
    element_type, question, options
        What it is about, one of :data:`lvlmbench.tables.validation.ELEMENTS`, and what is asked;
        two to eight options.
    answer_index
        The option that the description gives.
    shown_index
        The option that the picture shows, as its layout says; None where that is not clear.
    element
        Words of a text that it is about; empty where a program says what it is about.
    planted
        Whether the picture of another scene is shown that is known to be otherwise, or what is
        asked was never described and is not so.
    """

    check_id: str
    scene_id: str
    shown_id: str
    subtask: str
    element_type: str
    question: str
    options: tuple[str, ...]
    answer_index: int
    shown_index: int | None
    planted: bool = False
    element: str = ""
