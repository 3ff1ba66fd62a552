"""Scenario ``resolution``: the same images with fewer pixels (AutoDavis, appendix K).

Each size is made from the clean image in one step, by Pillow's bicubic filter. The image that
models are sent has that width and height; nothing scales it up again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np
from pydantic import BeforeValidator, Field, field_validator

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.config.section import Section, no_truth_value, once
from lvlmbench.core.errors import UserError
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.scenario.pixels import Pixels, decode, encode
from lvlmbench.stages.scenario.scenario import (
    SCENARIOS,
    Row,
    Shard,
    Weights,
    first_of,
    perturbation,
    shown,
)

#: Images that are held as Python objects at once.
_BATCH = 16

Side = Annotated[int, BeforeValidator(no_truth_value), Field(ge=32)]


class Resolution(Section):
    """The same images with fewer pixels; docs/scenarios.md tells how they are made."""

    sides: tuple[Side, ...] = Field(
        (256, 128),
        min_length=1,
        max_length=5,
        description="Longer sides in pixels, each below `render.size`. With several, each image is "
        "shown at each of them, for a curve.",
    )
    scenes_per_subtask: int | None = Field(
        None,
        ge=1,
        description="Only the first so many scenes of each subtask; null: all of them.",
    )

    _each_once = field_validator("sides")(once("side"))

    @property
    def ranked(self) -> tuple[int, ...]:
        """The sides, largest first; a severity is the place among them, from 1."""
        return tuple(sorted(self.sides, reverse=True))


def smaller(pixels: Pixels, side: int) -> Pixels | None:
    """Return the image with ``side`` pixels on its longer side; None where it has no more."""
    from PIL import Image

    height, width = pixels.shape[:2]
    longer = max(height, width)
    if longer <= side:
        return None
    across, down = (max(1, (2 * n * side + longer) // (2 * longer)) for n in (width, height))
    image = Image.fromarray(pixels).resize((across, down), Image.Resampling.BICUBIC)
    return np.asarray(image)


class LowerResolution:
    """Shows each image at each of the sides; nothing in it is drawn by chance."""

    def __init__(self, params: Params, spec: ScenarioSpec) -> None:
        self._params, self._spec = params, spec
        self._settings = spec.own(Resolution)

    def apply(self, shard: Shard) -> Iterator[Row]:
        """One row a clean image and side, largest first; none at sides that it does not exceed."""
        first = first_of(self._params, shard.scenes, self._settings.scenes_per_subtask)
        for batch in shard.images.to_batches(max_chunksize=_BATCH):
            for clean in batch.to_pylist():
                if clean["scene_id"] not in first:
                    continue
                pixels = decode(clean)
                if pixels is not None:
                    yield from self._sizes(clean, pixels)

    def _sizes(self, clean: Row, pixels: Pixels) -> Iterator[Row]:
        for severity, side in enumerate(self._settings.ranked, start=1):
            found = smaller(pixels, side)
            if found is None:
                continue
            size = (found.shape[1], found.shape[0])
            before = [pixels.shape[1], pixels.shape[0]]
            about = {"size": list(size), "before": before, "filter": "bicubic"}
            done = perturbation("resolution", severity, about)
            png = encode(found)
            yield shown(self._params, self._spec, clean, png, done, variant=f"{side}", size=size)


def check(params: Params, spec: ScenarioSpec, where: str) -> None:
    """Whether each side is lower than what is drawn.

    Raises
    ------
    UserError
        The largest is not.
    """
    settings = spec.own(Resolution)
    side, drawn = settings.ranked[0], params.render.size
    if side >= drawn:
        raise UserError(
            f"{where}: resolution: sides",
            f"{side} is not below render.size, which is {drawn}",
            f"write sides from 32 to {drawn - 1}, e.g. [{max(32, drawn // 2)}]",
        )


def images(params: Params, spec: ScenarioSpec, scenes: float) -> float:
    """Return how many images some scenes give."""
    settings = spec.own(Resolution)
    if settings.scenes_per_subtask is not None:
        scenes = min(scenes, settings.scenes_per_subtask * len(params.corpus.subtasks))
    return scenes * len(settings.sides)


@SCENARIOS.register(
    "resolution",
    vocabulary=False,
    settings=Resolution,
    check=check,
    place=4,
    images=images,
    every=lambda spec: len(spec.own(Resolution).sides) > 1,
    scale=lambda spec: [f"{side} px" for side in spec.own(Resolution).ranked],
    about="the same image with fewer pixels",
    exactness=(
        Promise(
            Exactness.EVERYWHERE,
            "sums of whole numbers, whose weights come from 64-bit floats by steps that IEEE 754 "
            "rounds in one way",
        ),
    ),
)
def make(params: Params, spec: ScenarioSpec, weights: Weights) -> LowerResolution:
    """The scenario; it needs no trained model."""
    return LowerResolution(params, spec)
