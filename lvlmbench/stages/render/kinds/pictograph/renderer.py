"""The pictograph renderer: background, then foreground, then style."""

from __future__ import annotations

from dataclasses import replace
from importlib.metadata import version

import numpy as np
from PIL import Image

from lvlmbench.config import Params
from lvlmbench.core import seeding
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.render.kinds.pictograph import backdrop, backgrounds, styles
from lvlmbench.stages.render.kinds.pictograph.composition import compose
from lvlmbench.stages.render.kinds.pictograph.picture import Picture, Styled, ids_of
from lvlmbench.stages.render.kinds.pictograph.raster import StickerCache
from lvlmbench.stages.render.kinds.pictograph.settings import Pictograph
from lvlmbench.stages.render.kinds.pictograph.subjects import Subjects
from lvlmbench.stages.render.layout import measure
from lvlmbench.stages.render.renderer import Depiction, Scene

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
        """Return why this scene cannot be drawn; None when it can."""
        graph = Graph.of(scene)
        reason = self._subjects.refuses(graph, scene["subtask"])
        if reason is not None:
            return reason
        background, style = graph.setting.background, graph.setting.style
        if background is not None and background not in backgrounds.LABELS:
            return f"pictograph does not draw the background '{background}'"
        if style is not None and style not in styles.LABELS:
            return f"pictograph does not draw the style '{style}'"
        return None

    def compose(self, scene: Scene) -> Picture:
        """Return the scene before its style."""
        rng = seeding.generator(self._seed, "render", scene["scene_id"])
        return self._compose(Graph.of(scene), rng)

    def _compose(self, graph: Graph, rng: np.random.Generator) -> Picture:
        # A stream each, so that a change to one part leaves the others' draws as they were.
        what, where, behind = rng.spawn(3)
        size = self._size * self._supersample
        if graph.setting.background is None:
            background = backdrop.plain(size, behind)
        else:
            background = backgrounds.draw(graph.setting.background, size, behind)
        picture = compose(background, self._subjects.subject(graph, what), self._cache, where)
        return _reduced(picture, self._supersample)

    def draw(self, scene: Scene) -> Depiction:
        """Return the scene as an RGB image of ``render.size`` pixels a side, measured."""
        graph = Graph.of(scene)
        rng = seeding.generator(self._seed, "render", scene["scene_id"])
        picture = self._compose(graph, rng)
        styled = Styled(picture.image, ids_of(picture))
        if graph.setting.style is not None:
            styled = styles.styled(graph.setting.style, picture, rng.spawn(1)[0])
        assert picture.marked is not None
        whole = styled.whole or styled.ids
        found = measure(styled.image, picture.marked, styled.ids, whole, styled.panels)
        return Depiction(styled.image, found)


def _reduced(picture: Picture, factor: int) -> Picture:
    if factor == 1:
        return picture
    box = picture.text_box
    size = (picture.image.width // factor, picture.image.height // factor)
    marked = picture.marked
    return Picture(
        picture.image.reduce(factor),
        picture.mask.reduce(factor),
        None
        if box is None
        else (box[0] // factor, box[1] // factor, -(-box[2] // factor), -(-box[3] // factor)),
        marked and replace(marked, ids=marked.ids.resize(size, Image.Resampling.NEAREST)),
    )
