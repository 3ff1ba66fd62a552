"""One corruption of one image."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np

from lvlmbench.config.corruption import CorruptionKind
from lvlmbench.stages.scenario.kinds.corruption import (
    blur,
    cover,
    noise,
    warp,
)
from lvlmbench.stages.scenario.kinds.corruption.severities import (
    level,
    scale_of,
)
from lvlmbench.stages.scenario.pixels import Pixels

#: The damaged image, and the numbers that were used.
Done: TypeAlias = tuple[Pixels, dict[str, Any]]

Numbers: TypeAlias = Mapping[str, float]


def _noise(kind: noise.NoiseKind, name: str) -> Callable[..., Done]:
    def apply(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
        return noise.noisy(pixels, rng, kind, given[name]), dict(given)

    return apply


def _salt_and_pepper(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    return noise.salt_and_pepper(pixels, rng, given["amount"]), dict(given)


def _motion_blur(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    length = _plain(given["length"] * scale_of(pixels))
    degrees = round(float(rng.uniform(0, 180)), 2)
    return blur.motion(pixels, length, degrees), {"length_px": length, "degrees": degrees}


def _gaussian_blur(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    sigma = _plain(given["sigma"] * scale_of(pixels))
    return blur.gaussian(pixels, sigma), {"sigma_px": sigma}


def _jpeg(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    return blur.jpeg(pixels, int(given["quality"])), dict(given)


def _spatter(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    share, opacity, mud = given["share"], given["opacity"], bool(given["mud"])
    found, covered = cover.spatter(pixels, rng, share, opacity, mud)
    about = {"opacity": opacity, "liquid": "mud" if mud else "water", "share": round(covered, 4)}
    return found, about


def _coarse_dropout(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    side = max(1, round(given["side"] * scale_of(pixels)))
    found, holes = cover.dropout(pixels, rng, given["share"], side)
    area = pixels.shape[0] * pixels.shape[1]
    return found, {"holes": holes, "side_px": side, "share": round(holes * side**2 / area, 4)}


def _rotation(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    degrees = given["degrees"] * (1 if rng.random() < 0.5 else -1)
    matrix = _fitted(warp.rotation(degrees), pixels)
    return warp.warped(pixels, matrix), _moved(matrix, pixels, degrees=degrees)


def _shear(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    factor = given["factor"] * (1 if rng.random() < 0.5 else -1)
    axis = "x" if rng.random() < 0.5 else "y"
    matrix = _fitted(warp.shear(factor, axis), pixels)
    return warp.warped(pixels, matrix), _moved(matrix, pixels, factor=factor, axis=axis)


def _fitted(linear: warp.Matrix, pixels: Pixels) -> warp.Matrix:
    """The map with the decimals that are recorded."""
    return warp.fitted(linear, *pixels.shape[:2]).round(6)


def _moved(matrix: warp.Matrix, pixels: Pixels, **about: Any) -> dict[str, Any]:
    """What is recorded of a movement: ``matrix`` maps a point of the clean image to the shown."""
    return {**about, "matrix": matrix.tolist(), "fill": list(warp.edge_colour(pixels))}


_APPLY: Mapping[CorruptionKind, Callable[[Pixels, np.random.Generator, Numbers], Done]] = {
    "gaussian_noise": _noise("gaussian_noise", "sigma"),
    "shot_noise": _noise("shot_noise", "photons"),
    "speckle_noise": _noise("speckle_noise", "sigma"),
    "salt_and_pepper_noise": _salt_and_pepper,
    "motion_blur": _motion_blur,
    "gaussian_blur": _gaussian_blur,
    "jpeg_compression": _jpeg,
    "spatter": _spatter,
    "coarse_dropout": _coarse_dropout,
    "rotation": _rotation,
    "shear": _shear,
}


def corrupt(pixels: Pixels, kind: CorruptionKind, severity: int, rng: np.random.Generator) -> Done:
    """The image with one kind of damage.

    Parameters
    ----------
    pixels
        8-bit RGB, shape (height, width, 3).
    severity
        1 (mildest) to 5.
    rng
        Drawn from as far as the kind needs: nothing for blur and JPEG.

    Returns
    -------
    Done
        Pixels of the same shape, and the numbers that were used, lengths in pixels of this image.
    """
    found, about = _APPLY[kind](pixels, rng, level(kind, severity))
    return found, {name: _plain(value) for name, value in about.items()}


def _plain(value: Any) -> Any:
    """A number with the decimals that are recorded."""
    return round(value, 4) if isinstance(value, float) else value
