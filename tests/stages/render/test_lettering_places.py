"""Where words go: surfaces are found as they stand, and words lie on them."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from lvlmbench.stages.render.kinds.diffusion.text.lettering import plane, typeset
from lvlmbench.stages.render.kinds.diffusion.text.lettering.places import best_place
from support.lettering_scenes import SIGNS, clutter, sign

SIZE = 512


@pytest.mark.parametrize("name", SIGNS)
def test_a_sign_in_perspective_is_found(name: str) -> None:
    place = best_place(sign(SIGNS[name]), 3.0)
    assert place.kind == "quad"
    assert np.abs(place.surface / SIZE - np.array(SIGNS[name])).max() < 0.015


@pytest.mark.parametrize("color", [(30, 32, 36), (190, 40, 35), (60, 110, 190), (240, 205, 70)])
def test_the_color_of_the_sign_does_not_matter(color: tuple[int, int, int]) -> None:
    corners = SIGNS["from the left"]
    place = best_place(sign(corners, color, light=(0.7, 1.1)), 3.0)
    assert np.abs(place.surface / SIZE - np.array(corners)).max() < 0.025


@pytest.mark.parametrize("word", ["go", "owl", "mountain", "responsibility"])
@pytest.mark.parametrize("name", SIGNS)
def test_the_word_lies_on_the_sign_with_a_margin(name: str, word: str) -> None:
    proportion = typeset.proportion(word, typeset.FACES[0])
    place = best_place(sign(SIGNS[name]), proportion)
    outline = (np.array(SIGNS[name], np.float32) * SIZE).reshape(-1, 1, 2)
    for corner in place.corners:
        inside = cv2.pointPolygonTest(outline, tuple(float(v) for v in corner), True)
        assert inside > 0.005 * SIZE
    # Its lines run as the sign's do, and it keeps its proportions there.
    back = np.linalg.inv(plane.from_unit(place.surface))
    (left, top), (right, top2), (right2, bottom), (left2, bottom2) = plane.through(
        back, place.corners
    )
    assert np.allclose([top, right, bottom, left], [top2, right2, bottom2, left2], atol=1e-3)
    own = (right - left) / (bottom - top) * plane.proportions(place.surface / SIZE * 256, 256)
    assert own == pytest.approx(proportion, rel=0.05)
    # In the middle of an empty sign.
    assert (left + right) / 2 == pytest.approx(0.5, abs=0.06)
    assert (top + bottom) / 2 == pytest.approx(0.5, abs=0.06)


def test_a_word_fills_what_there_is() -> None:
    place = best_place(sign(SIGNS["straight"]), 4.0)
    across = float(np.ptp(place.corners[:, 0])) / SIZE
    assert 0.35 < across < 0.56


def test_what_is_on_the_sign_is_kept_clear_of() -> None:
    picture = sign(SIGNS["straight"])
    for x in (170, 342):
        cv2.rectangle(picture, (x, 195), (x + 8, 317), (20, 20, 20), -1)
    place = best_place(picture, 4.0)
    assert place.corners[:, 0].min() > 178 + 6
    assert place.corners[:, 0].max() < 342 - 6


def test_without_a_surface_there_is_a_place_all_the_same() -> None:
    place = best_place(clutter(), 3.0)
    assert place.kind == "picture"
    assert place.corners.min() >= 0
    assert place.corners.max() <= 256
    width, height = np.ptp(place.corners, axis=0)
    assert width / height == pytest.approx(3.0, rel=0.01)


def test_a_picture_of_one_color_has_a_place() -> None:
    place = best_place(np.full((128, 128, 3), 90, np.uint8), 12.0)
    assert place.corners.min() >= 0
    assert place.corners.max() <= 128


def test_the_same_picture_gives_the_same_place() -> None:
    picture = sign(SIGNS["turned"])
    one, other = (best_place(picture, 3.0) for _ in range(2))
    assert np.array_equal(one.corners, other.corners)


def test_proportions_of_a_slanted_square_are_those_of_a_square() -> None:
    angle, side, focal = 0.9, 256, 1.2 * 256
    flat = np.array([[-40, -40], [40, -40], [40, 40], [-40, 40]], np.float64)
    depth = focal + flat[:, 0] * np.sin(angle)
    seen = np.stack([flat[:, 0] * np.cos(angle), flat[:, 1]], axis=1) * focal / depth[:, None]
    corners = (seen + side / 2).astype(np.float32)
    assert plane.proportions(corners, side) == pytest.approx(1.0, abs=0.01)
    assert np.ptp(corners[:, 0]) < 0.7 * np.ptp(corners[:, 1])


@pytest.mark.parametrize("turn", range(4))
@pytest.mark.parametrize("clockwise", [True, False])
def test_corners_are_put_in_reading_order(turn: int, clockwise: bool) -> None:
    corners = np.array(SIGNS["turned"], np.float32)
    shuffled = np.roll(corners if clockwise else corners[::-1], turn, axis=0)
    assert np.allclose(plane.in_reading_order(shuffled), corners)
