"""The pictograph renderer: background, then foreground, then style."""

from __future__ import annotations

from importlib.metadata import version

import numpy as np
from PIL import Image

from lvlmbench.config import Params
from lvlmbench.core import seeding
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.render.kinds.pictograph import (
    Pictograph,
    backdrop,
    backgrounds,
    styles,
)
from lvlmbench.stages.render.kinds.pictograph.composition import compose
from lvlmbench.stages.render.kinds.pictograph.picture import Picture
from lvlmbench.stages.render.kinds.pictograph.raster import StickerCache
from lvlmbench.stages.render.kinds.pictograph.subjects import Subjects
from lvlmbench.stages.render.renderer import Scene

#: Raise when the same scene would get other pixels.
REVISION = 1


class PictographRenderer:
    """Draws scenes from vector art on the CPU; ground truth holds by construction."""

    name = "pictograph"

    def __init__(self, params: Params, vocabulary: Vocabulary) -> None:
        self.version = f"{REVISION}+emosvg{version('emosvg')}.resvg{version('resvg_py')}"
        self._seed = params.snapshot.seed
        self._size = params.render.size
        self._supersample = params.render.own(Pictograph).supersample
        self._subjects = Subjects(vocabulary)
        self._cache = StickerCache()

    def refuses(self, scene: Scene) -> str | None:
        """Why this scene cannot be drawn; None when it can."""
        reason = self._subjects.refuses(scene)
        if reason is not None:
            return reason
        if scene["background"] is not None and scene["background"] not in backgrounds.LABELS:
            return f"pictograph does not draw the background '{scene['background']}'"
        if scene["style"] is not None and scene["style"] not in styles.LABELS:
            return f"pictograph does not draw the style '{scene['style']}'"
        return None

    def compose(self, scene: Scene) -> Picture:
        """The scene before its style."""
        return self._compose(scene, seeding.generator(self._seed, "render", scene["scene_id"]))

    def _compose(self, scene: Scene, rng: np.random.Generator) -> Picture:
        # A stream each, so that a change to one part leaves the others' draws as they were.
        what, where, behind = rng.spawn(3)
        size = self._size * self._supersample
        if scene["background"] is None:
            background = backdrop.plain(size, behind)
        else:
            background = backgrounds.draw(scene["background"], size, behind)
        picture = compose(background, self._subjects.subject(scene, what), self._cache, where)
        return _reduced(picture, self._supersample)

    def draw(self, scene: Scene) -> Image.Image:
        """The scene as an RGB image of ``render.size`` pixels a side."""
        rng = seeding.generator(self._seed, "render", scene["scene_id"])
        picture = self._compose(scene, rng)
        if scene["style"] is None:
            return picture.image
        return styles.apply(scene["style"], picture, rng.spawn(1)[0])


def _reduced(picture: Picture, factor: int) -> Picture:
    if factor == 1:
        return picture
    box = picture.text_box
    return Picture(
        picture.image.reduce(factor),
        picture.mask.reduce(factor),
        None
        if box is None
        else (box[0] // factor, box[1] // factor, -(-box[2] // factor), -(-box[3] // factor)),
    )
