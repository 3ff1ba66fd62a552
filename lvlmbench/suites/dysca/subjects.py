"""Foregrounds as phrases, for each combination of what they depend on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import pyarrow as pa

from lvlmbench.scene.grammar import around
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.subtasks import Subtask
from lvlmbench.scene.templates import Templates
from lvlmbench.scene.vocabulary.entries import Entry
from lvlmbench.suites.dysca import wording
from lvlmbench.suites.dysca.counting import NUMBER, NUMBERS

#: Most copies of a countable foreground in one scene.
MOST = len(NUMBERS)


@dataclass(frozen=True)
class Subjects:
    """Foregrounds of one variant as phrases, for each combination of what they depend on.

    The phrase of the choice (i, j, ...) along ``axes`` stands at the row-major position among
    ``shape``. The word of a scene with text goes between ``before`` and ``after``.
    """

    axes: tuple[str, ...]
    shape: tuple[int, ...]
    before: pa.StringArray
    after: pa.StringArray


def subjects_of(
    templates: Templates,
    recipe: Subtask,
    foreground: str,
    noun: str,
    entries: Mapping[str, Sequence[Entry]],
) -> Subjects:
    """Return the foregrounds of a variant as phrases.

    Parameters
    ----------
    foreground, noun
        Its list, and what one of the list is called.
    entries
        What is drawn from, by list.

    Raises
    ------
    UserError
        The phrase of a carrier has no place for its word.
    """
    axes: tuple[str, ...] = (foreground,)
    if foreground == PERSON:
        axes = recipe.attributes
        phrases = [
            wording.person_subject(dict(zip(axes, choice, strict=True)))
            for choice in product(*(entries[a] for a in axes))
        ]
    elif "color" in recipe.attributes:
        axes = (foreground, "color")
        phrases = [
            wording.colored_subject(entry, color.label)
            for entry, color in product(*(entries[a] for a in axes))
        ]
    elif NUMBER in recipe.attributes:
        axes = (foreground, NUMBER)
        phrases = [
            wording.subject(templates, entry, foreground, noun, count)
            for entry, count in product(entries[foreground], range(1, MOST + 1))
        ]
    else:
        phrases = [
            wording.subject(templates, entry, foreground, noun) for entry in entries[foreground]
        ]
    pairs = [(phrase, "") for phrase in phrases]
    if recipe.name == "text":
        where = f"vocabulary: {foreground}: phrase"
        pairs = [around(phrase, "text", where) for phrase in phrases]
        pairs = [(f'{before}"', f'"{after}') for before, after in pairs]
    shape = tuple(MOST if axis == NUMBER else len(entries[axis]) for axis in axes)
    return Subjects(
        axes=axes,
        shape=shape,
        before=pa.array([before for before, _ in pairs], pa.string()),
        after=pa.array([after for _, after in pairs], pa.string()),
    )
