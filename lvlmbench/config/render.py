"""Parameters of rendering: who draws, how a diffusion pipeline runs, when an image is redrawn."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, field_validator, model_validator

from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.section import (
    Count,
    Name,
    Section,
    a_section,
    each_once,
)

#: What ``render.renderer`` may say beside the name of a registered renderer.
AUTO = "auto"


class Pictograph(Section):
    """The renderer that needs neither weights nor a GPU."""

    supersample: Literal[1, 2] = Field(
        1, description="Draw at this multiple of the size and scale down (2: smoother, slower)."
    )


class Refiner(Section):
    """A second pipeline that ends the denoising (SDXL's base and refiner)."""

    model: str = Field(
        "stabilityai/stable-diffusion-xl-refiner-1.0",
        min_length=1,
        description="Hub id or local folder of the refiner.",
    )
    revision: str | None = Field(
        None, min_length=1, description="Commit of the hub repository, to pin it."
    )
    start: float = Field(
        0.8, gt=0, lt=1, description="Share of the denoising after which the refiner takes over."
    )


class Lettering(Section):
    """How words get into the images of text items."""

    engine: Name = Field(
        "composite",
        description="`composite`: the pipeline draws a blank carrier, and the word is typeset onto "
        "it; `prompt`: the pipeline itself writes what the prompt quotes; `textdiffuser2`: weights "
        "of TextDiffuser-2 draw these images.",
    )
    model: str | None = Field(
        None, min_length=1, description="For textdiffuser2: the local folder of its weights."
    )

    @model_validator(mode="after")
    def _model_fits(self) -> Lettering:
        if self.model is not None and self.engine in ("composite", "prompt"):
            raise ValueError(f"'model' is of no use to {self.engine}; leave it out")
        if self.model is None and self.engine == "textdiffuser2":
            raise ValueError("textdiffuser2 needs 'model', the folder of its weights")
        return self


class Diffusion(Section):
    """A text-to-image pipeline of diffusers."""

    model: str = Field(
        "stabilityai/stable-diffusion-xl-base-1.0",
        min_length=1,
        description="Hub id or local folder of the pipeline.",
    )
    revision: str | None = Field(
        None, min_length=1, description="Commit of the hub repository, to pin it."
    )
    variant: str | None = Field(
        None,
        min_length=1,
        description="Which of several sets of weight files is read, e.g. `fp16`; null: the plain "
        "ones.",
    )
    refiner: Refiner | None = Field(
        None, description="For SDXL: a second pipeline for the last steps; null: none."
    )
    scheduler: Literal[
        "default",
        "ddim",
        "dpmpp_2m",
        "dpmpp_2m_karras",
        "dpmpp_2m_sde_karras",
        "euler",
        "euler_ancestral",
        "heun",
        "unipc",
    ] = Field("default", description="Sampler; `default`: the one that comes with the weights.")
    steps: int = Field(30, ge=1, le=1000, description="Denoising steps.")
    guidance: float = Field(5.0, ge=0, le=50, description="Classifier-free guidance scale.")
    device: Literal["auto", "cpu", "cuda"] = Field(
        "auto", description="Where it runs; auto: on a GPU where there is one."
    )
    dtype: Literal["auto", "float16", "bfloat16", "float32"] = Field(
        "auto",
        description="Precision; auto: on a GPU float16, or bfloat16 for pipelines that need its "
        "range (SD 3, FLUX), else float32.",
    )
    exact: bool = Field(
        True,
        description="Draw one image at a time, so that nothing of an image depends on others; "
        "false: draw in batches, which is faster and may flip a last bit of a color.",
    )
    batch_size: Literal["auto"] | Count = Field(
        "auto",
        description="For `exact: false`: images at once; auto: as many as the GPU has room for. "
        "Halved where memory does not suffice.",
    )
    compile: bool = Field(False, description="Compile the denoiser with torch.compile.")
    channels_last: bool = Field(True, description="Lay images out with channels last in memory.")
    attention: Literal["auto", "native", "math", "flash", "flash_3", "sage", "xformers"] = Field(
        "auto", description="Attention kernel; auto: what diffusers takes."
    )
    vae_slicing: bool = Field(False, description="Decode one image of a batch at a time.")
    vae_tiling: bool = Field(False, description="Decode in tiles, for little memory.")
    offload: Literal["none", "model", "sequential"] = Field(
        "none",
        description="Keep what is not computing in the machine's memory, by part of the pipeline "
        "(`model`) or by layer (`sequential`, slow): for GPUs with little memory.",
    )
    text: Lettering = Field(
        default_factory=lambda: Lettering(),  # type: ignore[call-arg]
        description="How words get into the images of text items.",
    )

    @field_validator("batch_size", mode="before")
    @classmethod
    def _number_or_auto(cls, value: object) -> object:
        if value != "auto" and (not isinstance(value, int) or not 1 <= value <= 4096):
            raise ValueError("should be auto, or a number from 1 to 4096")
        return value

    @model_validator(mode="after")
    def _fit_together(self) -> Diffusion:
        if self.exact and self.batch_size not in ("auto", 1):
            raise ValueError("'batch_size' needs 'exact: false'; exact images are drawn one by one")
        if self.device == "cpu":
            if self.dtype == "float16":
                raise ValueError("a CPU does not compute in float16; write 'dtype: auto'")
            if self.offload != "none":
                raise ValueError("'offload' is for GPUs; write 'none'")
            if self.attention not in ("auto", "native", "math"):
                raise ValueError(f"attention '{self.attention}' is for GPUs; write 'auto'")
        if self.attention in ("flash", "flash_3", "sage") and self.dtype == "float32":
            raise ValueError(
                f"attention '{self.attention}' computes in 16 bits alone; write 'dtype: auto'"
            )
        if self.compile and self.offload == "sequential":
            raise ValueError("'compile' and 'offload: sequential' exclude each other; drop one")
        return self


class Rework(Section):
    """Drawing again what a filter rejects (data clean inside generation)."""

    attempts: int = Field(
        0,
        ge=0,
        le=100,
        description="Further attempts, each with the next seed of its scene, for an image that one "
        "of `filters` rejects. An image that none of them mends stays as it is, for "
        "`filter.filters` to judge, or is left to the `fallback`.",
    )
    filters: tuple[Annotated[FilterSpec, BeforeValidator(a_section)], ...] = Field(
        (),
        description="What is asked after each attempt, written as in `filter.filters`. They stand "
        "here once more so that a new threshold there does not have everything drawn again.",
    )

    @field_validator("filters")
    @classmethod
    def _each_once(cls, value: tuple[FilterSpec, ...]) -> tuple[FilterSpec, ...]:
        each_once("filter", [f.name for f in value])
        return value

    @model_validator(mode="after")
    def _someone_judges(self) -> Rework:
        if self.attempts and not self.filters:
            raise ValueError("'attempts' needs 'filters' that reject images")
        return self


class Render(Section):
    """From scenes to images."""

    renderer: Name = Field(
        "pictograph",
        description="Which registered renderer draws; `auto`: `diffusion` where its weights and a "
        "GPU are found, else `pictograph`.",
    )
    fallback: Name | None = Field(
        None,
        description="Renderer that draws the scenes that `renderer` does not draw, or of which no "
        "attempt passed `rework.filters`; null: none.",
    )
    size: int = Field(
        512,
        ge=64,
        le=4096,
        description="Side of the square images, in pixels.",
        json_schema_extra={"multipleOf": 8},
    )
    shard_images: int = Field(
        400, ge=1, description="Scenes an image shard; changes no row, only how they are split."
    )
    pictograph: Pictograph = Field(
        default_factory=lambda: Pictograph(),  # type: ignore[call-arg]
        description="Parameters of the renderer `pictograph`.",
    )
    diffusion: Diffusion = Field(
        default_factory=lambda: Diffusion(),  # type: ignore[call-arg]
        description="Parameters of the renderer `diffusion`.",
    )
    rework: Rework = Field(
        default_factory=lambda: Rework(),  # type: ignore[call-arg]
        description="When an image is drawn again.",
    )

    @field_validator("size")
    @classmethod
    def _multiple_of_8(cls, value: int) -> int:
        if value % 8:
            down = value - value % 8
            raise ValueError(f"{value} is not a multiple of 8; use {down} or {down + 8}")
        return value

    @model_validator(mode="after")
    def _fallback_is_another(self) -> Render:
        if self.fallback == AUTO:
            raise ValueError("'fallback' cannot be auto; name a renderer")
        if self.fallback is not None and self.fallback == self.renderer:
            raise ValueError(f"'fallback' is the renderer itself, {self.renderer}; drop it")
        return self
