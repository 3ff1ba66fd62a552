"""Subjects that are small, or stand partly behind something: what of scenes is other than usual."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np
import pyarrow as pa

from lvlmbench.core.seeding import U32, uniform_columns
from lvlmbench.scene.clarity import F64
from lvlmbench.scene.graph import Object, Relation
from lvlmbench.scene.lists import COUNTABLE
from lvlmbench.scene.pools import I64
from lvlmbench.scene.props import PROP, SCREENS
from lvlmbench.scene.subtasks import Subtask
from lvlmbench.scene.vocabulary.entries import Entry
from lvlmbench.suites.dysca.settings import Harder

#: Longest side of something small, in thousandths of the picture's.
_SMALL = (128, 176)

#: Longest side of what is partly hidden, by how many of it there are.
_HIDDEN = {1: (430, 560), 2: (300, 370), 3: (240, 300)}

#: What stands before it is so many hundredths as large.
_BEFORE = (55, 75)

#: A picture of less than this share of a thing, or of its own side, is asked nothing.
VISIBLE, LEAST = 0.6, 0.085

#: What is said of such a subject.
_SAID = {"small": " seen from afar", "hidden": " partly behind a {screen}"}


def is_staged(harder: Harder, recipe: Subtask) -> bool:
    """Return whether scenes of a subtask have such subjects.

    These are things that are told by their shape. What stands before another thing has a color of
    its own, so nothing is hidden where a color is asked.
    """
    if harder.subjects == "any" or not {*recipe.foregrounds} <= {*COUNTABLE}:
        return False
    return harder.subjects == "small" or "color" not in recipe.attributes


def positions(
    harder: Harder, recipe: Subtask, name: str, entries: Sequence[Entry], shown: Collection[str]
) -> list[int]:
    """Return which entries of a list such scenes can have: all of it by default.

    Styles are those that hide nothing of small things that is to be ``shown``; foregrounds are
    those that a person names when they are small, and that show nothing else.
    """
    every = list(range(len(entries)))
    if not is_staged(harder, recipe):
        return every
    extra = [entry.extra for entry in entries]
    if name == "style":
        need = {"shape", *shown}
        return [at for at in every if not need & entries[at].hidden_small]
    if name in recipe.foregrounds:
        return [
            at for at in every if extra[at].get("small", True) and extra[at].get("several", True)
        ]
    return every


def _between(bounds: I64, u: F64) -> I64:
    """Whole numbers from least to largest, shape (n,), from bounds of shape (n, 2)."""
    return bounds[:, 0] + (u * (bounds[:, 1] - bounds[:, 0] + 1)).astype(np.int64)


class Staging:
    """How large the subjects of some scenes are, and what stands before them.

    Parameters
    ----------
    counters
        Those of the scenes' ids.
    number
        How many of the subject there are, by scene.
    """

    def __init__(self, harder: Harder, seed: int, counters: U32, number: I64) -> None:
        u = uniform_columns(seed, "staging", counters, 3)
        self._hidden = harder.subjects == "hidden"
        table = [_HIDDEN[n] for n in number.tolist()] if self._hidden else [_SMALL] * len(number)
        self.span = _between(np.array(table, dtype=np.int64).reshape(-1, 2), u[:, 0])
        self._screen = [SCREENS[int(v * len(SCREENS))] for v in u[:, 1].tolist()]
        share = _between(np.tile(np.array(_BEFORE, dtype=np.int64), (len(number), 1)), u[:, 2])
        self._before = self.span * share // 100

    def said(self) -> pa.StringArray:
        """Return what captions and prompts say after the subject."""
        phrase = _SAID["hidden" if self._hidden else "small"]
        return pa.array([phrase.format(screen=each) for each in self._screen], pa.string())

    def graphs(self, graphs: dict[str, pa.Array]) -> dict[str, pa.Array]:
        """Return graphs of single objects with what stands before each."""
        if not self._hidden:
            return graphs
        objects, relations = [], []
        before, below = (vars(Relation("o2", way, "o1")) for way in ("in_front_of", "below"))
        for mine, label, span in zip(
            graphs["objects"].to_pylist(), self._screen, self._before.tolist(), strict=True
        ):
            objects.append([*mine, vars(Object("o2", PROP, label, "secondary", span=span))])
            # Animals are told by their heads, which are mostly above. Of thin trunks and stems
            # too little can be hidden for all things to be hidden from below.
            relations.append([before, below] if mine[0]["list"] == "animal" else [before])
        held = {
            "objects": pa.array(objects, graphs["objects"].type),
            "relations": pa.array(relations, graphs["relations"].type),
        }
        return {**graphs, **held}


def unfit(harder: Harder, layouts: pa.Table, side: int) -> set[str]:
    """Return the ids of scenes whose subject turned out too small or too much hidden to be asked.

    Parameters
    ----------
    layouts
        What was measured; a scene that nobody measured is not among them.
    side
        Of the pictures, in pixels.
    """
    if harder.subjects == "any":
        return set()
    found = set()
    wanted = ("scene_id", "object", "box", "visible")
    for thing in layouts.select(wanted).to_pylist():
        box = thing["box"]
        if thing["object"] != "o1":
            continue
        span = 0 if box is None else max(box["right"] - box["left"], box["bottom"] - box["top"])
        if span < LEAST * side or thing["visible"] < VISIBLE:
            found.add(str(thing["scene_id"]))
    return found
