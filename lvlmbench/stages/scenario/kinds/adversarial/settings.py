"""Parameters of the scenario ``adversarial``."""

from __future__ import annotations

import math
from typing import Literal

from pydantic import Field, field_validator, model_validator

from lvlmbench.config.reference import REFERENCE_MODELS
from lvlmbench.config.section import Section

TRANSFORMERS = "transformers:"

#: What the attack does to the cosines of the image's vector.
Objective = Literal["caption", "option", "features"]

#: Prefixes of proxies that say where weights lie.
_PLACES = ("local-dir:", "hf-hub:", TRANSFORMERS)


class Adversarial(Section):
    """Projected gradient descent on a proxy's image encoder; see docs/scenarios.md."""

    proxy: str = Field(
        REFERENCE_MODELS[0],
        min_length=1,
        description="Whose image encoder is attacked: a reference model, a model of open_clip "
        "(`ViT-L-14`, `local-dir:FOLDER`, `hf-hub:ID`), or the vision tower of an InstructBLIP or "
        "BLIP-2 (`transformers:ID or FOLDER`).",
    )
    pretrained: str | None = Field(
        None, min_length=1, description="For a name of open_clip: the tag or file of the weights."
    )
    visual_encoder: str | None = Field(
        None,
        min_length=1,
        description="What the attacked encoder is called. A model under test that gives the same "
        "name as its `visual_encoder` was attacked itself (white-box). null: `proxy`, followed by "
        "`/` and `pretrained` where there is one.",
    )
    objective: Objective | None = Field(
        None,
        description="`caption`: less similar to the true caption; `option`: and more to that of a "
        "wrong option; `features`: less similar to the clean image. null: `caption`, or "
        "`features` for a tower of `transformers:`, which reads no text.",
    )
    norm: Literal["Linf", "L2"] = Field(
        "Linf",
        description="Norm that bounds the perturbation: of each value, or of the whole image at "
        "the proxy's input resolution.",
    )
    epsilon: float = Field(
        8 / 255,
        gt=0,
        le=1,
        description="Bound of the perturbation, of pixels between 0 and 1; at least 1/255, one "
        "level of 8 bits.",
    )
    step: float = Field(2 / 255, gt=0, le=1, description="Length of a step.")
    steps: int = Field(10, ge=1, le=1000, description="Steps.")
    random_start: bool = Field(True, description="Start at a random point within the bound.")
    batch_size: int = Field(
        16,
        ge=1,
        le=4096,
        description="Images attacked at once on a GPU. On the CPU batches have a fixed size, so "
        "that it changes no byte.",
    )
    device: Literal["auto", "cpu", "cuda"] = Field(
        "auto", description="Where a proxy that is no reference model computes."
    )

    @field_validator("epsilon", "step", mode="before")
    @classmethod
    def _between_0_and_1(cls, value: object) -> object:
        number = value if isinstance(value, int | float) else math.nan
        if not 0 < number <= 1:
            raise ValueError(
                "should be a number above 0, and 1 at most, of pixels between 0 and 1; 8/255 is "
                "0.0313725"
            )
        return value

    @field_validator("epsilon")
    @classmethod
    def _one_level_at_least(cls, value: float) -> float:
        if value * 255 < 1 - 1e-9:
            raise ValueError("changes no pixel of 8 bits; write 0.00392157 (1/255) to 1")
        return value

    @model_validator(mode="after")
    def _fits(self) -> Adversarial:
        if self.step > 2 * self.epsilon:
            raise ValueError(
                f"a step of {self.step:.6g} leaps over the whole ball; write at most twice the "
                f"epsilon ({2 * self.epsilon:.6g})"
            )
        if self.pretrained is not None and self.proxy.startswith((*REFERENCE_MODELS, *_PLACES)):
            raise ValueError(
                f"'pretrained' is of no use to '{self.proxy}', which has its weights; leave it out"
            )
        if self.objective in ("caption", "option") and self.proxy.startswith(TRANSFORMERS):
            raise ValueError(
                f"the objective '{self.objective}' needs texts, and '{self.proxy}' reads none; "
                "write 'objective: features'"
            )
        if self.aim == "features" and not self.random_start:
            raise ValueError(
                "the objective 'features' needs 'random_start: true': at the clean image its "
                "gradient is zero"
            )
        return self

    @property
    def attacked(self) -> str:
        """Name of the attacked encoder, also where none is written."""
        weights = f"/{self.pretrained}" if self.pretrained is not None else ""
        return self.visual_encoder or f"{self.proxy}{weights}"

    @property
    def aim(self) -> Objective:
        """The objective, also where none is written."""
        if self.objective is not None:
            return self.objective
        return "features" if self.proxy.startswith(TRANSFORMERS) else "caption"
