"""Several things and people at random, in the usual numbers: what is told without a look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np

from lvlmbench.scene.figures import labels, phrases
from lvlmbench.scene.relations import Box
from lvlmbench.scene.vocabulary import Entry
from lvlmbench.stages.answer.looking.captions import Someone, Thing

T = TypeVar("T")

#: How many things and how many people there usually are; how many garments somebody wears.
_THINGS, _PEOPLE, _WORN = (3, 4, 5), (2, 3, 4), (3, 4)
_NOWHERE = Box(0.0, 0.0, 0.0, 0.0)


def guessed(
    colored: bool, things: Mapping[str, Sequence[Entry]], rng: np.random.Generator
) -> tuple[list[Thing], list[Someone]]:
    """Return things and people.

    Parameters
    ----------
    colored
        Whether things have colors.
    things
        List -> entries that things are drawn from.
    """
    lists = [*things]
    found = []
    for _ in range(_one(_THINGS, rng)):
        entry = _one(things[_one(lists, rng)], rng)
        x, y, side = rng.uniform((0.1, 0.1, 0.1), (0.9, 0.9, 0.3)).tolist()
        box = Box(x - side / 2, y - side / 2, x + side / 2, y + side / 2)
        color = _one([*labels.COLORS], rng) if colored else None
        found.append(Thing(entry.label, entry.article, box, color))
    return found, [_someone(rng) for _ in range(_one(_PEOPLE, rng))]


def _someone(rng: np.random.Generator) -> Someone:
    worn = []
    for at in rng.permutation(len(labels.GARMENTS))[: _one(_WORN, rng)].tolist():
        kind, color = labels.GARMENTS[at], _one([*labels.COLORS], rng)
        article = "" if phrases.is_plural(kind) else "a"
        worn.append(Thing(kind, article, _NOWHERE, color))
    return Someone(
        age=_one(labels.AGES, rng),
        gender=_one(("female", "male"), rng),
        race=_one([*labels.SKIN_LABELS.values()], rng),
        expression=_one(labels.EXPRESSIONS[1:], rng),
        worn=tuple(worn),
        action=_one([*phrases.ACTIONS.values()], rng),
    )


def _one(choices: Sequence[T], rng: np.random.Generator) -> T:
    return choices[int(rng.integers(len(choices)))]
