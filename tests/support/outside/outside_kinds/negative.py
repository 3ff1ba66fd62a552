"""The corruption ``negative``."""

from __future__ import annotations

import numpy as np

from lvlmbench.stages.scenario.kinds.corruption.kind import CORRUPTIONS, Done, Numbers
from lvlmbench.stages.scenario.pixels import Pixels


@CORRUPTIONS.register(
    "negative",
    columns=("share",),
    rows=((0.6,), (0.7,), (0.8,), (0.9,), (1.0,)),
    about="`share` of the way to the negative",
)
def negative(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    """Turn light to dark."""
    share = given["share"]
    mixed = (1 - share) * pixels + share * (255.0 - pixels)
    return np.rint(mixed).astype(np.uint8), {"share": share}
