"""Parameters of a server that answers as OpenAI's does."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from lvlmbench.config.section import Price, Section, no_truth_value
from lvlmbench.stages.requests.server import Server


class Sampling(Section):
    """Decoding parameters sent with each request."""

    temperature: float | None = Field(
        0.0, ge=0, le=2, description="Sampling temperature; null leaves it to the server."
    )
    max_tokens: int = Field(512, ge=1, description="Most tokens of an answer.")
    reasoning_tokens: int | None = Field(
        None,
        ge=1,
        description="Tokens of reasoning in front of an answer, beside `max_tokens`; null: it is "
        "part of `max_tokens`. Servers have one limit: the sum is sent.",
    )
    max_tokens_if_cut: int | None = Field(
        None,
        ge=1,
        description="`max_tokens` of the second request where an answer was cut off at the first; "
        "null: there is none. `lvlmbench retry --truncated --max-tokens N` writes it.",
    )
    seed: int | None = Field(None, description="Seed sent to servers that take one.")

    @model_validator(mode="after")
    def _more_if_cut(self) -> Sampling:
        if self.max_tokens_if_cut is not None and self.max_tokens_if_cut <= self.max_tokens:
            raise ValueError(
                f"'max_tokens_if_cut' ({self.max_tokens_if_cut}) must be more than 'max_tokens' "
                f"({self.max_tokens})"
            )
        return self


class Endpoint(Server):
    """Where and how an OpenAI-compatible server is asked."""

    place = "endpoint"
    who = "model"

    sampling: Sampling = Field(
        default_factory=lambda: Sampling(),  # type: ignore[call-arg]
        description="Decoding parameters.",
    )
    limit_name: Literal["max_tokens", "max_completion_tokens"] | None = Field(
        None,
        description="Name under which the limit of tokens is sent; null: `max_tokens`, and the "
        "other one once the server says that it does not know this one.",
    )
    image_detail: Literal["auto", "low", "high"] = Field(
        "auto", description="The API's image detail setting."
    )
    several_images: bool = Field(
        False,
        description="Whether an image that is put together of several pictures is sent as these, "
        "one after the other; by default it is sent as one image, as in TouchStone (4.2).",
    )
    tokens_per_minute: Annotated[int, BeforeValidator(no_truth_value), Field(ge=1)] | None = Field(
        None, description="Tokens, sent and received, in a minute at most; null: no limit."
    )
    price_per_million: tuple[Price, Price] | None = Field(
        None, description="US dollars for a million prompt and completion tokens, for the cost."
    )
    logprobs: bool = Field(
        False,
        description="Ask for the probabilities of the first token, for `score.strategy: logprobs`.",
    )

    @model_validator(mode="after")
    def _budget_has_prices(self) -> Endpoint:
        if self.budget_usd is not None and self.price_per_million is None:
            raise ValueError("'budget_usd' needs 'price_per_million', or no cost is known")
        return self

    @property
    def priced(self) -> bool:
        return self.price_per_million is not None

    @property
    def limits(self) -> tuple[int | None, int | None]:
        return self.requests_per_minute, self.tokens_per_minute
