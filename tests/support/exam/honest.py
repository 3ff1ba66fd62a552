"""Layouts held against the pixels: pictures are drawn again without one of their things.

Pictures are taken before their style. Those whose style moves or hides things are left out.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple, TypeAlias
from unittest import mock

import numpy as np
import numpy.typing as npt
from PIL import Image

from lvlmbench.config import Params
from lvlmbench.scene.graph import Graph
from lvlmbench.stages.render.kinds.pictograph import arrangement, styles
from lvlmbench.stages.render.kinds.pictograph.picture import ids_of
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from support.exam.made import drawn, params_of
from support.render_scenes import vocabulary

Bools: TypeAlias = npt.NDArray[np.bool_]
Pixels: TypeAlias = npt.NDArray[np.int16]
Row: TypeAlias = Mapping[str, Any]

#: How far a shadow reaches beyond a thing, and what a resampled edge adds, as shares of a side.
SHADOW, EDGE = 0.06, 0.006
#: Of the share of a thing that can be seen.
NEAR = 0.02
#: Least difference of a pixel, of 255.
_DIFFERENT = 6
#: Colors that a thing is painted in to see where it is.
_TWO = ((255, 0, 255), (0, 255, 0))


class Honesty(NamedTuple):
    """What came of a thing: whether all that changes lies in its box, and how much of it is seen
    by its layout and by the pixels."""

    label: str
    inside: bool
    said: float
    seen: float

    @property
    def holds(self) -> bool:
        """Whether its layout tells what the pixels show."""
        return self.inside and abs(self.said - self.seen) <= NEAR


class Without(PictographRenderer):
    """Draws pictures as they are, but for some things that it leaves out or paints."""

    keep: Any = None

    def _plans(self, graph: Graph, streams: Any) -> list[arrangement.Plan] | None:
        found = super()._plans(graph, streams)
        if found is None or self.keep is None:
            return found
        return [plan for plan in found if self.keep((plan.object.id, plan.copy))]

    def pixels(self, scene: Any, keep: Any = None) -> Pixels:
        """Return a picture, before its style, of the things that are kept."""
        self.keep = keep
        return np.asarray(self.compose(scene).image).astype(np.int16)

    def shape(
        self, scene: Any, one: tuple[str, int], keep: Any = None, share: float = 0.5
    ) -> Bools:
        """Return where a thing can be seen among those that are kept: what changes with its
        color, by at least this share of what it changes where nothing hides it."""
        drawn = arrangement._drawn
        pictures = []
        for color in _TWO:

            def painted(plan: arrangement.Plan, *given: Any, color: Any = color) -> Any:
                rgb, coverage, ink = drawn(plan, *given)
                if (plan.object.id, plan.copy) == one:
                    rgb = Image.new("RGB", rgb.size, color)
                return rgb, coverage, ink

            with mock.patch.object(arrangement, "_drawn", painted):
                pictures.append(self.pixels(scene, keep))
        most = int(np.abs(pictures[0] - pictures[1]).max())  # in fog colors lie closer
        return _changed(pictures[0], pictures[1], max(int(most * share), _DIFFERENT))

    def moves(self, scene: Any) -> bool:
        """Return whether a picture's style shows things elsewhere than they are before it, as a
        lens does, or hides some."""
        self.keep, graph, streams = None, Graph.of(scene), self._streams(scene)
        picture = self._compose(graph, streams, scene)
        if graph.setting.style is None:
            return False
        after = styles.styled(graph.setting.style, picture, streams.style).ids
        return bool((np.asarray(after) != np.asarray(ids_of(picture))).any())


def _changed(a: Pixels, b: Pixels, by: int = _DIFFERENT) -> Bools:
    changed: Bools = np.abs(a - b).max(axis=2) > by
    return changed


def _box(row: Row, side: int, grown: float) -> Bools:
    out = np.zeros((side, side), dtype=np.bool_)
    left, top, right, bottom = (row["box"][edge] for edge in ("left", "top", "right", "bottom"))
    by = round(grown * side)
    out[max(0, top - by) : bottom + by, max(0, left - by) : right + by] = True
    return out


def honesty(renderer: Without, scene: Any, row: Row, side: int) -> Honesty:
    """Hold the layout of one thing against pictures with and without it, and of it alone."""
    mine = (row["object"], row["copy"])
    whole, rest = renderer.pixels(scene), renderer.pixels(scene, lambda one: one != mine)
    inside = not (_changed(whole, rest) & ~_box(row, side, SHADOW)).any()
    shown = renderer.shape(scene, mine)
    alone = renderer.shape(scene, mine, lambda one: one == mine)
    inside &= not (shown & ~_box(row, side, EDGE)).any()
    return Honesty(row["label"], bool(inside), row["visible"], float(shown.sum() / alone.sum()))


def sample(params: Params, number: int, seed: int) -> list[Honesty]:
    """Return what came of so many things, each of another picture of an exam as far as they go."""
    exam, draws = drawn(params), random.Random(seed)
    renderer, found = Without(params, vocabulary()), []
    rows: dict[str, list[Any]] = {}
    for row in exam.layouts.to_pylist():
        if row["box"] is not None and row["part"] is None:
            rows.setdefault(row["scene_id"], []).append(row)
    tried = Counter(exam.attempts["scene_id"].to_pylist())  # those drawn anew lie otherwise
    once = {name for name in rows if tried[name] == 1}
    scenes = [scene for scene in exam.scenes.to_pylist() if scene["scene_id"] in once]
    draws.shuffle(scenes)
    still = (scene for scene in scenes if not renderer.moves(scene))
    for scene in islice(still, number):
        row = draws.choice(rows[scene["scene_id"]])
        found.append(honesty(renderer, scene, row, params.render.size))
    return found


def main(arguments: Sequence[str]) -> int:
    """Print how many layouts tell what the pixels show; 1 unless all do."""
    parser = argparse.ArgumentParser(prog="python -m tests.planted layouts", description=__doc__)
    parser.add_argument("--number", type=int, default=300, help="things (300)")
    parser.add_argument("--rounds", type=int, default=2, help="72 scenes a request each (2)")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args(arguments)
    found = sample(params_of(args.rounds, seed=args.seed), args.number, args.seed)
    good = sum(each.holds for each in found)
    print(f"{good} of {len(found)} layouts tell what the pixels show")
    for each in found:
        if not each.holds:
            seen = f"visible: {each.said:.3f}, in pixels {each.seen:.3f}"
            print(f"{each.label}: inside: {each.inside}, {seen}")
    return int(good < len(found))
