"""What a kind of corruption is, and how much of it a severity means.

To add one, write a module in ``kinds`` (or an outside package with an entry point in the group
``lvlmbench.corruptions``) that registers a function::

    @CORRUPTIONS.register("my_kind", columns=("amount",), rows=((1,), (2,), (3,), (4,), (5,)))
    def damage(pixels: Pixels, rng: np.random.Generator, given: Numbers) -> Done: ...

It is shown where ``corruption.kinds`` names it, and changes no draw of the others.
``make docs`` writes the table of docs/scenarios.md.

Severity 3 is near the published figures where there are any: those of ImageNet-C (Hendrycks and
Dietterich, "Benchmarking neural network robustness to common corruptions and perturbations",
ICLR 2019), which MMCBench (Zhang et al., 2024), the source of Dysca's set, builds on. Lengths
hold for images of :data:`REFERENCE` pixels and grow and shrink with the image's shorter side.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from lvlmbench.core.registry import Kind, Kinds
from lvlmbench.stages.scenario.kinds.corruption.settings import SEVERITIES
from lvlmbench.stages.scenario.pixels import Pixels

#: The damaged image, and the numbers that were used.
Done: TypeAlias = tuple[Pixels, dict[str, Any]]

#: The numbers of a severity, by their names.
Numbers: TypeAlias = Mapping[str, float]

#: Shorter side, in pixels, of the images that lengths are meant for.
REFERENCE = 512

#: Numbers that are drawn in one go for a scene, of which a kind with a slot takes its own. It is
#: how many kinds there were first, and never changes.
SLOTS = 11


@dataclass(frozen=True, kw_only=True)
class Corrupting(Kind):
    """A kind of corruption.

    Attributes
    ----------
    columns
        Name of each number, as it stands in what is recorded about an image where it is used
        unchanged.
    rows
        One tuple of numbers for each severity, mildest first.
    ranges
        The least and the greatest value of each number that parameters may give; empty: from 0 on.
    about
        What the numbers mean, for readers of docs/scenarios.md.
    published
        The published numbers of severity 3 that these follow, or how they were chosen.
    slot
        Its place among the :data:`SLOTS`; None for a kind that draws a number of its own. Kinds
        with a slot are those that ``corruption.kinds`` names where nothing is written.
    moves
        What of the picture's truth it changes: ``left_right``, ``above_below``.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[float, ...], ...]
    ranges: tuple[tuple[float, float], ...] = ()
    about: str = ""
    published: str = "own"
    slot: int | None = None
    moves: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        if len(self.rows) != len(SEVERITIES):
            raise ValueError(f"{len(self.rows)} rows for {len(SEVERITIES)} severities")
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"a row without all of {self.columns}")
        object.__setattr__(self, "ranges", self.ranges or ((0, math.inf),) * len(self.columns))
        limits = zip(zip(*self.rows, strict=True), self.ranges, strict=True)
        if not all(low <= each <= high for column, (low, high) in limits for each in column):
            raise ValueError(f"rows out of their ranges {self.ranges}")
        if self.slot is not None:
            if not 0 <= self.slot < SLOTS:
                raise ValueError(f"there are slots 0 to {SLOTS - 1}, and no {self.slot}")
            object.__setattr__(self, "place", self.slot)

    def level(self, severity: int) -> dict[str, float]:
        """Return its numbers at one severity (1 to 5), by their names."""
        if severity not in SEVERITIES:
            raise ValueError(f"no severity {severity}; use one of {SEVERITIES}")
        return dict(zip(self.columns, self.rows[severity - 1], strict=True))


CORRUPTIONS: Kinds[Corrupting] = Kinds(
    "corruptions", "lvlmbench.stages.scenario.kinds.corruption.kinds", Corrupting
)


def corrupt(
    pixels: Pixels,
    kind: str,
    severity: int,
    rng: np.random.Generator,
    strength: Sequence[float] | None = None,
) -> Done:
    """Return the image with one kind of damage.

    Parameters
    ----------
    pixels
        8-bit RGB, shape (height, width, 3).
    severity
        1 (mildest) to 5.
    rng
        Drawn from as far as the kind needs: nothing for blur and JPEG.
    strength
        Numbers to use in place of the severity's.

    Returns
    -------
    Done
        Pixels of the same shape, and the numbers that were used, lengths in pixels of this image.
    """
    known = CORRUPTIONS.get(kind, "corruption.kinds")
    given = known.level(severity)
    if strength is not None:
        given = dict(zip(known.columns, strength, strict=True))
    found, about = known(pixels, rng, given)
    return found, {name: recorded(value) for name, value in about.items()}


def recorded(value: Any) -> Any:
    """Return a number with the decimals that are recorded."""
    return round(value, 4) if isinstance(value, float) else value


def scale_of(pixels: Pixels) -> float:
    """Return how much longer lengths are in this image than in the table.

    No shorter than by half, where the mildest blurs would stop to show.
    """
    return max(0.5, float(np.min(pixels.shape[:2])) / REFERENCE)
