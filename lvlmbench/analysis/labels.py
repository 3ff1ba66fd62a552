"""Names of scenarios, question types, subtasks and filters as readers see them."""

from __future__ import annotations

from typing import Any

from lvlmbench.core.registry import Kinds, kinds_of
from lvlmbench.scene.subtasks import subtask_label
from lvlmbench.tables import TYPES

TYPE_LABELS = {name: each.label for name, each in TYPES.items()}

_SPECIAL = {
    "tv_show": "TV show",
    "nsfw": "NSFW",
}


def in_tables() -> tuple[Kinds[Any], ...]:
    """Return the registries whose kinds stand in tables under their names."""
    return kinds_of("scenarios"), kinds_of("corruptions"), kinds_of("filters")


def plain(name: str) -> str:
    """Return a table key as words: ``action`` -> ``Action``, ``tv_show`` -> ``TV show``."""
    words = inline(name)
    return words[:1].upper() + words[1:]


def inline(name: str) -> str:
    """Return a table key as words within a sentence, as its kind declares it where it is one."""
    for registry in in_tables():
        kind = registry.find(name)
        if kind is not None and kind.label:
            return str(kind.label)
    if label := subtask_label(name):
        return label[:1].lower() + label[1:]
    return _SPECIAL.get(name, name.replace("_", " "))
