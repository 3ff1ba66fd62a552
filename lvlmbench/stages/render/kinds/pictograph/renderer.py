"""The pictograph renderer: background, then foreground, then style."""

from __future__ import annotations

from copy import deepcopy
from dataclasses import replace
from importlib.metadata import version
from typing import NamedTuple

import numpy as np
from PIL import Image

from lvlmbench.config import Params
from lvlmbench.core import seeding
from lvlmbench.core.errors import UserError
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.render.kinds.pictograph import (
    arrangement,
    backdrop,
    backgrounds,
    panels,
    styles,
    weather,
)
from lvlmbench.stages.render.kinds.pictograph.arrangement import Plan
from lvlmbench.stages.render.kinds.pictograph.composition import compose
from lvlmbench.stages.render.kinds.pictograph.picture import Picture, Styled, ids_of
from lvlmbench.stages.render.kinds.pictograph.raster import StickerCache
from lvlmbench.stages.render.kinds.pictograph.settings import Pictograph
from lvlmbench.stages.render.kinds.pictograph.subjects import Subjects
from lvlmbench.stages.render.layout import Instance, measure, standing
from lvlmbench.stages.render.renderer import Depiction, Scene

#: Raise when the same scene would get other pixels.
REVISION = 2


#: What is said of a scene for which the solver finds no places.
GIVEN_UP = "given up: no places were found that fulfil all relations"


#: Scenes whose plans are kept at once.
_KEPT = 1024


class _Streams(NamedTuple):
    """A stream each, so that a change to one part leaves the others' draws as they were."""

    what: np.random.Generator
    where: np.random.Generator
    behind: np.random.Generator
    style: np.random.Generator
    air: np.random.Generator


class PictographRenderer:
    """Draws scenes from vector art on the CPU; ground truth holds by construction."""

    name = "pictograph"

    def __init__(self, params: Params, vocabulary: Vocabulary) -> None:
        self.version = f"{REVISION}+emosvg{version('emosvg')}.resvg{version('resvg_py')}"
        self._seed = params.snapshot.seed
        self._size = params.render.size
        self._supersample = params.render.own(Pictograph).supersample
        self._subjects = Subjects(vocabulary)
        entries = vocabulary.lists["background"].entries
        self._grounds: dict[str | None, int] = {
            e.label: e.extra["ground"] for e in entries if "ground" in e.extra
        }
        self._cache = StickerCache()
        #: Scene id -> its graph, and how its things lie.
        self._planned: dict[str, tuple[Graph, list[Plan] | None]] = {}

    def refuses(self, scene: Scene) -> str | None:
        """Return why this scene cannot be drawn; None when it can."""
        graph = Graph.of(scene)
        reasons = (self._subjects.refuses(thing, scene["subtask"]) for thing in graph.objects)
        reason = next((reason for reason in reasons if reason is not None), None)
        if reason is None:
            arranged = graph.main.span is not None
            if not arranged and len(graph.objects) != 1:
                reason = f"pictograph draws one kind of thing, not {len(graph.objects)}"
            reason = arrangement.refuses(graph) if arranged else reason
        if reason is not None:
            return reason
        background, style = graph.setting.background, graph.setting.style
        if background is not None and background not in backgrounds.LABELS:
            return f"pictograph does not draw the background '{background}'"
        if arrangement.deep(graph) and background not in self._grounds:
            return f"nothing stands nearer or farther before '{background}', which has no ground"
        if style is not None and style not in styles.LABELS:
            return f"pictograph does not draw the style '{style}'"
        above = graph.setting.weather
        if above is not None and above not in weather.LABELS:
            return f"pictograph does not draw the weather '{above}'"
        return self._unplanned(graph, scene) if graph.main.span is not None else None

    def _unplanned(self, graph: Graph, scene: Scene) -> str | None:
        """Why what fulfils all else cannot be arranged."""
        found = self._plans(graph, self._streams(scene))
        if len(self._planned) >= _KEPT:
            self._planned.clear()
        # A shard is first asked which scenes it refuses: they need not be solved twice.
        self._planned[scene["scene_id"]] = graph, found
        if found is None:
            return GIVEN_UP
        for plan in found:
            if plan.subject.chart is not None:
                try:
                    arrangement.drawn_chart(plan, self._size)
                except UserError as error:
                    return f"pictograph does not draw such a chart: {error.what}"
        return None

    def compose(self, scene: Scene) -> Picture:
        """Return the scene before its style."""
        return self._compose(Graph.of(scene), self._streams(scene), scene)

    def _streams(self, scene: Scene) -> _Streams:
        """The scene's random choices; a scene, its twin and what shows it again make the same."""
        item = scene.get("base") or scene.get("pair") or scene["scene_id"]
        return _Streams(*seeding.generator(self._seed, "render", item).spawn(5))

    def _plans(self, graph: Graph, streams: _Streams) -> list[Plan] | None:
        own = arrangement.looks(graph, streams.what)
        subjects = [self._subjects.subject(t, deepcopy(own[graph.look(t)])) for t in graph.objects]
        ground = self._grounds.get(graph.setting.background)
        return arrangement.plans(graph, subjects, self._cache, streams.where, ground)

    def _compose(self, graph: Graph, streams: _Streams, scene: Scene) -> Picture:
        what, where, behind = streams[:3]
        size = self._size * self._supersample
        label = graph.setting.background

        def drawn(side: int) -> Image.Image:
            if label is None:
                return backdrop.plain(side, behind)
            return backgrounds.draw(label, side, behind)

        background = panels.backdrop(graph.panels, size, drawn)
        if graph.main.span is None:
            subject = self._subjects.subject(graph.main, what)
            picture = compose(background, subject, self._cache, where)
        else:
            known, found = self._planned.pop(scene["scene_id"], (None, None))
            if known != graph:
                found = self._plans(graph, streams)
            assert found is not None, "refuses() says which scenes cannot be drawn"
            picture = arrangement.compose(background, found, self._cache)
        picture = _reduced(picture, self._supersample)
        image = weather.overlay(graph.setting.weather, picture.image, streams.air)
        return replace(picture, image=panels.parted(image, graph.panels))

    def draw(self, scene: Scene) -> Depiction:
        """Return the scene as an RGB image of ``render.size`` pixels a side, measured."""
        graph = Graph.of(scene)
        streams = self._streams(scene)
        picture = self._compose(graph, streams, scene)
        styled = Styled(picture.image, ids_of(picture))
        if graph.setting.style is not None:
            styled = styles.styled(graph.setting.style, picture, streams.style)
        assert picture.marked is not None
        whole = styled.whole or styled.ids
        found = measure(styled.image, picture.marked, styled.ids, whole, styled.panels)
        found = standing(found, graph.relations, self._size)
        return Depiction(styled.image, tuple(_told(one, graph) for one in found))


def _told(one: Instance, graph: Graph) -> Instance:
    """An instance with what was drawn there."""
    thing = next(each for each in graph.objects if each.id == one.object)
    return replace(one, label=thing.label, fill=thing.color)


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
