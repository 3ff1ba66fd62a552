"""Which subtasks the reference models can learn: those whose scenes pictographs can show."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.subtasks import subjects
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.reference.folder import drawn_for


def drawer() -> str:
    """Return the renderer that draws the scenes that reference models learn from."""
    return min(drawn_for())


def planner() -> str:
    """Return the kind of suite that plans these scenes: the default."""
    return str(Params.model_fields["kind"].default)


def _drawable(name: str, vocabulary: Vocabulary) -> bool:
    known = drawn_for()
    return name == PERSON or any(known & e.renderers for e in vocabulary.lists[name].entries)


def drawable_subtasks(vocabulary: Vocabulary) -> list[str]:
    """Subtasks whose scenes the pictograph renderer can draw, in canonical order.

    Those of the suite that plans the scenes of the reference models; another has its own recipes.
    """
    return [
        subtask
        for subtask, each in subjects().items()
        if planner() in each.suites
        and each.foregrounds
        and all(_drawable(name, vocabulary) for name in each.foregrounds)
    ]
