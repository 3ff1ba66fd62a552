"""Which subtasks the reference models can learn: those whose scenes pictographs can show."""

from __future__ import annotations

from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.reference.folder import drawn_for


def drawer() -> str:
    """Return the renderer that draws the scenes that reference models learn from."""
    return min(drawn_for())


def _drawable(name: str, vocabulary: Vocabulary) -> bool:
    known = drawn_for()
    return name == PERSON or any(known & e.renderers for e in vocabulary.lists[name].entries)


def drawable_subtasks(vocabulary: Vocabulary) -> list[str]:
    """Subtasks whose scenes the pictograph renderer can draw, in canonical order."""
    return [
        subtask
        for subtask in SUBTASKS
        if SUBTASKS[subtask].foregrounds
        and all(_drawable(name, vocabulary) for name in SUBTASKS[subtask].foregrounds)
    ]
