"""Every kind of corruption at every severity, on images of any size and content."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats
from skimage.util import random_noise

from lvlmbench.stages.scenario.kinds.corruption.kind import CORRUPTIONS, corrupt, scale_of
from lvlmbench.stages.scenario.kinds.corruption.kinds import blur, cover, noise, warp
from lvlmbench.stages.scenario.kinds.corruption.settings import SEVERITIES
from lvlmbench.stages.scenario.pixels import Pixels
from support.foreground_mask import Mask, pictures

KINDS = CORRUPTIONS.names()
kinds = st.sampled_from(KINDS)
severities = st.sampled_from(SEVERITIES)
every = pytest.mark.parametrize("severity", SEVERITIES)
any_kind = pytest.mark.parametrize("kind", KINDS)

#: Kinds that treat a constant image as a map of its one colour and chance alone.
ORDERED = [kind for kind in KINDS if kind != "jpeg_compression"]


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.Generator(np.random.Philox(seed))


@cache
def natural() -> list[tuple[Pixels, Mask]]:
    return pictures(8)


@st.composite
def images(draw: st.DrawFn) -> Pixels:
    """8-bit images, square or not: constant, smooth, or noise."""
    height, width = draw(st.integers(1, 90)), draw(st.integers(1, 90))
    content = draw(st.sampled_from(["black", "white", "any", "smooth"]))
    if content in ("black", "white"):
        return np.full((height, width, 3), 0 if content == "black" else 255, np.uint8)
    found = rng(draw(st.integers(0, 99))).integers(0, 256, (height, width, 3), dtype=np.uint8)
    return found if content == "any" else np.asarray(cv2.blur(found, (9, 9)))


@pytest.mark.long
@settings(max_examples=150, deadline=None)
@given(images(), kinds, severities, st.integers(0, 2**32))
def test_shape_and_type_stay_and_the_same_draws_give_the_same_pixels(
    pixels: Pixels, kind: str, severity: int, seed: int
) -> None:
    before = pixels.copy()
    found, about = corrupt(pixels, kind, severity, rng(seed))
    again, about_again = corrupt(pixels, kind, severity, rng(seed))
    assert found.dtype == np.uint8 and found.shape == pixels.shape
    np.testing.assert_array_equal(found, again)
    assert about == about_again and about
    np.testing.assert_array_equal(pixels, before)  # what is given is not written to


@any_kind
def test_other_draws_give_other_pixels_where_there_is_chance(kind: str) -> None:
    pixels = natural()[0][0]
    outcomes = {corrupt(pixels, kind, 3, rng(seed))[0].tobytes() for seed in range(8)}
    certain = kind in ("gaussian_blur", "jpeg_compression")
    assert len(outcomes) == 1 if certain else len(outcomes) > 1


@any_kind
def test_threads_change_no_pixel(kind: str) -> None:
    pixels = cv2.resize(natural()[1][0], (700, 500))
    try:
        found = []
        for threads in (1, 2, 5):
            cv2.setNumThreads(threads)
            found.append(corrupt(pixels, kind, 4, rng())[0])
    finally:
        cv2.setNumThreads(1)
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


@any_kind
def test_a_read_only_image_will_do(kind: str) -> None:
    pixels = natural()[2][0].copy()
    expected = corrupt(pixels, kind, 2, rng())[0]
    pixels.setflags(write=False)
    np.testing.assert_array_equal(corrupt(pixels, kind, 2, rng())[0], expected)


@any_kind
def test_each_severity_is_further_from_the_clean_image(kind: str) -> None:
    far = []
    for severity in SEVERITIES:
        squares = []
        for number, (pixels, _) in enumerate(natural()):
            found = corrupt(pixels, kind, severity, rng(number))[0]
            squares.append(np.mean((found.astype(float) - pixels) ** 2))
        far.append(float(np.sqrt(np.mean(squares))))
    assert far[0] > 0.5, far
    assert all(nearer < further for nearer, further in pairwise(far)), far


@every
@pytest.mark.parametrize("kind", ORDERED)
def test_a_brighter_image_is_nowhere_darker_after_the_same_draws(kind: str, severity: int) -> None:
    """Integers that wrap around would turn the order over somewhere."""
    values = (0, 1, 40, 128, 214, 254, 255)
    found = [
        corrupt(np.full((64, 80, 3), value, np.uint8), kind, severity, rng(9))[0].astype(int)
        for value in values
    ]
    for darker, brighter in pairwise(found):
        assert (darker <= brighter).all()


@every
@pytest.mark.parametrize(
    "kind", ["motion_blur", "gaussian_blur", "jpeg_compression", "rotation", "shear"]
)
@pytest.mark.parametrize("value", [0, 77, 255])
def test_what_has_no_detail_loses_none(kind: str, severity: int, value: int) -> None:
    pixels = np.full((70, 50, 3), value, np.uint8)
    found = corrupt(pixels, kind, severity, rng())[0].astype(int)
    # A block of a JPEG has one mean, in steps that grow as the quality falls.
    assert np.abs(found - value).max() <= (7 if kind == "jpeg_compression" else 1)


@every
def test_gaussian_noise_on_white_and_black_stays_on_its_side(severity: int) -> None:
    sigma = CORRUPTIONS.get("gaussian_noise", "test").level(severity)["sigma"]
    for value in (0, 255):
        pixels = np.full((256, 256, 3), value, np.uint8)
        found = corrupt(pixels, "gaussian_noise", severity, rng(4))[0].astype(int)
        change = np.abs(found - value) / 255
        assert 0.49 < (change == 0).mean() < 0.52  # half is cut off
        for distance in (sigma, 2 * sigma, 3 * sigma):
            if distance < 1:
                wanted = stats.norm.sf(distance / sigma)
                assert abs((change > distance).mean() - wanted) < 0.01


@every
def test_noise_has_the_moments_of_independent_implementations(severity: int) -> None:
    pixels = np.full((300, 300, 3), 90, np.uint8)
    clean = pixels / 255
    photons = CORRUPTIONS.get("shot_noise", "test").level(severity)["photons"]
    kinds = [CORRUPTIONS.get(k, "test") for k in ("gaussian_noise", "speckle_noise")]
    sigma = {kind.name: kind.level(severity)["sigma"] for kind in kinds}
    wanted = {
        "gaussian_noise": random_noise(clean, "gaussian", rng=1, var=sigma["gaussian_noise"] ** 2),
        "speckle_noise": random_noise(clean, "speckle", rng=1, var=sigma["speckle_noise"] ** 2),
        "shot_noise": np.clip(rng(1).poisson(clean * photons) / photons, 0, 1),
    }
    for kind, expected in wanted.items():
        found = corrupt(pixels, kind, severity, rng(2))[0] / 255  # type: ignore[arg-type]
        assert found.mean() == pytest.approx(expected.mean(), rel=0.01), kind
        assert found.std() == pytest.approx(expected.std(), rel=0.015), kind


@every
def test_as_many_pixels_turn_black_as_white(severity: int) -> None:
    amount = CORRUPTIONS.get("salt_and_pepper_noise", "test").level(severity)["amount"]
    pixels = np.full((400, 300, 3), 90, np.uint8)
    found = corrupt(pixels, "salt_and_pepper_noise", severity, rng())[0]
    for value in (0, 255):
        hit = found == value
        assert (hit.all(axis=2) == hit.any(axis=2)).all()  # whole pixels
        assert hit.mean() == pytest.approx(amount / 2, rel=0.1)
    assert np.isin(found, (0, 90, 255)).all()


def test_uniform_words_are_uniform_and_end_where_they_should() -> None:
    drawn = noise.words(rng(), 100_003)
    assert drawn.shape == (100_003,)
    assert stats.kstest(drawn / 65536, "uniform").pvalue > 1e-3
    np.testing.assert_array_equal(drawn[:77], noise.words(rng(), 77))


@settings(max_examples=60, deadline=None)
@given(st.floats(0.2, 80), st.floats(0, 180))
def test_the_path_of_motion_has_its_length_and_angle(length: float, degrees: float) -> None:
    kernel = blur.path(length, degrees).astype(float)
    side = len(kernel)
    assert kernel.shape == (side, side) and side % 2 == 1
    assert kernel.sum() == pytest.approx(1, abs=1e-5)
    np.testing.assert_allclose(kernel, kernel[::-1, ::-1], atol=0.01)  # its centre stays
    y, x = np.mgrid[:side, :side] - side // 2
    angle = np.deg2rad(degrees)
    along = x * np.cos(angle) - y * np.sin(angle)
    across = x * np.sin(angle) + y * np.cos(angle)
    assert np.sqrt((kernel * along**2).sum()) == pytest.approx(length / np.sqrt(12), abs=0.45)
    assert np.sqrt((kernel * across**2).sum()) < 0.6


@every
def test_holes_are_apart_and_no_more_than_said(severity: int) -> None:
    given_ = CORRUPTIONS.get("coarse_dropout", "test").level(severity)
    for shape in ((512, 512), (300, 731)):
        pixels = np.full((*shape, 3), 200, np.uint8)
        found, about = corrupt(pixels, "coarse_dropout", severity, rng(severity))
        gray = (found == cover.HOLE).all(axis=2)
        count, _, boxes, _ = cv2.connectedComponentsWithStats(gray.astype(np.uint8))
        side = about["side_px"]
        assert side == round(given_["side"] * scale_of(pixels))
        assert count - 1 == about["holes"] > 20
        assert (boxes[1:, cv2.CC_STAT_WIDTH] == side).all()
        assert (boxes[1:, cv2.CC_STAT_HEIGHT] == side).all()
        assert 0.8 * given_["share"] < gray.mean() <= given_["share"]
        assert about["share"] == pytest.approx(gray.mean(), abs=1e-4)


@every
@settings(max_examples=10, deadline=None)
@given(st.integers(0, 1000))
def test_drops_cover_what_is_said_and_can_be_seen_through(severity: int, seed: int) -> None:
    given_ = CORRUPTIONS.get("spatter", "test").level(severity)
    black, white = (
        corrupt(np.full((200, 260, 3), value, np.uint8), "spatter", severity, rng(seed))
        for value in (0, 255)
    )
    assert black[1]["share"] == pytest.approx(given_["share"], abs=0.03)
    # What lies under a drop is seen with what its opacity leaves.
    contrast = white[0].astype(float) - black[0]
    assert contrast.min() >= 255 * (1 - given_["opacity"]) - 2
    assert given_["opacity"] <= 0.75


@every
def test_drops_do_not_run_together(severity: int) -> None:
    for seed in range(5):
        level = CORRUPTIONS.get("spatter", "test").level(severity)
        mask = cover.drops((512, 512), rng(seed), level["share"]) > 0.5
        _, _, boxes, _ = cv2.connectedComponentsWithStats(mask.astype(np.uint8))
        widths = np.sqrt(boxes[1:, cv2.CC_STAT_AREA]) / 512
        assert np.quantile(widths, 0.95) < 0.03 and widths.max() < 0.07


def test_drops_are_as_large_in_a_larger_image() -> None:
    def width(side: int) -> float:
        mask = cover.drops((side, side), rng(3), 0.15) > 0.5
        edges = (np.diff(mask.astype(int), axis=1) == 1).sum()
        return float(mask.sum() / edges / side)

    assert width(256) == pytest.approx(width(1024), rel=0.15)


LINEAR = [
    *(
        warp.turned(sign * CORRUPTIONS.get("rotation", "test").level(s)["degrees"])
        for s in SEVERITIES
        for sign in (1, -1)
    ),
    *(
        warp.sheared(sign * CORRUPTIONS.get("shear", "test").level(s)["factor"], axis)
        for s in SEVERITIES
        for sign in (1, -1)
        for axis in "xy"
    ),
]


@pytest.mark.parametrize("shape", [(128, 128), (60, 128), (128, 90)])
def test_the_foreground_stays_on_the_canvas(shape: tuple[int, int]) -> None:
    height, width = shape
    for _, mask in natural():
        cut = mask[:height, :width]
        ys, xs = np.nonzero(cut)
        for linear in LINEAR:
            matrix = warp.fitted(linear, height, width)
            x, y = matrix @ np.stack([xs, ys, np.ones(len(xs))])
            inside = (x > -0.5) & (x < width - 0.5) & (y > -0.5) & (y < height - 0.5)
            assert inside.mean() >= 0.9
            assert inside.all()  # indeed nothing is cropped
            moved = cv2.warpAffine(cut.astype(np.float32), matrix, (width, height))
            area = abs(np.linalg.det(matrix[:, :2]))
            assert moved.sum() / (area * cut.sum()) > 0.9


@settings(max_examples=80, deadline=None)
@given(st.integers(2, 400), st.integers(2, 400), st.sampled_from(LINEAR))
def test_corners_are_in_view_and_as_large_as_they_can_be(
    height: int, width: int, linear: warp.Matrix
) -> None:
    matrix = warp.fitted(linear, height, width)
    corners = [(x, y, 1) for x in (-0.5, width - 0.5) for y in (-0.5, height - 0.5)]
    x, y = matrix @ np.array(corners).T
    slack = [x.min() + 0.5, width - 0.5 - x.max(), y.min() + 0.5, height - 0.5 - y.max()]
    assert min(slack) == pytest.approx(0, abs=1e-6)
    middle = np.array([(width - 1) / 2, (height - 1) / 2, 1])
    np.testing.assert_allclose(matrix @ middle, middle[:2], atol=1e-6)


@every
@pytest.mark.parametrize("kind", ["rotation", "shear"])
def test_the_recorded_map_tells_where_things_went(kind: str, severity: int) -> None:
    pixels = np.full((160, 240, 3), 30, np.uint8)
    spot = (60, 110)  # x, y
    cv2.circle(pixels, spot, 6, (255, 255, 255), -1)
    found, about = corrupt(pixels, kind, severity, rng(severity))
    assert about["fill"] == [30, 30, 30]
    ys, xs = np.nonzero(found[:, :, 0] > 140)
    went = np.array(about["matrix"]) @ np.array([*spot, 1])
    np.testing.assert_allclose([xs.mean(), ys.mean()], went, atol=0.3)
    assert len(set(found.reshape(-1, 3)[:, 0].tolist())) > 1


@pytest.mark.parametrize("severity", SEVERITIES)
def test_the_recorded_numbers_give_the_same_pixels(severity: int) -> None:
    """On a side whose lengths have many decimals; what is drawn pixel by pixel aside."""
    pixels = np.random.default_rng(3).integers(0, 256, (331, 347, 3), np.uint8)
    found, about = corrupt(pixels, "motion_blur", severity, rng())
    again = blur.motion(pixels, about["length_px"], about["degrees"])
    np.testing.assert_array_equal(again, found)
    found, about = corrupt(pixels, "gaussian_blur", severity, rng())
    np.testing.assert_array_equal(blur.gaussian(pixels, about["sigma_px"]), found)
    moved: tuple[str, ...] = ("rotation", "shear")
    for kind in moved:
        found, about = corrupt(pixels, kind, severity, rng())
        np.testing.assert_array_equal(warp.warped(pixels, np.array(about["matrix"])), found)
        assert about["fill"] == list(warp.edge_colour(pixels))


def test_angles_are_drawn_to_both_sides_and_shears_along_both_axes() -> None:
    pixels = natural()[0][0]
    turns = [corrupt(pixels, "rotation", 3, rng(seed))[1]["degrees"] for seed in range(30)]
    assert set(turns) == {15, -15}
    shears = [corrupt(pixels, "shear", 3, rng(seed))[1] for seed in range(40)]
    assert {(s["factor"], s["axis"]) for s in shears} == {
        (f, a) for f in (0.24, -0.24) for a in "xy"
    }


def test_lengths_grow_with_the_image() -> None:
    small, large = np.zeros((512, 600, 3), np.uint8), np.zeros((1024, 1100, 3), np.uint8)
    for kind, name in (
        ("motion_blur", "length_px"),
        ("gaussian_blur", "sigma_px"),
        ("coarse_dropout", "side_px"),
    ):
        of_small, of_large = (corrupt(pixels, kind, 3, rng())[1][name] for pixels in (small, large))
        assert of_large == pytest.approx(2 * of_small)


def test_a_severity_that_there_is_not() -> None:
    with pytest.raises(ValueError, match="no severity 6"):
        CORRUPTIONS.get("shear", "test").level(6)
