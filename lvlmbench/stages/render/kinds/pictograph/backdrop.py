"""A calm plain backdrop for scenes whose metadata names no background."""

from __future__ import annotations

import numpy as np
from PIL import Image

#: Pairs of pale colors, top and bottom of a vertical gradient.
_PAIRS = (
    ((214, 229, 240), (244, 240, 229)),
    ((232, 222, 240), (250, 240, 236)),
    ((219, 236, 226), (246, 244, 226)),
    ((245, 226, 214), (252, 245, 229)),
    ((222, 226, 232), (243, 244, 246)),
    ((201, 221, 232), (228, 238, 240)),
    ((240, 228, 205), (250, 244, 232)),
)


def plain(size: int, rng: np.random.Generator) -> Image.Image:
    """A pale vertical gradient of ``size`` pixels a side."""
    top, bottom = _PAIRS[int(rng.integers(len(_PAIRS)))]
    steps = np.arange(size, dtype=np.int64)[:, None]
    rows = (np.array(top) * (size - 1 - steps) + np.array(bottom) * steps) // max(size - 1, 1)
    column = Image.fromarray(rows.astype(np.uint8)[:, None, :], "RGB")
    return column.resize((size, size), Image.Resampling.NEAREST)
