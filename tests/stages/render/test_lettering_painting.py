"""Ink on a surface: it stands out, takes the light and the grain, and nothing else changes."""

from __future__ import annotations

import cv2
import numpy as np
import numpy.typing as npt
import pytest

from lvlmbench.stages.render.kinds.diffusion.text.lettering import ink, painting, typeset
from lvlmbench.stages.render.kinds.diffusion.text.lettering.places import best_place
from support.lettering_scenes import SIGNS, sign

FACE = typeset.FACES[0]


def painted(
    picture: npt.NDArray[np.uint8], word: str = "mountain"
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_], ink.Ink]:
    """The picture with the word, where letters cover it wholly, and the ink."""
    place = best_place(picture, typeset.proportion(word, FACE))
    side = picture.shape[0]
    out, chosen = painting.paint(picture, word, FACE, place.corners, place.surface)
    cover = typeset.warped(word, FACE, place.corners, (0, 0, side, side), side)
    return out, cv2.erode(cover, np.ones((3, 3), np.uint8)) > 250, chosen


def contrast(out: npt.NDArray[np.uint8], inside: npt.NDArray[np.bool_]) -> float:
    """Between the letters and what is right around them."""
    near = cv2.dilate(inside.astype(np.uint8), np.ones((15, 15), np.uint8)) > 0
    clear = cv2.dilate(inside.astype(np.uint8), np.ones((9, 9), np.uint8)) == 0
    bright = ink.luminance(ink.light_of(out))
    return ink.ratio(float(bright[inside].mean()), float(bright[near & clear].mean()))


@pytest.mark.parametrize(
    ("color", "dark"),
    [
        ((235, 230, 220), True),
        ((240, 205, 70), True),
        ((30, 32, 36), False),
        ((30, 80, 160), False),
        ((190, 40, 35), False),
        ((118, 118, 118), True),
    ],
)
def test_ink_stands_out(color: tuple[int, int, int], dark: bool) -> None:
    out, inside, chosen = painted(sign(SIGNS["from the left"], color))
    assert (float(ink.luminance(chosen.color)) < 0.1) is dark
    assert chosen.outline is None
    assert contrast(out, inside) > 4.0  # grain and blur take a little off what ink is chosen for
    assert chosen.contrast >= ink.LEAST


def test_a_mottled_surface_gets_an_outline() -> None:
    picture = sign(SIGNS["straight"], (120, 120, 120), mottled=0.0)
    rng = np.random.default_rng(6)
    stains = rng.integers(0, 2, (22, 40), dtype=np.uint8) * np.uint8(205) + np.uint8(25)
    large = cv2.resize(stains, (280, 154), interpolation=cv2.INTER_NEAREST)
    picture[179:333, 116:396] = large[..., None]
    corners = np.array([[140, 220], [372, 220], [372, 290], [140, 290]], np.float32)
    _, chosen = painting.paint(picture, "mountain", FACE, corners, corners)
    assert chosen.outline is not None
    assert chosen.contrast > 12


def test_ink_is_lit_as_the_surface_is() -> None:
    picture = sign(SIGNS["straight"], (60, 60, 64), light=(0.45, 1.3), grain=0)
    out, inside, _ = painted(picture)
    bright = ink.luminance(ink.light_of(out))
    across = np.nonzero(inside)[1]
    left, right = np.quantile(across, (0.25, 0.75))
    columns = np.broadcast_to(np.arange(512)[None, :], inside.shape)
    dim = bright[inside & (columns < left)].mean()
    lit = bright[inside & (columns > right)].mean()
    assert lit > 1.25 * dim


def test_grain_goes_on_in_the_letters() -> None:
    def grain(picture: npt.NDArray[np.uint8]) -> float:
        """How much neighbors in the letters differ."""
        out, inside, _ = painted(picture)
        steps = np.diff(out[..., 1].astype(int), axis=1)
        return float(steps[inside[:, 1:] & inside[:, :-1]].std())

    assert grain(sign(SIGNS["straight"], (40, 40, 44), grain=0)) < 2
    assert grain(sign(SIGNS["straight"], (40, 40, 44), grain=6)) > 5


def test_letters_are_as_soft_as_the_picture() -> None:
    sharp = sign(SIGNS["straight"], grain=0)
    soft = cv2.GaussianBlur(sharp, (0, 0), 2.5)
    gray = [cv2.cvtColor(picture, cv2.COLOR_RGB2GRAY) for picture in (sharp, soft)]
    measured = [painting.softness(each) for each in gray]
    assert measured[0] < 1.6 < measured[1]

    def steepest(picture: npt.NDArray[np.uint8]) -> int:
        out, _, _ = painted(picture)
        return int(np.abs(np.diff(out[..., 1].astype(int), axis=1)).max())

    assert steepest(np.asarray(soft)) < 0.75 * steepest(sharp)


def test_nothing_changes_away_from_the_word() -> None:
    picture = sign(SIGNS["from the right"])
    before = picture.copy()
    out, inside, _ = painted(picture)
    far = cv2.dilate(inside.astype(np.uint8), np.ones((31, 31), np.uint8)) == 0
    assert np.array_equal(out[far], before[far])
    assert np.array_equal(picture, before)
    assert not np.array_equal(out, before)


def test_ink_keeps_to_the_palette() -> None:
    gray = cv2.cvtColor(sign(SIGNS["straight"]), cv2.COLOR_RGB2GRAY)
    out, _, _ = painted(np.repeat(gray[..., None], 3, axis=2))
    assert np.array_equal(out[..., 0], out[..., 2])


@pytest.mark.parametrize("face", typeset.FACES)
def test_letters_fill_their_box(face: str) -> None:
    letters = typeset.letters("jazzy", face, 64)
    assert letters.shape[1] / letters.shape[0] == pytest.approx(
        typeset.proportion("jazzy", face), rel=0.05
    )
    for edge in (letters[0], letters[-1], letters[:, 0], letters[:, -1]):
        assert edge.max() > 0
