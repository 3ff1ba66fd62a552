"""Pictures of panels that are made by hand: what stands where, as layouts and as id buffers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from support.composed_sample import FOLDER, Row
from support.oracle.buffers import measured
from support.oracle.names import names_in
from support.oracle.picture import Picture, from_layout

_SIDE = 100
#: Left upper corners of panels.
_CORNERS = ((0, 0), (52, 0), (0, 52), (52, 52))

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class Put:
    """A thing in a panel.

    ``seen`` is the box of what is left of it behind others, all of which it fills; ``hides`` holds
    shares of things, by how many places before this one they were put there.
    """

    label: str
    box: Box
    color: str | None = None
    seen: Box | None = None
    hides: dict[int, float] = field(default_factory=dict)


def _moved(box: Box, panel: int) -> Box:
    x, y = _CORNERS[panel]
    return box[0] + x, box[1] + y, box[2] + x, box[3] + y


def _area(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])


def row(number: int, panel: int, put: Put) -> Row:
    """Return the row of a layout for a thing."""
    box = _moved(put.seen or put.box, panel)
    return {
        "instance": number, "object": f"o{number}", "part": None, "panel": panel,
        "box": dict(zip(("left", "top", "right", "bottom"), box, strict=True)),
        "pixels": _area(box), "visible": _area(box) / _area(put.box),
        "hides": [{"instance": number - by, "share": s} for by, s in put.hides.items()],
    }  # fmt: skip


def scene_of(puts: Sequence[tuple[int, Put]], background: str | None) -> Row:
    """Return a scene of things, each with its panel."""
    return {
        "objects": [
            {"id": f"o{number}", "label": put.label, "color": put.color, "text": None,
             "facing": None, "panel": panel, "person": None, "chart": None}
            for number, (panel, put) in enumerate(puts)
        ],
        "setting": {"background": background, "style": None, "weather": None},
    }  # fmt: skip


def _buffer(boxes: Sequence[Box]) -> np.ndarray[Any, np.dtype[np.uint8]]:
    found = np.zeros((_SIDE, _SIDE), np.uint8)
    for number, (left, top, right, bottom) in enumerate(boxes):
        found[top:bottom, left:right] = 2 * number + 2
    return found


def picture(
    *panels: Sequence[Put], background: str | None = None, by_layout: bool = True
) -> Picture:
    """Return a picture by the layout of what stands in its panels, or by its id buffer alone."""
    puts = [(panel, put) for panel, found in enumerate(panels) for put in found]
    scene, names = scene_of(puts, background), names_in(FOLDER)
    if by_layout:
        rows = [row(number, *put) for number, put in enumerate(puts)]
        return from_layout(scene, rows, _SIDE, names)
    boxes = [_moved(put.box, panel) for panel, put in puts]
    objects = [(f"o{number}", panel) for number, (panel, _) in enumerate(puts)]
    return measured(scene, _buffer(boxes), [_buffer([b]) for b in boxes], names, objects)
