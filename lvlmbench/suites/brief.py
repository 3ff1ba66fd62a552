"""What a suite tells an examiner that is asked over requests about one picture."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from lvlmbench.scene.world import World


def _same(one: str, other: str) -> bool:
    return one == other


@dataclass(frozen=True, kw_only=True)
class Brief:
    """What an examiner is told of a planned picture, and what its questions are held against.

    Attributes
    ----------
    scene_id, subtask, aspect, level
        Which item it is.
    lacks, why
        Why nothing can be asked about it, and the same in a line; None where it can.
    description
        What the picture was to show, in a sentence.
    things
        Id -> what it is, of the objects that can be named as evidence.
    planned
        What else was planned of them, a line each.
    about
        Lines on the aspect.
    guidance
        What the level wants of a question.
    defects
        What is not as described, by the labels of things.
    barred
        Words that tell of a defect and of nothing else, where a text describes the picture.
    world
        What the picture shows; None where there is none, and where nobody has measured it: then
        ``things`` are statements that are confirmed.
    same
        Whether two names may stand for one thing.
    """

    scene_id: str
    subtask: str
    aspect: str
    level: str
    lacks: Literal["not_drawn", "not_planned"] | None = None
    why: str | None = None
    description: str = ""
    things: tuple[tuple[str, str], ...] = ()
    planned: tuple[str, ...] = ()
    about: tuple[str, ...] = ()
    guidance: str = ""
    defects: tuple[str, ...] = ()
    barred: frozenset[str] = frozenset()
    world: World | None = None
    same: Callable[[str, str], bool] = _same
