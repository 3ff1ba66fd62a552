"""Print attack: where the text lies, what it changes, how it stands out, and whether it is read."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image
from pydantic import ValidationError

from lvlmbench.config import validate
from lvlmbench.core import seeding
from lvlmbench.core.errors import UserError
from lvlmbench.stages.filter.ocr.kinds.rapidocr import RapidOcr
from lvlmbench.stages.filter.ocr.matching import distance
from lvlmbench.stages.scenario.kinds.print_attack.attack import Look, print_text
from lvlmbench.stages.scenario.kinds.print_attack.checks import texts_printed
from lvlmbench.stages.scenario.kinds.print_attack.colors import BLACK, NAMES, WHITE, rgb_of
from lvlmbench.stages.scenario.kinds.print_attack.fonts import default_font
from lvlmbench.stages.scenario.kinds.print_attack.layout import margin, set_text
from lvlmbench.stages.scenario.kinds.print_attack.legibility import blend, contrast, luminance
from lvlmbench.stages.scenario.kinds.print_attack.settings import POSITIONS, PrintAttack

Pixels = NDArray[np.uint8]
FONT = default_font()
SETTINGS = PrintAttack()  # type: ignore[call-arg]
ATTACK = {"name": "print_attack"}

#: Set to 200 for the count that docs/scenarios.md gives.
SAMPLES = int(os.environ.get("LVLMBENCH_PRINTED_SAMPLES", "60"))

sides = st.integers(120, 330)
channels = st.integers(0, 255)
rgbs = st.tuples(channels, channels, channels)
looks = st.builds(
    Look,
    size=st.sampled_from(SETTINGS.sizes),
    color=st.sampled_from(NAMES) | st.just("#00ffff"),
    opacity=st.sampled_from(SETTINGS.opacities),
    angle=st.sampled_from(SETTINGS.angles) | st.integers(-180, 180),
    position=st.sampled_from(POSITIONS),
)


@cache
def texts() -> list[str]:
    return texts_printed(validate({}))


words = st.deferred(lambda: st.sampled_from(texts()))


def background(kind: str, seed: int, height: int, width: int) -> Pixels:
    """One color, a gradient, noise, black and white in large or in small squares."""
    rng = np.random.default_rng(seed)
    one, other = rng.integers(0, 256, (2, 3))
    if kind == "noise":
        return rng.integers(0, 256, (height, width, 3), dtype=np.uint8)
    y, x = np.mgrid[:height, :width]
    if kind == "gradient":
        share = (x + y)[..., None] / (height + width)
        return np.asarray(one + (other - one) * share, dtype=np.uint8)
    step = {"squares": 24, "texture": 2}.get(kind, 10**6)
    odd = ((x // step + y // step) % 2).astype(np.uint8)[..., None] * np.uint8(255)
    if kind == "plain":
        return np.broadcast_to(one.astype(np.uint8), (height, width, 3)).copy()
    return np.broadcast_to(odd, (height, width, 3)).copy()


kinds = st.sampled_from(["plain", "gradient", "noise", "squares", "texture"])


def printed(pixels: Pixels, text: str, look: Look, **more: Any) -> tuple[Pixels, dict[str, Any]]:
    done = print_text(pixels, text, look, SETTINGS.model_copy(update=more), FONT)
    assert done is not None
    return done


# -- where it lies ---------------------------------------------------------------------------------


@settings(max_examples=150, deadline=None)
@given(words, looks, kinds, st.integers(0, 99), sides, sides)
def test_the_box_is_on_the_image_and_nothing_changes_outside(
    text: str, look: Look, kind: str, seed: int, height: int, width: int
) -> None:
    before = background(kind, seed, height, width)
    before.flags.writeable = False
    after, about = printed(before, text, look)
    x0, y0, x1, y1 = about["box"]
    assert 0 <= x0 < x1 <= width and 0 <= y0 < y1 <= height
    assert after.shape == before.shape and after.dtype == np.uint8
    changed = (after != before).any(axis=2)
    assert changed[y0:y1, x0:x1].sum() == changed.sum()
    # The box is no larger than the text: what is faint at its edges may change nothing.
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if kind in ("plain", "gradient"):
        assert rows[0] - y0 <= 3 and y1 - 1 - rows[-1] <= 3
        assert columns[0] - x0 <= 3 and x1 - 1 - columns[-1] <= 3
    again, same = printed(before, text, look)
    assert np.array_equal(again, after) and same == about
    assert about["contrast"] >= SETTINGS.contrast
    assert about["drawn_opacity"] == look.opacity <= about["opacity"]
    assert about["opacity"] in SETTINGS.opacities
    assert (about["color"], about["angle"]) == (look.color, look.angle)
    assert about["position"] == look.position


@settings(max_examples=60, deadline=None)
@given(words, looks, sides)
def test_all_letters_are_there(text: str, look: Look, side: int) -> None:
    """Turned, the text has as much ink as upright: nothing is cut off."""
    about = printed(background("plain", 0, side, side), text, look)[1]
    upright = set_text(FONT, about["size_px"], about["size_px"], text, 0, (10**4, 10**4))
    free = side - 2 * margin(side)
    turned = set_text(FONT, about["size_px"], SETTINGS.smallest, text, look.angle, (free, free))
    assert upright is not None and turned is not None
    assert turned.size == about["size_px"]
    assert len(turned.lines) == about["lines"] and " ".join(turned.lines) == text
    share = turned.fill.sum(dtype=float) / upright.fill.sum(dtype=float)
    assert 0.98 < share < 1.08  # turned, small letters get a little more
    height, width = turned.fill.shape
    x0, y0, x1, y1 = about["box"]
    assert x1 - x0 <= width <= side and y1 - y0 <= height <= side


def test_positions_are_where_their_names_say() -> None:
    before = background("plain", 1, 300, 300)
    for position in POSITIONS:
        look = Look(0.07, "white", 1.0, 0, position)
        x0, y0, x1, y1 = printed(before, "True", look)[1]["box"]
        x, y = (x0 + x1) / 2, (y0 + y1) / 2
        assert ("left" in position) == (x < 100) and ("right" in position) == (x > 200)
        assert ("top" in position) == (y < 100) and ("bottom" in position) == (y > 200)


def test_an_offset_is_where_the_middle_of_the_text_is() -> None:
    before = background("plain", 1, 400, 600)
    for across, down in ((0.0, 0.0), (0.25, -0.125), (-0.25, 0.25)):
        look = Look(0.07, "white", 1.0, 0, "center", (across, down))
        about = printed(before, "True", look)[1]
        x0, y0, x1, y1 = about["box"]
        assert ((x0 + x1) / 2, (y0 + y1) / 2) == pytest.approx(
            (600 * (0.5 + across), 400 * (0.5 + down)), abs=6
        )
        assert about["offset"] == [across, down] and "position" not in about


@settings(max_examples=60, deadline=None)
@given(words, looks, st.tuples(*[st.floats(-0.5, 0.5)] * 2), sides, sides)
def test_no_offset_moves_the_text_off_the_image(
    text: str, look: Look, offset: tuple[float, float], height: int, width: int
) -> None:
    moved = replace(look, offset=offset)
    x0, y0, x1, y1 = printed(background("plain", 3, height, width), text, moved)[1]["box"]
    assert margin(width) <= x0 < x1 <= width - margin(width)
    assert margin(height) <= y0 < y1 <= height - margin(height)


def test_offsets_are_drawn_after_all_else_and_each_occurs() -> None:
    offsets = (-0.25, 0.0, 0.25)
    both = PrintAttack(offsets=offsets)  # type: ignore[call-arg]
    rngs = [[seeding.generator(1, "x", seeding.item_id(i)) for i in range(200)] for _ in "ab"]
    drawn = [(Look.draw(SETTINGS, a), Look.draw(both, b)) for a, b in zip(*rngs, strict=True)]
    assert all(replace(moved, offset=None) == plain for plain, moved in drawn)
    assert {moved.offset for _, moved in drawn} == {(x, y) for x in offsets for y in offsets}
    with pytest.raises(ValidationError, match="'positions' and 'offsets' exclude each other"):
        PrintAttack(offsets=offsets, positions=("top",))  # type: ignore[call-arg]


@pytest.mark.parametrize("wrong", ["cyan", "#00f", "00ffff", "#00fffg", None, 255])
def test_what_is_no_color_is_told_in_one_line(wrong: Any) -> None:
    with pytest.raises(UserError, match=r'no color; write one of black, .*, or "#rrggbb"') as told:
        validate({"scenarios": {"noisy": [{**ATTACK, "print_attack": {"colors": [wrong]}}]}})
    assert len(str(told.value).splitlines()) == 1


def test_a_color_in_digits_is_printed_and_recorded() -> None:
    own = PrintAttack(colors=["red", "#00FFFF"])  # type: ignore[call-arg, arg-type]
    assert own.colors == ("red", "#00ffff")
    look = Look(0.12, own.colors[1], 1.0, 0, "center")
    after, about = printed(np.zeros((256, 256, 3), np.uint8), "HILL", look)
    assert about["color"] == "#00ffff" and (after == (0, 255, 255)).all(axis=2).sum() > 100


def test_angles_are_counterclockwise() -> None:
    before = background("plain", 1, 300, 300)
    for angle, rises in ((30, True), (-30, False)):
        after = printed(before, "llllllllll", Look(0.07, "white", 1.0, angle, "center"))[0]
        y, x = np.nonzero((after != before).any(axis=2))
        assert (np.polyfit(x, y, 1)[0] < 0) == rises


def test_long_texts_are_broken_and_made_smaller() -> None:
    before = background("plain", 2, 256, 256)
    look = Look(0.12, "black", 1.0, 0, "top")
    broken = printed(before, "Charlie and the Chocolate Factory", look)[1]
    assert broken["lines"] > 1 and broken["size_px"] == 31
    small = printed(before, "Wolfgangamadeusmozart", look)[1]
    assert small["lines"] == 1 and SETTINGS.smallest <= small["size_px"] < 31
    assert printed(before, "fox", look)[1]["size_px"] == 31
    assert printed(background("plain", 2, 64, 64), "fox", look)[1]["size_px"] == 10
    assert print_text(before[:24, :24], "Wolfgang", look, SETTINGS, FONT) is None


def test_every_entry_of_every_list_occurs() -> None:
    drawn = [
        Look.draw(SETTINGS, seeding.generator(1, "scenario/print_attack", seeding.item_id(i)))
        for i in range(2000)
    ]
    for name, entries, n in (
        ("color", SETTINGS.colors, 9),
        ("opacity", SETTINGS.opacities, 4),
        ("angle", SETTINGS.angles, 7),
        ("position", SETTINGS.positions, 9),
        ("size", SETTINGS.sizes, 4),
    ):
        found = Counter(getattr(look, name) for look in drawn)
        assert set(found) == set(entries) and len(entries) == n
        assert min(found.values()) > 0.7 * 2000 / n


# -- how it stands out -----------------------------------------------------------------------------


def wcag(one: Any, other: Any) -> float:
    """Contrast ratio as WCAG 2.2 defines it, in floating point."""
    light = []
    for color in (one, other):
        value = np.asarray(color, dtype=float) / 255
        linear = np.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
        light.append(float(linear @ [0.2126, 0.7152, 0.0722]))
    return (max(light) + 0.05) / (min(light) + 0.05)


def test_contrast_of_known_pairs() -> None:
    def of(one: Any, other: Any) -> float:
        return contrast(
            luminance(np.array([one], np.uint8)), luminance(np.array([other], np.uint8))
        )

    assert of(BLACK, WHITE) == pytest.approx(21, abs=1e-3)
    assert of(WHITE, (118, 118, 118)) == pytest.approx(4.54, abs=0.01)
    assert of((255, 0, 0), WHITE) == pytest.approx(4.0, abs=0.01)
    assert of((9, 8, 7), (9, 8, 7)) == 1


@settings(max_examples=300, deadline=None)
@given(rgbs)
def test_black_or_white_stands_out_from_every_color(rgb: tuple[int, int, int]) -> None:
    assert max(wcag(rgb, BLACK), wcag(rgb, WHITE)) > 4.5


@settings(max_examples=100, deadline=None)
@given(rgbs, looks, st.floats(1, 4.5))
def test_on_one_color_the_contrast_is_that_of_the_stored_pixels(
    rgb: tuple[int, int, int], look: Look, threshold: float
) -> None:
    before = np.full((256, 256, 3), rgb, np.uint8)
    look = replace(look, size=0.12)  # strokes that are wider than their antialiased edges
    after, about = printed(before, "HILL", look, contrast=threshold)
    ink = rgb + (np.array(rgb_of(look.color)) - rgb) * about["opacity"]
    around = {"black": BLACK, "white": WHITE, None: rgb}[about["outline"]]
    assert about["contrast"] == pytest.approx(wcag(np.rint(ink), around), rel=0.02, abs=0.011)
    assert about["contrast"] >= threshold - 0.01
    # The pixels are really there: whole strokes of the ink, and of the outline around them.
    near = np.abs(after.astype(int) - np.rint(ink).astype(int)).max(axis=2) <= 1
    assert near.sum() > 20
    if about["outline"]:
        assert (after == around).all(axis=2).sum() > 20
        bare = rgb + (np.array(rgb_of(look.color)) - rgb) * look.opacity
        assert wcag(np.rint(bare), rgb) < threshold + 0.02


def test_low_contrast_brings_an_outline_and_high_contrast_none() -> None:
    look = Look(0.1, "red", 1.0, 0, "center")
    for color, outline in (((200, 30, 30), "white"), (WHITE, None), (BLACK, "white")):
        about = printed(np.full((256, 256, 3), color, np.uint8), "fox", look)[1]
        assert about["outline"] == outline
    always = printed(np.full((256, 256, 3), 128, np.uint8), "fox", look, contrast=1.0)[1]
    assert always["outline"] is None


def test_where_a_texture_shows_through_the_opacity_is_raised() -> None:
    look = Look(0.12, "blue", 0.25, 15, "center")
    assert printed(background("texture", 0, 256, 256), "fox", look)[1]["opacity"] > 0.25
    assert printed(background("plain", 0, 256, 256), "fox", look)[1]["opacity"] == 0.25
    lone = printed(background("texture", 0, 256, 256), "fox", look, opacities=(0.25,))[1]
    assert lone["opacity"] == 1


@given(st.lists(rgbs, min_size=1, max_size=8), rgbs, channels, st.floats(0.01, 1))
def test_blending_stays_between_its_colors(
    pixels: list[tuple[int, int, int]], color: tuple[int, int, int], coverage: int, opacity: float
) -> None:
    before = np.array(pixels, np.uint8)
    mixed = blend(before, color, np.full(len(before), coverage, np.uint8), opacity).astype(int)
    low, high = np.minimum(before, color), np.maximum(before, color)
    assert (low <= mixed).all() and (mixed <= high).all()
    exact = before + (np.array(color) - before.astype(float)) * opacity * coverage / 255
    assert np.abs(mixed - exact).max() <= 0.7
    assert (blend(before, color, 255) == color).all() and (blend(before, color, 0) == before).all()


# -- reading ---------------------------------------------------------------------------------------


@pytest.mark.long
def test_what_is_printed_on_clean_backgrounds_is_read_back() -> None:
    """By the OCR engine, letter by letter, of nine samples in ten."""
    reader, lost = RapidOcr(None, "test"), []
    for number in range(SAMPLES):
        rng = seeding.generator(0, "reading", seeding.item_id(number))
        before = background("plain", number, 512, 512)
        if number % 2:  # a mild gradient
            before = np.asarray(before * 0.75 + background("gradient", number, 512, 512) * 0.25)
        text = texts()[int(rng.integers(len(texts())))]
        after, about = printed(before.astype(np.uint8), text, Look.draw(SETTINGS, rng))
        if distance(text, reader.read(Image.fromarray(after))) > 0:
            lost.append((text, about))
    print(f"read {SAMPLES - len(lost)} of {SAMPLES}; lost: {lost}")
    assert len(lost) <= SAMPLES // 10, lost
