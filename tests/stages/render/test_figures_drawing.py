"""Full-length figures: each garment and thing shows in its color, and figures stay in the frame."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from lvlmbench.core.seeding import generator
from lvlmbench.scene.figures import labels as known
from lvlmbench.scene.figures.figure import VIEW, Figure
from lvlmbench.scene.figures.labels import COLORS, PLACES
from lvlmbench.scene.figures.rules import refuses
from lvlmbench.scene.figures.sampling import sample
from lvlmbench.stages.render.kinds.pictograph.figures import figure_svg
from lvlmbench.stages.render.kinds.pictograph.raster import probe, rasterize
from support.render_scenes import vocabulary

PLAIN = Figure(
    "adult", "woman", "1F3FD", "neutral", "short", "black", "none", (), "standing"
)  # fmt: skip


def rgb(color: str) -> np.ndarray:
    return np.array([int(COLORS[color][i : i + 2], 16) for i in (1, 3, 5)])


@cache
def pixels(figure: Figure) -> np.ndarray:
    """The figure, about 200 pixels high where it stands, shape (h, w, 4)."""
    return np.asarray(rasterize(figure_svg(figure), VIEW[0])).astype(int)


def near(image: np.ndarray, color: str) -> np.ndarray:
    return (np.abs(image[..., :3] - rgb(color)).max(axis=2) <= 4) & (image[..., 3] > 250)


def dressed(kind: str, color: str) -> tuple[Figure, Figure]:
    """A figure with the garment, and the same without it (a top: in another color)."""
    other = "green" if color != "green" else "red"
    base = (("sweater", other), ("skirt" if kind != "coat" else "trousers", other))
    place = PLACES[kind]
    if kind == "dress":
        base = (("dress", other),)
    rest = tuple(item for item in base if PLACES[item[0]] != place)
    with_it = replace(PLAIN, garments=((kind, color), *rest))
    if place == "top":
        return with_it, replace(PLAIN, garments=((kind, other), *rest))
    return with_it, replace(PLAIN, garments=rest)


@pytest.mark.sampled(9)
@pytest.mark.parametrize("kind", known.GARMENTS)
def test_a_garment_changes_pixels_and_has_its_color(kind: str) -> None:
    for color in COLORS:
        with_it, without = dressed(kind, color)
        a, b = pixels(with_it), pixels(without)
        changed = (a != b).any(axis=2)
        assert changed.sum() > 60, color
        shown = (near(a, color) & changed).sum()
        assert shown >= 0.2 * changed.sum() or shown > 150, (color, shown, changed.sum())
        assert shown > near(b, color)[changed].sum() + 40, (color, shown)


@pytest.mark.parametrize("thing", known.THINGS)
def test_a_held_thing_shows_in_its_color_in_every_action_that_allows_it(thing: str) -> None:
    for number, color in enumerate(COLORS):
        garments = (("T-shirt", "gray" if color != "gray" else "red"), ("trousers", "orange"))
        if color == "orange":
            garments = (garments[0], ("trousers", "purple"))
        action = known.ONE_HANDED[number % len(known.ONE_HANDED)]
        empty = replace(PLAIN, garments=garments, action=action)
        a, b = pixels(replace(empty, held=(thing, color))), pixels(empty)
        assert near(a, color).sum() - near(b, color).sum() > 120, (color, action)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("age", known.AGES)
@pytest.mark.parametrize("gender", known.GENDERS)
def test_figures_stay_in_the_view_and_stand_on_the_ground(age: str, gender: str) -> None:
    for action in known.ACTIONS:
        for held in (None, *((thing, "blue") for thing in known.THINGS)):
            if held and action not in known.ONE_HANDED:
                continue
            for hair, garments in (
                ("mohawk", (("coat", "red"), ("trousers", "blue"), ("cape", "red"))),
                ("pigtails", (("dress", "red"), ("top hat", "blue"), ("boots", "red"))),
            ):
                figure = replace(PLAIN, age=age, gender=gender, action=action, hair=hair,
                                 garments=garments, held=held)  # fmt: skip
                alpha = np.asarray(rasterize(figure_svg(figure), 110))[..., 3]
                edges = alpha[0], alpha[-1], alpha[:, 0], alpha[:, -1]
                assert not any(edge.any() for edge in edges), figure
                low = np.nonzero(alpha.any(axis=1))[0].max() / len(alpha) * VIEW[1]
                assert 248 <= low <= 261, (figure, low)


def test_ages_differ_in_height() -> None:
    garments = (("T-shirt", "red"), ("trousers", "blue"), ("belt", "black"))
    heights = {}
    for age in known.AGES:
        box = probe(figure_svg(replace(PLAIN, age=age, garments=garments, hair="bald")), VIEW)
        heights[age] = box[3] - box[1]
    assert heights["child"] * 1.2 < heights["elderly"] < heights["adult"] * 0.95


@pytest.mark.parametrize(
    ("attribute", "choices"),
    [
        ("age", known.AGES),
        ("gender", known.GENDERS),
        ("skin", tuple(known.SKIN)),
        ("expression", known.EXPRESSIONS),
        ("hair", known.HAIR_STYLES),
        ("hair_color", tuple(known.HAIR_COLORS)),
        ("beard", known.BEARDS),
        ("action", known.ACTIONS),
    ],
)
def test_every_label_draws_something_else(attribute: str, choices: tuple[str, ...]) -> None:
    garments = (("T-shirt", "red"), ("trousers", "blue"), ("belt", "black"))
    drawn = [pixels(replace(PLAIN, garments=garments, **{attribute: c})) for c in choices]
    for i, a in enumerate(drawn):
        for b in drawn[:i]:
            assert (a != b).any(axis=2).sum() > 25


def test_black_garments_show_their_seams_and_white_ones_their_outline() -> None:
    garments = (("jacket", "black"), ("trousers", "black"), ("boots", "black"))
    black = pixels(replace(PLAIN, garments=garments))
    gray = np.abs(black[..., :3] - 0x68).max(axis=2) < 8
    assert (gray & (black[..., 3] > 250)).sum() > 300
    garments = (("jacket", "white"), ("trousers", "white"), ("boots", "white"))
    white = pixels(replace(PLAIN, garments=garments))
    solid = white[..., 3] > 250
    rim = solid & ~(np.roll(solid, 1, 0) & np.roll(solid, -1, 0)
                    & np.roll(solid, 1, 1) & np.roll(solid, -1, 1))  # fmt: skip
    assert near(white, "white")[rim].mean() < 0.05


def test_the_svg_fits_the_rasterizer_and_keeps_to_short_numbers() -> None:
    for i in range(60):
        svg = figure_svg(sample(generator(5, "figures", str(i))))
        root = svg[: svg.index(">")]
        assert f'viewBox="0 0 {VIEW[0]} {VIEW[1]}"' in root
        assert "width" not in root and "height" not in root
        assert not re.search(r"\d\.\d{5,}|nan|inf", svg)
        assert len(svg) < 30_000


def test_colors_are_those_of_the_vocabulary() -> None:
    entries = vocabulary().lists["color"].entries
    given = {e.label: "#" + "".join(f"{c:02x}" for c in e.extra["rgb"]) for e in entries}
    assert given == COLORS


def test_a_figure_without_a_top_is_refused_and_not_drawn() -> None:
    bare = replace(PLAIN, garments=(("trousers", "red"), ("belt", "red"), ("cap", "red")))
    assert refuses(bare) == "nothing covers the trunk"
    with pytest.raises(ValueError, match="trunk"):
        figure_svg(bare)
