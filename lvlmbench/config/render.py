"""Parameters of rendering: who draws, how a diffusion pipeline runs, when an image is redrawn."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, field_validator, model_validator

from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.section import (
    Composed,
    Name,
    Section,
    a_section,
    once,
    unknown_key,
    validated,
)
from lvlmbench.core.registry import kinds_of

#: What ``render.renderer`` may say beside the name of a registered renderer.
AUTO = "auto"


def first_renderer() -> str:
    """Return the renderer that draws where none is written."""
    return str(kinds_of("renderers").first().name)


class Retries(Section):
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

    _each_once = field_validator("filters")(once("filter"))

    @model_validator(mode="after")
    def _someone_judges(self) -> Retries:
        if self.attempts and not self.filters:
            raise ValueError("'attempts' needs 'filters' that reject images")
        return self


class Render(Composed):
    """From scenes to images."""

    registry = "renderers"

    renderer: Name = Field(
        default_factory=first_renderer,
        description="Which registered renderer draws; `auto`: one that wants a GPU where its "
        "weights and a GPU are found, else the one that needs neither.",
    )
    fallback: Name | None = Field(
        None,
        description="Renderer that draws the scenes that `renderer` does not draw, or of which no "
        "attempt passed `retries.filters`; null: none.",
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
    retries: Retries = Field(
        default_factory=lambda: Retries(),  # type: ignore[call-arg]
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

    @model_validator(mode="before")
    @classmethod
    def _sections_fit(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        taken = {k: v for k, v in value.items() if k in cls.model_fields}
        kinds = {k.section: k for k in cls.kinds().ordered() if k.settings is not None}
        named = (value.get("renderer"), value.get("fallback"))
        for key, content in value.items():
            if key not in taken and key not in kinds:
                if key not in named:
                    raise unknown_key(key, content)
                taken[key] = content  # of a renderer that is not installed
        ours = cls.kinds().ours()
        for key, kind in kinds.items():
            complete = not any(f.is_required() for f in kind.settings.model_fields.values())
            if key in value or kind.name in named or (kind.name in ours and complete):
                given = value.get(key)
                taken |= validated({key: kind.settings}, {key: {} if given is None else given})
        return taken
