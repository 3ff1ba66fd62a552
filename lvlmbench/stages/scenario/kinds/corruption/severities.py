"""What each kind of corruption does at each severity: the one table of its parameters.

``python -m lvlmbench.stages.scenario.kinds.corruption.severities`` prints it as docs/scenarios.md
shows it.

Severity 3 is near the published figures where there are any: those of ImageNet-C (Hendrycks and
Dietterich, "Benchmarking neural network robustness to common corruptions and perturbations",
ICLR 2019), which MMCBench (Zhang et al., 2024), the source of Dysca's set, builds on. Lengths
hold for images of :data:`REFERENCE` pixels and grow and shrink with the image's shorter side.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from lvlmbench.config.corruption import SEVERITIES, CorruptionKind
from lvlmbench.stages.scenario.pixels import Pixels

#: Shorter side, in pixels, of the images that lengths in :data:`TABLE` are meant for.
REFERENCE = 512


@dataclass(frozen=True)
class Parameters:
    """The numbers of one kind.

    Attributes
    ----------
    columns
        Name of each number, as it stands in what is recorded about an image where it is used
        unchanged.
    rows
        One tuple of numbers for each severity, mildest first.
    about
        What the numbers mean, for readers of docs/scenarios.md.
    published
        The published numbers of severity 3 that these follow, or how they were chosen.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    about: str
    published: str

    def __post_init__(self) -> None:
        if len(self.rows) != len(SEVERITIES):
            raise ValueError(f"{len(self.rows)} rows for {len(SEVERITIES)} severities")
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"a row without all of {self.columns}")


TABLE: Mapping[CorruptionKind, Parameters] = {
    "gaussian_noise": Parameters(
        ("sigma",),
        ((0.08,), (0.12,), (0.18,), (0.26,), (0.38,)),
        "standard deviation, in shares of the full scale",
        "ImageNet-C: 0.18",
    ),
    "shot_noise": Parameters(
        ("photons",),
        ((60,), (25,), (12,), (5,), (3,)),
        "mean count of the Poisson distribution at full brightness",
        "ImageNet-C: 12",
    ),
    "speckle_noise": Parameters(
        ("sigma",),
        ((0.15,), (0.2,), (0.35,), (0.45,), (0.6,)),
        "standard deviation, in shares of the pixel's own value",
        "ImageNet-C: 0.35",
    ),
    "salt_and_pepper_noise": Parameters(
        ("amount",),
        ((0.03,), (0.06,), (0.09,), (0.17,), (0.27,)),
        "share of the pixels that turn black or white, half of them each",
        "ImageNet-C (impulse noise): 0.09",
    ),
    "motion_blur": Parameters(
        ("length",),
        ((4,), (8,), (12,), (14,), (16,)),
        "length of the straight path in pixels",
        "ImageNet-C: radius 15, sigma 8, whose spread is that of a path of 17 pixels; shorter, so "
        "that words can be read",
    ),
    "gaussian_blur": Parameters(
        ("sigma",),
        ((1,), (1.8,), (2.5,), (3,), (3.4,)),
        "standard deviation in pixels",
        "ImageNet-C: 3; milder above, so that words can be read",
    ),
    "jpeg_compression": Parameters(
        ("quality",),
        ((25,), (18,), (15,), (10,), (8,)),
        "quality setting of libjpeg, 1 to 100",
        "ImageNet-C: 15",
    ),
    "spatter": Parameters(
        ("share", "opacity", "mud"),
        ((0.05, 0.4, 0), (0.08, 0.45, 0), (0.11, 0.5, 0), (0.13, 0.6, 1), (0.17, 0.6, 1)),
        "share of the area that drops lie on, their opacity, and whether they are of mud (1) or "
        "of water (0)",
        "own; as in ImageNet-C water at severities 1 to 3 and mud above",
    ),
    "coarse_dropout": Parameters(
        ("share", "side"),
        ((0.03, 8), (0.05, 9), (0.07, 10), (0.09, 11), (0.12, 12)),
        "share of the area that is grayed out, at most, and the side of a square hole in pixels",
        "own; a hole is smaller than a letter",
    ),
    "rotation": Parameters(
        ("degrees",),
        ((5,), (10,), (15,), (20,), (25,)),
        "angle, to either side",
        "own; modest, so that what stands upright still does",
    ),
    "shear": Parameters(
        ("factor",),
        ((0.08,), (0.16,), (0.24,), (0.32,), (0.4,)),
        "shift of a line for each pixel that it lies off the centre, to either side",
        "own; modest, as for rotation",
    ),
}


def level(kind: CorruptionKind, severity: int) -> dict[str, float]:
    """The numbers of one kind at one severity (1 to 5), by their names in :data:`TABLE`."""
    if severity not in SEVERITIES:
        raise ValueError(f"no severity {severity}; use one of {SEVERITIES}")
    parameters = TABLE[kind]
    return dict(zip(parameters.columns, parameters.rows[severity - 1], strict=True))


def scale_of(pixels: Pixels) -> float:
    """How much longer lengths are in this image than in :data:`TABLE`.

    No shorter than by half, where the mildest blurs would stop to show.
    """
    return max(0.5, float(np.min(pixels.shape[:2])) / REFERENCE)


def markdown() -> str:
    """:data:`TABLE` in Markdown: a line for each number of each kind."""
    heads = ["kind", "number", *map(str, SEVERITIES), "what it is", "severity 3 follows"]
    lines = [heads, ["---"] * len(heads)]
    for kind, parameters in TABLE.items():
        for place, column in enumerate(parameters.columns):
            values = [f"{row[place]:g}" for row in parameters.rows]
            words = ["", ""] if place else [parameters.about, parameters.published]
            lines.append([f"`{kind}`" if place == 0 else "", f"`{column}`", *values, *words])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


if __name__ == "__main__":
    print(markdown(), end="")
