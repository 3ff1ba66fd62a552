"""Parameters of weights that run on this machine."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from lvlmbench.config.section import Section

#: The format that is chosen by what the model's repository holds.
AUTO = "auto"


class LocalWeights(Section):
    """A vision-language model of the package transformers, run on this machine."""

    model: str = Field(min_length=1, description="Hub id, or folder with weights and processor.")
    revision: str | None = Field(
        None, min_length=1, description="Commit, tag or branch of the hub's repository."
    )
    format: str = Field(
        AUTO,
        min_length=1,
        description="How a prompt is put; auto: by the repository's chat template, else in the "
        "format known for its `model_type`; or a name of docs/models.md.",
    )
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = Field(
        "auto", description="Precision; auto: bfloat16 on a GPU that has it, else float32."
    )
    device: Literal["auto", "cpu", "cuda"] = Field(
        "auto", description="Where it runs; auto: on a GPU where there is one."
    )
    attention: Literal["auto", "eager", "sdpa", "flash_attention_2"] = Field(
        "auto", description="Attention kernel; auto: what the model prefers."
    )
    batch_size: int = Field(
        8, ge=1, le=4096, description="Questions at once; halved where memory does not suffice."
    )
    max_tokens: int = Field(512, ge=1, description="Most tokens of an answer.")
    reasoning_tokens: int | None = Field(
        None,
        ge=1,
        description="Tokens of reasoning in front of an answer, beside `max_tokens`; null: it is "
        "part of `max_tokens`.",
    )
    max_tokens_if_cut: int | None = Field(
        None,
        ge=1,
        description="`max_tokens` of the second request where an answer was cut off at the first; "
        "null: there is none. `lvlmbench retry --truncated --max-tokens N` writes it.",
    )
    logprobs: bool = Field(
        False,
        description="Keep the probabilities of the first token, for `score.strategy: logprobs`.",
    )

    several_images: bool = Field(
        False,
        description="Whether an image that is put together of several pictures is shown as these, "
        "one after the other, to a model with a chat template that takes several images; by "
        "default it is shown as one image, as in TouchStone (4.2).",
    )

    @model_validator(mode="after")
    def _more_if_cut(self) -> LocalWeights:
        if self.max_tokens_if_cut is not None and self.max_tokens_if_cut <= self.max_tokens:
            raise ValueError(
                f"'max_tokens_if_cut' ({self.max_tokens_if_cut}) must be more than 'max_tokens' "
                f"({self.max_tokens})"
            )
        return self
