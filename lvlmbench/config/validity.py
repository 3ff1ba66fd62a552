"""Parameters of the stage ``validity`` (Dysca, section 4.4)."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, ValidationInfo, field_validator

from lvlmbench.config.reference import REFERENCE_MODELS
from lvlmbench.config.section import Section, each_once


class Kmmd(Section):
    """Distances between sets of images (Dysca, figure 6)."""

    encoder: str | None = Field(
        REFERENCE_MODELS[0],
        min_length=1,
        description="What embeds the images: a reference model (`reference_a`, `reference_b`), or "
        "what open_clip calls a model: a name such as `ViT-L-14`, `local-dir:FOLDER`, `hf-hub:ID`. "
        "null: no distances are measured.",
    )
    pretrained: str | None = Field(
        None,
        min_length=1,
        description="For a model given by name: a tag of open_clip, such as `openai`, or the path "
        "of a checkpoint.",
    )
    images: int = Field(
        3000, ge=2, le=100_000, description="Images drawn at random from each set, at most."
    )
    permutations: int = Field(
        999, ge=99, le=100_000, description="Random permutations for a p-value and an interval."
    )
    batch_size: int = Field(64, ge=1, le=4096, description="Images embedded at once.")
    device: Literal["auto", "cpu", "cuda"] = Field(
        "auto",
        description="Where a model of open_clip computes; `auto` takes a GPU where there is one. "
        "Reference models compute on the CPU.",
    )

    @field_validator("pretrained")
    @classmethod
    def _brings_no_weights(cls, value: str | None, info: ValidationInfo) -> str | None:
        encoder = info.data.get("encoder")
        if value is not None and encoder is None:
            raise ValueError("is of no use without an 'encoder'")
        if value is not None and str(encoder).startswith(("local-dir:", "hf-hub:", "reference_")):
            raise ValueError(f"is of no use to '{encoder}', which brings its weights")
        return value


class Validity(Section):
    """How the snapshot compares with other benchmarks and other images (Dysca, section 4.4)."""

    rankings: str = Field(
        "data/rankings",
        min_length=1,
        description="Folder of CSV files with published scores of models on other benchmarks: "
        "columns `benchmark`, `model` and `score` (higher is better). The column `measure` names "
        "the metric of this project that the scores are compared with; `subtask` and "
        "`question_type` restrict the comparison to these questions (docs/validity.md).",
    )
    names: dict[str, str] = Field(
        default_factory=dict,
        description="Names of our models in those files, where they differ: `{our name: theirs}`. "
        "Reference models and models that guess are compared only when they stand here.",
    )
    resamples: int = Field(
        9999,
        ge=99,
        le=1_000_000,
        description="Random samples behind an interval, and random orders behind a p-value where "
        "there are too many to try all.",
    )
    image_sets: str = Field(
        "data/image_sets",
        min_length=1,
        description="Folder of image sets to hold the snapshot against; each entry is one: "
        "a folder of images, a Parquet file or folder, or a dataset saved by Hugging Face.",
    )
    kmmd: Kmmd = Field(
        default_factory=lambda: Kmmd(),  # type: ignore[call-arg]
        description="Distances between sets of images.",
    )

    @field_validator("names")
    @classmethod
    def _each_theirs_once(cls, value: dict[str, str]) -> dict[str, str]:
        each_once("name of theirs", value.values())
        return value
