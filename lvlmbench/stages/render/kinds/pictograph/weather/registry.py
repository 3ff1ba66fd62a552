"""The list of overlays; a module of this package adds one with ``@WEATHER.register``."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PIL import Image

from lvlmbench.core.registry import Registry

#: Returns a picture in some weather: mode RGB, same size, everything in its place.
Overlay = Callable[[Image.Image, np.random.Generator], Image.Image]

WEATHER: Registry[Overlay] = Registry("weather", "lvlmbench.stages.render.kinds.pictograph.weather")
