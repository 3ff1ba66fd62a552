"""Procedural backgrounds: flat scenery that is named at a glance around a foreground.

The scenery keeps clear of the vocabulary's foregrounds where it can (no cactus in the desert, no
fish in the sea), so that a question about the foreground has one answer.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

from lvlmbench.stages.render.kinds.pictograph.backgrounds.canvas import Canvas
from lvlmbench.stages.render.kinds.pictograph.backgrounds.registry import BACKGROUNDS

#: Labels that can be drawn, sorted.
LABELS: tuple[str, ...] = tuple(BACKGROUNDS.names())


def draw(label: str, size: int, rng: np.random.Generator) -> Image.Image:
    """A background of ``size`` x ``size`` pixels, mode RGB.

    The same label, size and generator state give the same pixels. Positions are drawn in
    thousandths of the side: the same draws at another size give the same picture, scaled.

    Raises
    ------
    lvlmbench.core.errors.UserError
        The label is none of :data:`LABELS`.
    """
    painter = BACKGROUNDS.get(label, "pictograph: background")
    closer, across, down = rng.random(3).tolist()
    canvas = Canvas(size, 1.0 + 0.13 * closer, (across, down), bool(rng.integers(0, 2)))
    painter(canvas, rng)
    return canvas.finish()
