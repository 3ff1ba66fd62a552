"""The five subsets of VALOR-Eval (section 3.1.1) as subtasks, and what answers to each speak of.

Suites of them differ in their pictures: drawn scenes, or a user's own copy of VALOR-Bench.
"""

from __future__ import annotations

from collections.abc import Mapping

from lvlmbench.scene.claims import RELATIONS, Scope
from lvlmbench.scene.subtasks import SUBTASKS, Subtask

OBJECTS, ATTRIBUTES, PEOPLE = "valor_objects", "valor_attributes", "valor_people"
POSITIONS, SIZES = "valor_positions", "valor_sizes"

#: Relations that compare sizes; all others say where things are.
_SIZES = ("larger", "smaller", "same_size")
_PLACES = tuple(name for name in RELATIONS if name not in _SIZES)

#: Subset -> what of a picture counts in answers to it.
SCOPES: Mapping[str, Scope] = {
    OBJECTS: Scope(("object",)),
    ATTRIBUTES: Scope(("attribute",)),
    PEOPLE: Scope(("attribute", "garment", "action")),
    POSITIONS: Scope(("relation", "place"), (*_PLACES, "at")),
    SIZES: Scope(("rank", "relation"), ("rank", *_SIZES)),
}

#: Behind the subtasks of other suites.
_FIRST = 300


def _subset(name: str, placed: bool = False) -> Subtask:
    return Subtask(
        name=name,
        order=_FIRST + list(SCOPES).index(name),
        granularity="fine",
        foregrounds=(),
        secondary=(),
        suites=("valor", "valor_bench"),
        placed=placed,
    )


@SUBTASKS.register(OBJECTS)
def objects() -> Subtask:
    """Return the subset: which things are there."""
    return _subset(OBJECTS)


@SUBTASKS.register(ATTRIBUTES)
def attributes() -> Subtask:
    """Return the subset: what things are like."""
    return _subset(ATTRIBUTES)


@SUBTASKS.register(PEOPLE)
def people() -> Subtask:
    """Return the subset: who people are, what they wear and do."""
    return _subset(PEOPLE)


@SUBTASKS.register(POSITIONS)
def positions() -> Subtask:
    """Return the subset: where things are, and how they stand to each other."""
    return _subset(POSITIONS, placed=True)


@SUBTASKS.register(SIZES)
def sizes() -> Subtask:
    """Return the subset: how large things are beside each other."""
    return _subset(SIZES)
