"""The list of backgrounds; a module of this package adds one with ``@BACKGROUNDS.register``."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from lvlmbench.core.registry import Kind, Kinds
from lvlmbench.stages.render.kinds.pictograph.backgrounds.canvas import Canvas

#: Draws one background over the whole canvas, from draws of the generator alone.
Painter = Callable[[Canvas, np.random.Generator], None]


@dataclass(frozen=True, kw_only=True)
class Background(Kind):
    """A background and what draws it."""

    make: Painter


BACKGROUNDS: Kinds[Background] = Kinds(
    "backgrounds", "lvlmbench.stages.render.kinds.pictograph.backgrounds", Background
)
