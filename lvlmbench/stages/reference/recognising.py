"""How well what is drawn can be recognised: each foreground in each style, several times.

Scenes for this are of a seed that neither a snapshot nor training has. What reference models take
for something else more often than not is a candidate for ``unclear.yaml``; a person decides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lvlmbench.core.seeding import generator
from lvlmbench.scene.grammar import is_countable
from lvlmbench.scene.graph import Graph, Object, Setting
from lvlmbench.scene.lists import COUNTABLE
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.reference.drawable import drawable_subtasks, drawer
from lvlmbench.stages.reference.shards import FIRST_SEED

#: Seed of the scenes that are looked at.
SEED = FIRST_SEED + 2**33


@dataclass(frozen=True)
class Combination:
    """A foreground in a style, some copies of it."""

    list: str
    label: str
    style: str
    copies: int


def combinations(vocabulary: Vocabulary, copies: Sequence[int]) -> Iterator[Combination]:
    """Every foreground that is asked about in every style of its scenes, in a fixed order."""
    styles = vocabulary.lists["style"].for_renderer(drawer()).entries
    for subtask in drawable_subtasks(vocabulary):
        if subtask not in SUBTASKS[subtask].foregrounds:
            continue  # its foregrounds are those of other lists
        shown = SUBTASKS[subtask].visible(0)
        for entry in vocabulary.lists[subtask].for_renderer(drawer()).entries:
            several = subtask in COUNTABLE and is_countable(entry)
            for style in styles:
                if not shown & style.hidden:
                    for n in copies if several else (1,):
                        yield Combination(subtask, entry.label, style.label, n)


def scene(vocabulary: Vocabulary, one: Combination, draw: int) -> dict[str, Any]:
    """A scene that shows a combination, before a background of its own for each ``draw``."""
    name = f"{one.list}/{one.label}/{one.style}/{one.copies}/{draw}"
    background = None
    if SUBTASKS[one.list].has_background:
        drawn = vocabulary.lists["background"].for_renderer(drawer()).entries
        pick = int(generator(SEED, "recognising", name).integers(len(drawn)))
        background = drawn[pick].label
    count = one.copies if one.list in COUNTABLE else None
    shown = Graph(
        (Object("o1", one.list, one.label, count=count),), setting=Setting(background, one.style)
    )
    return {"scene_id": name, "subtask": one.list, **shown.row()}
