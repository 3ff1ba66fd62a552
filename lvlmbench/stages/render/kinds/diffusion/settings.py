"""Parameters of the renderer ``diffusion``."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from lvlmbench.config.section import Count, Engined, Known, Name, Section
from lvlmbench.core.registry import kinds_of


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


class Lettering(Engined):
    """How words get into the images of text items."""

    registry = "text_engines"

    engine: Annotated[Name, Known("text_engines")] = Field(
        default_factory=lambda: kinds_of("text_engines").first().name,
        description="What writes the words; docs/gpu.md tells what each does.",
    )


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
        default_factory=lambda: Lettering(),
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
