"""Parameters of the reference models: pinned ones, or how the pipeline trains new ones."""

from __future__ import annotations

import math
from typing import Literal

from pydantic import Field, field_validator, model_validator

from lvlmbench.config.section import Name, Section, once

#: The reference models that this version has.
REFERENCE_MODELS = ("reference_a", "reference_b")


class ReferenceScenes(Section):
    """The scenes that new reference models see in training; of no effect where they are pinned."""

    seed: int = Field(
        1,
        ge=0,
        lt=2**63,
        description="Root of their random choices; it never meets a snapshot's, even if equal.",
    )
    training: int = Field(48_000, ge=64, le=10_000_000, description="Scenes trained on.")
    validation: int = Field(
        4_000, ge=64, le=1_000_000, description="Scenes for thresholds and the metrics."
    )
    pixels: int = Field(
        64,
        ge=32,
        le=224,
        description="Side of the images that they see.",
        json_schema_extra={"multipleOf": 16},
    )
    shard_scenes: int = Field(
        1_300, ge=1, description="Scenes a shard; changes no row, only how they are split."
    )

    @field_validator("pixels")
    @classmethod
    def _multiple_of_16(cls, value: int) -> int:
        if value % 16:
            down = value - value % 16
            raise ValueError(f"{value} is not a multiple of 16; use {down} or {down + 16}")
        return value


class Training(Section):
    """How new reference models are trained; of no effect where they are pinned."""

    steps: int = Field(
        4_500, ge=1, le=1_000_000, description="Steps in which the image tower learns."
    )
    word_steps: int = Field(
        1_000, ge=1, le=1_000_000, description="Steps in which the text tower learns, after it."
    )
    batch_size: int = Field(128, ge=8, le=4096, description="Scenes a step.")
    precision: Literal["bfloat16", "float32"] = Field(
        "bfloat16", description="What products are taken in while the image tower learns."
    )
    checkpoint_every: int = Field(
        250, ge=1, description="Steps between two checkpoints; changes no result."
    )


class Reference(Section):
    """Two small vision-language models of our own, trained on pictographs."""

    models: tuple[Name, ...] = Field(REFERENCE_MODELS, description="Which of them are there.")
    weights: Literal["pinned", "trained"] = Field(
        "pinned",
        description="Those that were trained once and are kept with the code (`pinned`), or new "
        "ones, which takes an hour or more (`trained`).",
    )
    pinned: str = Field(
        "data/pinned",
        min_length=1,
        description="Folder of the pinned models, one folder each, from the project's root.",
    )
    scenes: ReferenceScenes = Field(
        default_factory=lambda: ReferenceScenes(),  # type: ignore[call-arg]
        description="What new ones are trained on.",
    )
    training: Training = Field(
        default_factory=lambda: Training(),  # type: ignore[call-arg]
        description="How new ones are trained.",
    )
    false_rejections: float = Field(
        0.0005,
        gt=0,
        lt=1,
        description="Share of good images that the CLIP filter may remove: sets its thresholds, "
        "where models are trained; pinned ones bring theirs.",
    )

    _each_once = field_validator("models")(once("model"))

    @model_validator(mode="after")
    def _scenes_suffice(self) -> Reference:
        if not self.models or self.weights == "pinned":
            return self  # none of it is used
        scenes, batch = self.scenes, self.training.batch_size
        if scenes.training < batch:
            raise ValueError(
                f"a batch of {batch} (training.batch_size) does not fit into {scenes.training} "
                "scenes (scenes.training); lower the one or raise the other"
            )
        if scenes.validation * self.false_rejections < 1:
            needed = math.ceil(1 / self.false_rejections)
            raise ValueError(
                f"a share of {self.false_rejections:g} (false_rejections) of {scenes.validation} "
                f"scenes (scenes.validation) is less than one; raise scenes.validation to {needed}"
            )
        return self
