"""Parameters of the reference models, which the pipeline trains itself."""

from __future__ import annotations

from pydantic import Field, field_validator

from lvlmbench.config.base import Name, Section, each_once


class ReferenceScenes(Section):
    """The scenes that the reference models see in training."""

    seed: int = Field(
        1,
        ge=0,
        lt=2**63,
        description="Root of their random choices; it never meets a snapshot's, even if equal.",
    )
    training: int = Field(40_000, ge=64, le=10_000_000, description="Scenes trained on.")
    validation: int = Field(
        4_000, ge=64, le=1_000_000, description="Scenes for thresholds and the metrics."
    )
    pixels: int = Field(64, ge=32, le=224, description="Side of the images that they see.")
    shard_scenes: int = Field(
        2_000, ge=1, description="Scenes a shard; changes no row, only how they are split."
    )


class Training(Section):
    """How the reference models are trained."""

    steps: int = Field(600, ge=1, le=1_000_000, description="Steps of the optimizer.")
    batch_size: int = Field(128, ge=8, le=4096, description="Scenes a step.")
    checkpoint_every: int = Field(
        50, ge=1, description="Steps between two checkpoints; changes no result."
    )


class Reference(Section):
    """Two small vision-language models of our own, trained on pictographs."""

    models: tuple[Name, ...] = Field(
        ("reference_a", "reference_b"), description="Which of them to train."
    )
    scenes: ReferenceScenes = Field(
        default_factory=lambda: ReferenceScenes(),  # type: ignore[call-arg]
        description="What they are trained on.",
    )
    training: Training = Field(
        default_factory=lambda: Training(),  # type: ignore[call-arg]
        description="How they are trained.",
    )
    false_rejections: float = Field(
        0.02,
        gt=0,
        lt=1,
        description="Share of good images that the CLIP filter may remove: sets its threshold.",
    )

    @field_validator("models")
    @classmethod
    def _each_once(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        each_once("model", value)
        return value
