"""Measuring an id buffer pixel by pixel, with nothing but its values.

Pixels of the n-th thing, from 0, hold 2n + 2; those of the word on it 2n + 3; all others 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from support.oracle.names import Names
from support.oracle.picture import Picture, Thing

Buffer = npt.NDArray[np.uint8]
Mask = npt.NDArray[np.bool_]

_OTHER_WAY = {"left": "right", "right": "left"}


def shown(buffer: Buffer, number: int) -> Mask:
    """Return where a thing can be seen."""
    return (buffer == 2 * number + 2) | (buffer == 2 * number + 3)


def edges(mask: Mask) -> tuple[int, int, int, int] | None:
    """Return left, top, right and bottom of what is True, in pixels; None where nothing is."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def colors(
    pixels: npt.NDArray[np.uint8], mask: Mask, rgb: Mapping[str, tuple[int, ...]]
) -> dict[str, float]:
    """Return which share of a thing's pixels is nearest to which of some colors."""
    named = np.array(list(rgb.values()), dtype=np.int64)
    away = ((pixels[mask].astype(np.int64)[:, None] - named) ** 2).sum(axis=-1)
    found = np.bincount(away.argmin(axis=1), minlength=len(rgb)) / mask.sum()
    return dict(zip(rgb, found.tolist(), strict=True))


def measured(
    scene: Mapping[str, Any],
    buffer: Buffer,
    alone: Sequence[Buffer],
    names: Names,
    objects: Sequence[tuple[str, int]],
) -> Picture:
    """Return a picture by its id buffer.

    Parameters
    ----------
    alone
        Of each thing, a buffer in which it stands without the others, as thing 0.
    objects
        Of each thing, the id of its object and its panel.
    """
    by_id = {thing["id"]: thing for thing in scene["objects"]}
    whole = [shown(one, 0) for one in alone]
    things = []
    for number, (name, panel) in enumerate(objects):
        seen, meant = shown(buffer, number), by_id[name]
        box = edges(seen)
        side = buffer.shape[0]
        hidden = {
            behind: float((seen_before & whole[number]).sum() / whole[behind].sum())
            for behind, seen_before in enumerate(_seen_before(whole, number))
            if (seen_before & whole[number]).any()
        }
        things.append(
            Thing(
                number, meant["label"], meant["color"], meant["text"], panel,
                box and tuple(edge / side for edge in box),
                float(seen.sum() / side / side), float(seen.sum() / whole[number].sum()), hidden,
                meant["person"], meant.get("facing"),
            )
        )  # fmt: skip
    return Picture(scene, _turned(things, whole), names)


def _turned(things: Sequence[Thing], whole: Sequence[Mask]) -> list[Thing]:
    """Things, each of which faces where its shape says, held against the first of its name."""
    first: dict[str, Thing] = {}
    found = []
    for thing in things:
        one = first.setdefault(thing.label, thing)
        if thing.facing is not None and one.facing is not None:
            other = mirrored(whole[one.number], whole[thing.number])
            thing = replace(thing, facing=_OTHER_WAY[one.facing] if other else one.facing)
        found.append(thing)
    return found


def mirrored(one: Mask, other: Mask) -> bool:
    """Return whether a shape is rather the mirror image of another than that itself."""
    a, b = (_scaled(mask) for mask in (one, other))
    return bool((a ^ b[:, ::-1]).sum() < (a ^ b).sum())


def _scaled(mask: Mask) -> Mask:
    """A shape that fills a square of 64 by 64."""
    box = edges(mask)
    assert box is not None
    left, top, right, bottom = box
    rows, columns = (
        low + (np.arange(64) * 2 + 1) * (high - low) // 128
        for low, high in ((top, bottom), (left, right))
    )
    return mask[rows][:, columns]


def _seen_before(whole: Sequence[Mask], number: int) -> list[Mask]:
    """What could be seen of the things behind one, before it was put there."""
    found = []
    for behind in range(number):
        over = np.zeros_like(whole[behind])
        for between in range(behind + 1, number):
            over |= whole[between]
        found.append(whole[behind] & ~over)
    return found
