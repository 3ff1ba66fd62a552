"""Noise on every value of an image by itself.

The noisy value of a channel follows a distribution that depends on its clean value alone. There
are 256 of them, so the inverse of each distribution function is tabulated at :data:`STEPS` evenly
spaced probabilities and rounded to 8 bits there, once a severity; an image then costs one uniform
draw and one look-up a value. Rounding saturates at 0 and 255: nothing can wrap around.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lvlmbench.stages.scenario.kinds.corruption.kind import CORRUPTIONS, Done, Numbers
from lvlmbench.stages.scenario.pixels import Pixels

F64 = NDArray[np.float64]

#: Tabulated probabilities; the outermost lie 3.7 standard deviations from the mean.
_BITS = 12
STEPS = 1 << _BITS

_LEVELS = np.arange(256, dtype=np.float64)[:, None]

#: (clean values, probabilities, amount) -> noisy values, before they are rounded.
Inverse = Callable[[F64, F64, float], F64]


def words(rng: np.random.Generator, count: int) -> NDArray[np.uint16]:
    """``count`` uniform 16-bit words, the same on machines of either byte order."""
    raw = rng.bit_generator.random_raw(-(-count // 4))
    return np.asarray(raw, dtype="<u8").view("<u2")[:count]


@lru_cache(maxsize=16)
def table(inverse: Inverse, amount: float) -> NDArray[np.uint8]:
    """Noisy values by (clean value, step of probability), shape (256, STEPS).

    Parameters
    ----------
    inverse
        The inverse distribution function.
    """
    probability = (np.arange(STEPS) + 0.5) / STEPS
    noisy = inverse(_LEVELS, probability, amount)
    found: NDArray[np.uint8] = np.clip(np.rint(noisy), 0, 255).astype(np.uint8)
    found.setflags(write=False)
    return found


def _gaussian(levels: F64, probability: F64, amount: float) -> F64:
    from scipy import special

    return np.asarray(levels + 255 * (special.ndtri(probability) * amount))


def _speckle(levels: F64, probability: F64, amount: float) -> F64:
    from scipy import special

    return np.asarray(levels + levels * (special.ndtri(probability) * amount))


def _shot(levels: F64, probability: F64, amount: float) -> F64:
    from scipy import special

    counts = np.arange(int(amount + 12 * np.sqrt(amount) + 12), dtype=np.float64)
    below = special.pdtr(counts, levels / 255 * amount)
    steps = [np.searchsorted(row, probability) for row in below]
    return np.asarray(np.stack(steps) * (255 / amount), np.float64)


def noisy(pixels: Pixels, rng: np.random.Generator, inverse: Inverse, amount: float) -> Pixels:
    """The image with independent noise on every value; see :func:`table` for ``amount``."""
    place = pixels.reshape(-1).astype(np.uint32)
    place <<= _BITS
    place |= words(rng, place.size) >> (16 - _BITS)
    return table(inverse, amount).reshape(-1)[place].reshape(pixels.shape)


def salt_and_pepper(pixels: Pixels, rng: np.random.Generator, amount: float) -> Pixels:
    """The image with a share ``amount`` of its pixels black or white, half of them each."""
    height, width = pixels.shape[:2]
    drawn = words(rng, height * width).reshape(height, width)
    half = round(amount / 2 * 65536)
    found = pixels.copy()
    found[drawn < half] = 0
    found[drawn >= 65536 - half] = 255
    return found


@CORRUPTIONS.register(
    "gaussian_noise",
    slot=0,
    columns=("sigma",),
    ranges=((0, 10),),
    rows=((0.08,), (0.12,), (0.18,), (0.26,), (0.38,)),
    about="standard deviation, in shares of the full scale",
    published="ImageNet-C: 0.18",
)
def gaussian_noise(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    """Add the noise of a sensor, the same at every brightness."""
    return noisy(pixels, rng, _gaussian, given["sigma"]), dict(given)


@CORRUPTIONS.register(
    "shot_noise",
    slot=1,
    columns=("photons",),
    ranges=((0.1, 100_000),),
    rows=((60,), (25,), (12,), (5,), (3,)),
    about="mean count of the Poisson distribution at full brightness",
    published="ImageNet-C: 12",
)
def shot_noise(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    """Count photons, few of them."""
    return noisy(pixels, rng, _shot, given["photons"]), dict(given)


@CORRUPTIONS.register(
    "speckle_noise",
    slot=2,
    columns=("sigma",),
    ranges=((0, 10),),
    rows=((0.15,), (0.2,), (0.35,), (0.45,), (0.6,)),
    about="standard deviation, in shares of the pixel's own value",
    published="ImageNet-C: 0.35",
)
def speckle_noise(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    """Add noise that grows with brightness."""
    return noisy(pixels, rng, _speckle, given["sigma"]), dict(given)


@CORRUPTIONS.register(
    "salt_and_pepper_noise",
    slot=3,
    columns=("amount",),
    ranges=((0, 1),),
    rows=((0.03,), (0.06,), (0.09,), (0.17,), (0.27,)),
    about="share of the pixels that turn black or white, half of them each",
    published="ImageNet-C (impulse noise): 0.09",
)
def salt_and_pepper_noise(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done:
    """Turn single pixels black or white."""
    return salt_and_pepper(pixels, rng, given["amount"]), dict(given)
