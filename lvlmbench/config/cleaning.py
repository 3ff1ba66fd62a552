"""Parameters of data cleaning (Dysca, section 3.3): filters, model consensus, vocabulary audit."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from lvlmbench.config.section import (
    Kinded,
    Section,
    a_section,
    each_once,
)

#: Kinds of filters that have a section of their own in an item of ``filter.filters``.
SETTINGS = ("clip", "ocr", "safety")


class Clip(Section):
    """A CLIP filter: how alike an image and the text it was made from are."""

    engine: str = Field(
        "reference_a",
        min_length=1,
        description="What compares: a reference model (`reference_a`, `reference_b`), or what "
        "open_clip calls a model: a name such as `ViT-L-14`, `local-dir:FOLDER`, `hf-hub:ID`.",
    )
    pretrained: str | None = Field(
        None,
        min_length=1,
        description="For a model given by name: a tag of open_clip, such as `openai`, or the path "
        "of a checkpoint.",
    )
    text: Literal["labels", "caption", "prompt"] | None = Field(
        None,
        description="Compare with each label of what the image must show, one by one (`labels`, "
        "for reference models alone), with a sentence of them all (`caption`), or with the prompt "
        "as the renderer got it, phrases of the style included (`prompt`); null: labels with a "
        "reference model, the caption with any other.",
    )
    threshold: float | None = Field(
        None,
        ge=-1,
        le=1,
        description="Cosine below which an image is removed; null for the engine's own (a "
        "reference model's is calibrated, see `reference.false_rejections`; labels have several).",
    )
    batch_size: int = Field(32, ge=1, le=4096, description="Images encoded at once.")
    device: Literal["auto", "cpu", "cuda"] = Field(
        "auto", description="Where to compute; `auto` takes a GPU where there is one."
    )

    @field_validator("pretrained")
    @classmethod
    def _brings_no_weights(cls, value: str | None, info: ValidationInfo) -> str | None:
        engine = str(info.data.get("engine"))
        if value is not None and engine.startswith(("local-dir:", "hf-hub:")):
            raise ValueError(f"is of no use to '{engine}', which brings its weights")
        return value


class Ocr(Section):
    """An OCR filter: whether the word of a text item can be read."""

    engine: Literal["rapidocr", "paddleocr"] = Field("rapidocr", description="What reads.")
    max_distance: float = Field(
        0.0,
        ge=0,
        le=1,
        description="Largest edit distance between the word and what was read, divided by the "
        "length of the longer one.",
    )
    detection_model: str | None = Field(
        None,
        min_length=1,
        description="For paddleocr: name of its detection model; null for its default.",
    )
    detection_dir: str | None = Field(
        None,
        min_length=1,
        description="For paddleocr: folder of the detection model; null to have it fetched.",
    )
    recognition_model: str | None = Field(
        None,
        min_length=1,
        description="For paddleocr: name of its recognition model; null for its default.",
    )
    recognition_dir: str | None = Field(
        None,
        min_length=1,
        description="For paddleocr: folder of the recognition model; null to have it fetched.",
    )
    runtime: Literal["paddle", "onnxruntime"] = Field(
        "paddle", description="For paddleocr: what runs its models."
    )

    @field_validator(
        "detection_model", "detection_dir", "recognition_model", "recognition_dir", "runtime"
    )
    @classmethod
    def _for_paddleocr(cls, value: str | None, info: ValidationInfo) -> str | None:
        if info.data.get("engine") == "rapidocr" and value not in (None, "paddle"):
            raise ValueError("is of no use to rapidocr, whose package brings its models")
        return value


class Safety(Section):
    """A safety filter: whether an image shows what a benchmark must not show. Pictographs pass."""

    engine: Literal["nudenet", "safety_checker"] = Field(
        "nudenet",
        description="NudeNet, whose package brings its weights, or the safety checker of Stable "
        "Diffusion.",
    )
    model: str | None = Field(
        None,
        min_length=1,
        description="For safety_checker: hub id or local folder of the checker; null for "
        "CompVis/stable-diffusion-safety-checker.",
    )
    threshold: float = Field(
        0.5, gt=0, le=1, description="For nudenet: confidence from which a finding counts."
    )

    @field_validator("model")
    @classmethod
    def _for_the_checker(cls, value: str | None, info: ValidationInfo) -> str | None:
        if value is not None and info.data.get("engine") == "nudenet":
            raise ValueError("is of no use to nudenet, whose package brings its weights")
        return value

    @field_validator("threshold")
    @classmethod
    def _for_nudenet(cls, value: float, info: ValidationInfo) -> float:
        # Resolved parameters spell the default out, so that alone is no mistake.
        unused = info.data.get("engine") == "safety_checker"
        if unused and value != cls.model_fields["threshold"].default:
            raise ValueError("is of no use to safety_checker, whose weights hold its limits")
        return value


class FilterSpec(Kinded):
    """One filter."""

    kinds_with_settings = SETTINGS

    clip: Clip | None = Field(None, description="For the kind `clip`: how it judges.")
    ocr: Ocr | None = Field(None, description="For the kind `ocr`: how it judges.")
    safety: Safety | None = Field(None, description="For the kind `safety`: how it judges.")


class Filter(Section):
    """Which images may be asked about (Dysca, section 3.3, data clean, step 2)."""

    filters: tuple[Annotated[FilterSpec, BeforeValidator(a_section)], ...] = Field(
        tuple(
            FilterSpec(name=name)  # type: ignore[call-arg]
            for name in ("integrity", "clip", "ocr")
        ),
        description="An image stays if all of them keep it.",
    )

    @field_validator("filters")
    @classmethod
    def _each_once(cls, value: tuple[FilterSpec, ...]) -> tuple[FilterSpec, ...]:
        each_once("filter", [f.name for f in value])
        if "render" in [f.name for f in value]:
            raise ValueError("'render' names the renderer's own verdicts; leave it out")
        return value

    @property
    def names(self) -> list[str]:
        """Names of the filters, in their order."""
        return [f.name for f in self.filters]


class Consensus(Section):
    """Questions that the best models get wrong together (Dysca, section 3.3, step 3)."""

    models: int = Field(
        6,
        ge=1,
        description="Of how many models, the best in the clean scenario, answers are looked at; "
        "fewer where there are fewer. Guessing never counts.",
    )
    wrong: int | None = Field(
        None,
        ge=1,
        description="A question is dropped when at least so many of them answer it wrongly or say "
        "that the answer is not among the options; null: all of them. With fewer than two "
        "models nothing is dropped.",
    )

    @field_validator("wrong")
    @classmethod
    def _can_be_reached(cls, value: int | None, info: ValidationInfo) -> int | None:
        models = info.data.get("models")
        if value is not None and models is not None and value > models:
            raise ValueError(
                f"is more than consensus.models, {models}, and would drop nothing; lower it, or "
                "write null for all of them"
            )
        return value


class Audit(Section):
    """Which entries of the vocabulary make images that are rejected (section 3.3, step 4)."""

    threshold: float = Field(
        0.4,
        gt=0,
        le=1,
        description="An entry is proposed for exclusion when the lower end of the 95 % interval "
        "of its rejection rate is above this.",
    )
