"""Landmarks drawn here: each has its label, and no two look alike."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest
from PIL import Image

from lvlmbench.scene.graph import Graph
from lvlmbench.stages.render.kinds.pictograph.landmarks import LANDMARKS
from lvlmbench.stages.render.kinds.pictograph.raster import StickerCache, probe
from lvlmbench.stages.render.kinds.pictograph.subjects import Subjects
from support.render_scenes import drawable, scene, vocabulary

#: Side, in pixels, at which pictures are held against each other.
SIDE = 64


def picture(label: str) -> np.ndarray:
    """A landmark in the middle of a white square."""
    (thing,) = Graph.of(scene("landmark", label)).objects
    art = Subjects(vocabulary()).subject(thing, np.random.default_rng(0)).art
    rgb = StickerCache().sticker(art, SIDE).rgb
    square = Image.new("RGB", (max(rgb.size),) * 2, "white")
    square.paste(rgb, ((square.width - rgb.width) // 2, (square.height - rgb.height) // 2))
    return np.asarray(square.resize((SIDE, SIDE)), dtype=np.int16)


def test_each_drawing_has_one_label() -> None:
    entries = vocabulary().lists["landmark"].entries
    named = [e.extra["pictograph_landmark"] for e in entries if "pictograph_landmark" in e.extra]
    assert sorted(named) == sorted(LANDMARKS)
    assert len(drawable("landmark")) >= 20


def test_no_two_that_are_asked_against_each_other_look_alike() -> None:
    listing = vocabulary().lists["landmark"]
    shown = {label: picture(label) for label in drawable("landmark")}
    for one, other in combinations(shown, 2):
        if other not in listing.alike(one):
            differ = np.abs(shown[one] - shown[other]).max(axis=2) > 60
            assert differ.mean() > 0.15, (one, other)
    # Those that share a group are never options together.
    assert "Arc de Triomphe" in listing.alike("Brandenburg Gate")


@pytest.mark.parametrize("name", LANDMARKS)
def test_drawings_fill_their_view_in_whole_numbers(name: str) -> None:
    drawn = LANDMARKS[name]
    source = drawn.svg()
    assert not re.search(r"\d\.\d|[eE]-?\d+[ ,\"]", re.sub(r"#[0-9a-f]{6}", "", source))
    left, top, right, bottom = probe(source, drawn.view)
    assert right - left > 0.55 * drawn.view[0] and bottom - top > 0.8 * drawn.view[1]


def test_the_tower_leans_more_than_anything_is_tilted() -> None:
    pixels = picture("Leaning Tower of Pisa").min(axis=2) < 120
    rows = [np.flatnonzero(pixels[y]).mean() for y in (10, SIDE * 2 // 3)]
    # Nothing that stands is tilted by more than three degrees, which is one in nineteen.
    assert (rows[0] - rows[1]) / (SIDE * 2 // 3 - 10) > 1 / 9
