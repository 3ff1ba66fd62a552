"""Contact sheets: every kind at every severity, to be looked at by a person."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from lvlmbench.core import seeding
from lvlmbench.stages.scenario.kinds.corruption.kind import corrupt
from lvlmbench.stages.scenario.kinds.corruption.settings import SEVERITIES
from lvlmbench.stages.scenario.pixels import Pixels, decode
from lvlmbench.stages.scenario.scenario import Row

#: Between cells, in pixels; as light as paper.
_GAP, _PAPER = 4, 255


def spread(rows: Sequence[Row], count: int) -> list[Row]:
    """Up to ``count`` rows from all over the sequence, those that can be decoded."""
    fine = [row for row in rows if decode(row) is not None]
    places = np.linspace(0, len(fine) - 1, min(count, len(fine))).round().astype(int)
    return [fine[place] for place in places]


def sheet(rows: Sequence[Row], kind: str, side: int) -> Pixels:
    """One kind: a column an image; the clean images on top, then severities 1 to 5.

    Parameters
    ----------
    rows
        Rows of ``tables.IMAGES`` that can be decoded, at least one.
    side
        Of a cell in pixels; an image is shrunk or magnified to it after it was damaged.
    """
    columns = []
    for row in rows:
        pixels = decode(row)
        if pixels is None:
            raise ValueError(f"image {row['image_id']} cannot be decoded")
        cells = [pixels]
        for severity in SEVERITIES:
            rng = seeding.generator(0, "corruption sheets", f"{row['image_id']}/{kind}-{severity}")
            cells.append(corrupt(pixels, kind, severity, rng)[0])
        columns.append(np.concatenate([_cell(cell, side) for cell in cells]))
    return np.concatenate(columns, axis=1)


def _cell(pixels: Pixels, side: int) -> Pixels:
    how = cv2.INTER_AREA if side <= min(pixels.shape[:2]) else cv2.INTER_CUBIC
    fitted = np.asarray(cv2.resize(pixels, (side, side), interpolation=how), np.uint8)
    return np.pad(fitted, ((0, _GAP), (0, _GAP), (0, 0)), constant_values=_PAPER)
