"""Parameters of the renderer ``openai_images``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import Field, field_validator, model_validator

from lvlmbench.config.section import Price
from lvlmbench.core.errors import UserError
from lvlmbench.stages.requests.server import Server

if TYPE_CHECKING:
    from lvlmbench.config import Params

#: Fields of a request that other settings decide.
_TAKEN = ("model", "prompt", "n", "size", "quality", "seed", "response_format", "stream")


class OpenAIImages(Server):
    """A server that speaks the OpenAI images API."""

    changes_no_row = Server.changes_no_row | {"price_per_image"}
    place = "render.openai_images"
    who = "renderer"

    size: str | None = Field(
        None,
        pattern=r"^[1-9][0-9]{1,4}x[1-9][0-9]{1,4}$",
        description="Size of the pictures that are asked for, e.g. `1024x1024`: square, and at "
        "least `render.size`, to which they are made smaller; null: `render.size` itself.",
    )
    quality: str | None = Field(
        None, min_length=1, description="The API's quality setting; null leaves it to the server."
    )
    send_seed: bool = Field(
        False,
        description="Whether requests hold a seed, for servers that take one; OpenAI's takes none.",
    )
    fields: dict[str, str | int | float | bool] = Field(
        {}, description="Further fields of each request, for what a server takes of its own."
    )
    timeout_s: float = Field(
        180.0, gt=0, allow_inf_nan=False, description="Seconds after which a request has failed."
    )
    price_per_image: Price | None = Field(
        None, description="US dollars for a picture, for the cost."
    )

    @field_validator("size")
    @classmethod
    def _square(cls, value: str | None) -> str | None:
        if value is not None:
            width, height = value.split("x")
            if width != height:
                raise ValueError(f"pictures are square; write '{width}x{width}'")
        return value

    @field_validator("fields")
    @classmethod
    def _not_taken(
        cls, value: dict[str, str | int | float | bool]
    ) -> dict[str, str | int | float | bool]:
        for name in _TAKEN:
            if name in value:
                raise ValueError(f"'{name}' is decided elsewhere; take it out")
        return value

    @model_validator(mode="after")
    def _budget_has_price(self) -> OpenAIImages:
        if self.budget_usd is not None and self.price_per_image is None:
            raise ValueError("'budget_usd' needs 'price_per_image', or no cost is known")
        return self

    @property
    def priced(self) -> bool:
        return self.price_per_image is not None


def side_of(settings: OpenAIImages, side: int) -> int:
    """Return the side of the pictures that are asked for, where those that are kept have ``side``
    pixels."""
    return side if settings.size is None else int(settings.size.partition("x")[0])


def check(params: Params, source: str) -> None:
    """Check that pictures need not be enlarged.

    Raises
    ------
    UserError
        They are asked for in a smaller size than they are to have.
    """
    side = params.render.size
    asked = side_of(params.render.own(OpenAIImages), side)
    if asked < side:
        what = f"{asked}x{asked} is smaller than render.size, {side}"
        fix = f"ask for '{side}x{side}' or more, or lower render.size"
        raise UserError(f"{source}: render.openai_images.size", what, fix)
