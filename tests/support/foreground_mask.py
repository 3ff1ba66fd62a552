"""Where the foreground of a pictograph is, for tests of what moves or hides it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.stages.scenario.pixels import Pixels
from support.render_scenes import drawable, params, person, scene, vocabulary

#: True where the foreground hides more than half of the background; shape (height, width).
Mask = NDArray[np.bool_]


def scenes(count: int) -> list[dict[str, Any]]:
    """Scenes of many kinds on backgrounds, without styles, which would move things themselves."""
    behind = drawable("background")
    found = []
    for i in range(count):
        background = behind[5 * i % len(behind)]
        match i % 4:
            case 0:
                labels = drawable("animal")
                row = scene("animal", labels[7 * i % len(labels)], i, number=1 + i % 3)
            case 1:
                row = scene("carrier", drawable("carrier")[i % 9], i, text="harbor")
            case 2:
                row = person(i)
            case _:
                labels = drawable("object")
                row = scene("object", labels[11 * i % len(labels)], i)
        found.append(row | {"background": background})
    return found


def pictures(count: int, size: int = 128) -> list[tuple[Pixels, Mask]]:
    """Drawn scenes, and where their foregrounds are."""
    renderer = PictographRenderer(params(size), vocabulary())
    found = []
    for row in scenes(count):
        assert renderer.refuses(row) is None, row["foreground"]
        picture = renderer.compose(row)
        mask = np.asarray(picture.mask) > 127
        assert 0.01 < mask.mean() < 0.9
        found.append((np.asarray(picture.image), mask))
    return found
