"""The list of styles; a module of this package adds one with ``@STYLES.register``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PIL import Image

from lvlmbench.core.registry import Registry
from lvlmbench.stages.render.kinds.pictograph.picture import Picture, Styled

#: Redraws a picture; returns RGB of the same size, with the id buffer where pixels are moved.
Stylist = Callable[[Picture, np.random.Generator], Image.Image | Styled]

STYLES: Registry[Stylist] = Registry("styles", "lvlmbench.stages.render.kinds.pictograph.styles")
