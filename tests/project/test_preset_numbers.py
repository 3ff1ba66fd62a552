"""profiles/dysca.yaml against the numbers of the published code, in that code's own units."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from lvlmbench.config import Params
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.config.layers import load_layers
from lvlmbench.stages.filter.kinds.clip import Clip
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion
from lvlmbench.stages.scenario.kinds.corruption.kind import CORRUPTIONS, corrupt, scale_of
from lvlmbench.stages.scenario.kinds.corruption.settings import SEVERITIES, Corruption
from lvlmbench.stages.scenario.kinds.print_attack.colors import rgb_of
from lvlmbench.stages.scenario.kinds.print_attack.settings import PrintAttack
from lvlmbench.stages.score.strategy import read_choice
from support import published_code as theirs

#: Which number of a kind is a length.
LENGTHS = {"motion_blur": "length", "gaussian_blur": "sigma", "coarse_dropout": "side"}


@pytest.fixture(scope="module")
def preset() -> Params:
    files = (PROJECT_ROOT / name for name in ("params.yaml", "profiles/dysca.yaml"))
    return load_layers([*files]).suite("dysca")


@pytest.fixture(scope="module")
def given(preset: Params) -> dict[str, list[dict[str, float]]]:
    """Kind -> the numbers of each severity, by their names, lengths in pixels of an image."""
    (settings,) = (s.own(Corruption) for s in preset.scenarios.noisy if s.name == "corruption")
    scale = scale_of(np.zeros((preset.render.size, preset.render.size, 3), np.uint8))
    found = {}
    for name in settings.kinds:
        columns = CORRUPTIONS.get(name, "").columns
        rows = [settings.strength(name, severity) for severity in SEVERITIES]
        assert None not in rows, f"{name} is left to the default"
        found[name] = [
            {
                key: value * (scale if LENGTHS.get(name) == key else 1)
                for key, value in zip(columns, row or (), strict=True)
            }
            for row in rows
        ]
    return found


def test_images_have_the_published_size(preset: Params) -> None:
    assert preset.render.size == theirs.SIDE


@pytest.mark.parametrize(
    ("kind", "column", "value"),
    [
        ("gaussian_noise", "sigma", math.sqrt(theirs.GAUSSIAN_VARIANCE)),
        ("speckle_noise", "sigma", math.sqrt(theirs.SPECKLE_VARIANCE)),
        ("shot_noise", "photons", theirs.POISSON_LEVELS),
        ("salt_and_pepper_noise", "amount", theirs.SALT_AND_PEPPER_SHARE),
        ("motion_blur", "length", theirs.MOTION_PX),
        ("jpeg_compression", "quality", theirs.JPEG_QUALITY),
        ("coarse_dropout", "share", theirs.DROPOUT_DENSITY * theirs.DROPOUT_PX**2),
        ("coarse_dropout", "side", theirs.DROPOUT_PX),
        ("spatter", "opacity", 1),
    ],
)
def test_a_kind_has_the_published_strength(
    given: dict[str, list[dict[str, float]]], kind: str, column: str, value: float
) -> None:
    assert [row[column] for row in given[kind]] == pytest.approx([value] * 5, rel=1e-6)


@pytest.mark.parametrize(
    ("kind", "column", "ends"),
    [("rotation", "degrees", theirs.ROTATION_DEGREES), ("shear", "factor", theirs.SHEAR_FACTORS)],
)
def test_a_range_is_covered_evenly(
    given: dict[str, list[dict[str, float]]], kind: str, column: str, ends: tuple[float, float]
) -> None:
    assert [row[column] for row in given[kind]] == pytest.approx(np.linspace(*ends, 5))


def test_all_published_kinds_are_there(given: dict[str, list[dict[str, float]]]) -> None:
    assert len(given) == theirs.KINDS


def test_a_gaussian_blur_is_that_of_the_kernel(given: dict[str, list[dict[str, float]]]) -> None:
    dot = np.zeros((65, 65), np.float32)
    dot[32, 32] = 1
    side = theirs.GAUSSIAN_KERNEL_PX
    blurred = cv2.GaussianBlur(dot, (side, side), 0)
    (sigma,) = {row["sigma"] for row in given["gaussian_blur"]}
    ours = cv2.GaussianBlur(dot, (0, 0), sigma)
    assert np.abs(ours - blurred).max() < 0.01 * blurred.max()


def test_drops_cover_the_published_area(given: dict[str, list[dict[str, float]]]) -> None:
    areas = [np.zeros((21, 21), np.uint8) for _ in theirs.SPATTER_RADII_PX]
    for field, radius in zip(areas, theirs.SPATTER_RADII_PX, strict=True):
        cv2.circle(field, (10, 10), radius, 1, -1)
    share = theirs.SPATTER_DENSITY * np.mean([field.sum() for field in areas])
    (ours,) = {row["share"] for row in given["spatter"]}
    assert ours == pytest.approx(share, rel=0.01)


def test_holes_of_the_published_size_are_cut(given: dict[str, list[dict[str, float]]]) -> None:
    strength = [*given["coarse_dropout"][0].values()]
    strength[1] /= scale_of(white := np.full((theirs.SIDE, theirs.SIDE, 3), 255, np.uint8))
    about = corrupt(white, "coarse_dropout", 1, np.random.default_rng(0), strength)[1]
    assert about["side_px"] == theirs.DROPOUT_PX
    assert about["holes"] == int(theirs.DROPOUT_DENSITY * theirs.SIDE**2)


def test_text_is_printed_as_published(preset: Params) -> None:
    (own,) = (s.own(PrintAttack) for s in preset.scenarios.noisy if s.name == "print_attack")
    assert [size * theirs.SIDE for size in own.sizes] == [*theirs.PRINT_SIZES_PX]
    opacities = [min(alpha, 255) / 255 for alpha in theirs.PRINT_ALPHAS]
    assert [*own.opacities] == pytest.approx(opacities)
    assert sorted(own.angles) == sorted(theirs.PRINT_ANGLES)
    assert [part * theirs.SIDE for part in own.offsets] == [*theirs.PRINT_OFFSETS_PX]
    assert {rgb_of(color) for color in own.colors} == {*theirs.PRINT_COLORS.values()}
    assert len(own.colors) == len(theirs.PRINT_COLORS)


def test_images_are_drawn_as_published(preset: Params) -> None:
    own = preset.render.own(Diffusion)
    assert (own.model, own.steps, own.guidance, own.dtype) == (
        theirs.SDXL, theirs.STEPS, theirs.GUIDANCE, theirs.DTYPE,
    )  # fmt: skip
    assert (own.scheduler, own.refiner) == ("default", None)


def test_images_are_judged_and_captions_compared_as_published(preset: Params) -> None:
    for filters in (preset.filter.filters, preset.render.retries.filters):
        (clip,) = (f.own(Clip) for f in filters if f.registered == "clip")
        assert (clip.threshold, clip.text) == (theirs.CLIP_LOGIT / 100, "prompt")
    assert preset.score.caption_encoder.endswith(f":{theirs.SENTENCE_ENCODER}")


@pytest.mark.parametrize(("answer", "index"), [*theirs.CHOICES.items()])
def test_choices_are_read_as_published(preset: Params, answer: str, index: int) -> None:
    options = ["True", "False"]
    assert read_choice(preset.score.strategy, answer, options).index == index
