"""What layouts and truths say, read again from pixels: boxes, areas, orders, sides, thirds.

A picture is drawn again with one of its things painted, so that what changes is where that thing
can be seen. All else follows here from these masks, by arithmetic of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from support.exam.honest import Bools, Without
from support.judge_checks.asked import Line
from support.render_scenes import vocabulary
from support.valor_checks.asked import Asked
from support.valor_scenes import Described, described

Row: TypeAlias = Mapping[str, Any]

#: By how many pixels an edge may lie elsewhere, and by how much of it an area may differ.
_EDGE, _AREA = 2, 0.02
#: Share of a thing's color that a pixel has at least where two soft edges meet.
_TRACE = 0.25
#: Of a thing, the share that another must hide to be called in front of it.
_HIDES = 0.1
#: How far what stands on something may reach below its upper half, in shares of the picture.
_SLACK = 0.03


class Thing(NamedTuple):
    """Where a thing is seen in a picture, where at all, and where it would be alone."""

    shown: Bools
    traces: Bools
    alone: Bools

    @property
    def box(self) -> tuple[int, int, int, int]:
        """Left, top, right, bottom of what is seen; right and bottom are one past it."""
        return _box(self.shown)

    def within(self, said: Sequence[int]) -> bool:
        """Whether a box holds what is seen, and at each edge something of the thing is left.

        Where its own soft edge and that of what hides it meet, a quarter of it is.
        """
        outer = _box(self.traces)
        return all(
            min(a, b) - _EDGE <= edge <= max(a, b) + _EDGE
            for edge, a, b in zip(said, self.box, outer, strict=True)
        )

    @property
    def center(self) -> tuple[float, float]:
        """Middle of the box."""
        left, top, right, bottom = self.box
        return (left + right) / 2, (top + bottom) / 2


def _box(mask: Bools) -> tuple[int, int, int, int]:
    rows, columns = np.flatnonzero(mask.any(1)), np.flatnonzero(mask.any(0))
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def _left(a: Thing, b: Thing) -> bool:
    return a.center[0] < b.center[0]


def _above(a: Thing, b: Thing) -> bool:
    return a.center[1] < b.center[1]


def _in_front(a: Thing, b: Thing) -> bool:
    hidden = b.alone & ~b.shown & a.shown
    return bool(hidden.sum() >= _HIDES * b.alone.sum())


def _within(a: Thing, b: Thing) -> bool:
    by = _SLACK * len(a.shown)
    return b.box[0] - by <= a.center[0] <= b.box[2] + by and a.box[3] <= b.box[3] + by


def _larger(a: Thing, b: Thing) -> bool:
    return bool(a.alone.sum() > b.alone.sum())


#: Relation -> whether two things stand so, by their masks.
HOLDS: Mapping[str, Callable[[Thing, Thing], bool]] = {
    "left_of": _left,
    "right_of": lambda a, b: _left(b, a),
    "above": _above,
    "below": lambda a, b: _above(b, a),
    "in_front_of": _in_front,
    "behind": lambda a, b: _in_front(b, a),
    "on": _within,
    "inside": _within,
    "larger": _larger,
    "smaller": lambda a, b: _larger(b, a),
}


def _hidden(row: Row) -> bool:
    return bool(row["visible"] < 1)


def things_of(renderer: Without, scene: Row, layout: list[Row]) -> dict[tuple[str, int], Thing]:
    """Return the masks of what a picture shows, by object and copy."""
    found = {}
    for row in layout:
        if row["box"] is not None and row["part"] is None:
            mine = (row["object"], row["copy"])
            shown = renderer.shape(scene, mine)
            traces = renderer.shape(scene, mine, share=_TRACE) if _hidden(row) else shown
            alone = renderer.shape(scene, mine, lambda one, mine=mine: one == mine)
            found[mine] = Thing(shown, traces, alone)
    return found


def _measured(things: Mapping[tuple[str, int], Thing], layout: list[Row]) -> Iterator[str]:
    """Yield what of a layout the pixels agree with, or not, as ``box``, ``box wrong``."""
    for row in layout:
        thing = things.get((row["object"], row["copy"]))
        if thing is None or row["part"] is not None:
            continue
        said = [row["box"][edge] for edge in ("left", "top", "right", "bottom")]
        yield "box" if thing.within(said) else "box wrong"
        share = float(thing.shown.sum() / thing.alone.sum())
        yield "area" if abs(share - row["visible"]) <= _AREA else "area wrong"


def _told(things: Mapping[tuple[str, int], Thing], truth: list[Row]) -> Iterator[str]:
    """Yield what of a truth the pixels agree with, or not."""
    once = Counter(name for name, _ in things)
    alone = {name: thing for (name, _), thing in things.items() if once[name] == 1}
    for row in truth:
        a, b = alone.get(row["about"]), alone.get(row["other"])
        if row["kind"] == "relation" and a and b and row["relation"] in HOLDS:
            name = row["relation"]
            yield name if HOLDS[name](a, b) else f"{name} wrong"
        elif row["kind"] == "place" and a:
            yield "place" if row["value"] == _third(a) else "place wrong"
    ranked = sorted((int(r["value"]), r["about"]) for r in truth if r["kind"] == "rank")
    areas = [int(alone[name].alone.sum()) for _, name in ranked]
    if ranked:
        yield "order" if areas == sorted(areas, reverse=True) else "order wrong"


def _third(thing: Thing) -> str:
    """The part of the picture that holds a thing's middle."""
    side = len(thing.shown)
    across, down = (min(int(3 * at / side), 2) for at in thing.center)
    words = [("top", "", "bottom")[down], ("left", "", "right")[across]]
    return " ".join(filter(None, words)) or "center"


def agreed(made: Described) -> dict[str, Counter[str]]:
    """Return by subset how often pixels agree with what is said, and how often not."""
    renderer, found = Without(made.params, vocabulary()), dict[str, Counter[str]]()
    for scene in made.scenes.to_pylist():
        name = scene["scene_id"]
        layout = made.layouts.get(name, [])
        things = things_of(renderer, scene, layout)
        count = found.setdefault(scene["subtask"], Counter())
        count.update(_measured(things, layout))
        count.update(_told(things, made.truth[name]))
    return found


def pixels(asked: Asked) -> Iterator[Line]:
    """Boxes, areas, orders, sides and thirds are those that the pixels show."""
    for subset, counts in agreed(described(asked.scenes, asked.seed)).items():
        for name in sorted({each.removesuffix(" wrong") for each in counts}):
            wrong = counts[f"{name} wrong"]
            figure = f"{counts[name]} of {counts[name] + wrong} agree"
            yield Line(f"pixels {subset}, {name}", figure, wrong == 0)


CHECKS: dict[str, Callable[[Asked], Iterator[Line]]] = {"pixels": pixels}
