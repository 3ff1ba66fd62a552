"""The list of backgrounds; a module of this package adds one with ``@BACKGROUNDS.register``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from lvlmbench.core.registry import Registry
from lvlmbench.stages.render.kinds.pictograph.backgrounds.canvas import Canvas

#: Draws one background over the whole canvas, from draws of the generator alone.
Painter = Callable[[Canvas, np.random.Generator], None]

BACKGROUNDS: Registry[Painter] = Registry(
    "backgrounds", "lvlmbench.stages.render.kinds.pictograph.backgrounds"
)
