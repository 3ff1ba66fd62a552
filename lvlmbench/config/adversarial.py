"""Parameters of the scenario ``adversarial``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lvlmbench.config.base import Section


class Adversarial(Section):
    """Projected gradient descent on a proxy's image encoder; see docs/adversarial.md."""

    proxy: str = Field(
        "reference_a",
        min_length=1,
        description="Whose image encoder is attacked: a reference model, a model of open_clip "
        "(`ViT-L-14`, `local-dir:FOLDER`, `hf-hub:ID`), or the vision tower of an InstructBLIP or "
        "BLIP-2 (`transformers:ID or FOLDER`).",
    )
    pretrained: str | None = Field(
        None, min_length=1, description="For a name of open_clip: the tag or file of the weights."
    )
    norm: Literal["Linf", "L2"] = Field("Linf", description="Norm that bounds the perturbation.")
    epsilon: float = Field(
        8 / 255, gt=0, le=1, description="Bound of the perturbation, of pixels between 0 and 1."
    )
    step: float = Field(2 / 255, gt=0, le=1, description="Length of a step.")
    steps: int = Field(10, ge=1, le=1000, description="Steps.")
    random_start: bool = Field(True, description="Start at a random point within the bound.")
    batch_size: int = Field(16, ge=1, le=4096, description="Images attacked at once.")
    device: Literal["auto", "cpu", "cuda"] = Field(
        "auto", description="Where a proxy that is no reference model computes."
    )
