"""Noise on every value of an image by itself.

The noisy value of a channel follows a distribution that depends on its clean value alone. There
are 256 of them, so the inverse of each distribution function is tabulated at :data:`STEPS` evenly
spaced probabilities and rounded to 8 bits there, once a severity; an image then costs one uniform
draw and one look-up a value. Rounding saturates at 0 and 255: nothing can wrap around.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from lvlmbench.stages.scenario.pixels import Pixels

#: Tabulated probabilities; the outermost lie 3.7 standard deviations from the mean.
_BITS = 12
STEPS = 1 << _BITS

_LEVELS = np.arange(256, dtype=np.float64)[:, None]

NoiseKind = Literal["gaussian_noise", "shot_noise", "speckle_noise"]


def words(rng: np.random.Generator, count: int) -> NDArray[np.uint16]:
    """``count`` uniform 16-bit words, the same on machines of either byte order."""
    raw = rng.bit_generator.random_raw(-(-count // 4))
    return np.asarray(raw, dtype="<u8").view("<u2")[:count]


@lru_cache(maxsize=16)
def table(kind: NoiseKind, amount: float) -> NDArray[np.uint8]:
    """Noisy values by (clean value, step of probability), shape (256, STEPS).

    Parameters
    ----------
    amount
        Standard deviation in shares of the full scale (Gaussian noise) or of the value itself
        (speckle noise); mean count at full brightness (shot noise).
    """
    from scipy import special

    probability = (np.arange(STEPS) + 0.5) / STEPS
    if kind == "shot_noise":
        counts = np.arange(int(amount + 12 * np.sqrt(amount) + 12), dtype=np.float64)
        below = special.pdtr(counts, _LEVELS / 255 * amount)
        noisy = np.stack([np.searchsorted(row, probability) for row in below]) * (255 / amount)
    else:
        normal = special.ndtri(probability) * amount
        noisy = _LEVELS + (255 if kind == "gaussian_noise" else _LEVELS) * normal
    found: NDArray[np.uint8] = np.clip(np.rint(noisy), 0, 255).astype(np.uint8)
    found.setflags(write=False)
    return found


def noisy(pixels: Pixels, rng: np.random.Generator, kind: NoiseKind, amount: float) -> Pixels:
    """The image with independent noise on every value; see :func:`table` for ``amount``."""
    place = pixels.reshape(-1).astype(np.uint32)
    place <<= _BITS
    place |= words(rng, place.size) >> (16 - _BITS)
    return table(kind, amount).reshape(-1)[place].reshape(pixels.shape)


def salt_and_pepper(pixels: Pixels, rng: np.random.Generator, amount: float) -> Pixels:
    """The image with a share ``amount`` of its pixels black or white, half of them each."""
    height, width = pixels.shape[:2]
    drawn = words(rng, height * width).reshape(height, width)
    half = round(amount / 2 * 65536)
    found = pixels.copy()
    found[drawn < half] = 0
    found[drawn >= 65536 - half] = 255
    return found
