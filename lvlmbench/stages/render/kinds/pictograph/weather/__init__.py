"""Light and weather: integer overlays over a finished composition.

An overlay moves nothing and hides no thing wholly, so the id buffer stays as it is. What each is
called, what is then in doubt and where it makes sense is data: ``weather.yaml`` of the vocabulary.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

from lvlmbench.stages.render.kinds.pictograph.weather.registry import WEATHER

#: Labels that can be drawn, sorted; no weather at all is the label None.
LABELS: tuple[str, ...] = tuple(WEATHER.names())


def overlay(name: str | None, image: Image.Image, rng: np.random.Generator) -> Image.Image:
    """Return a picture (RGB, square) in some light or weather; as it is where ``name`` is None.

    Raises
    ------
    lvlmbench.core.errors.UserError
        The name is none of :data:`LABELS`.
    """
    return image if name is None else WEATHER.get(name, "pictograph: weather")(image, rng)
