"""Settings of the suite ``composed``: what makes its levels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field, model_validator

from lvlmbench.config.section import Name, Section
from lvlmbench.core.errors import UserError

if TYPE_CHECKING:
    from lvlmbench.config import Params

#: Bounds of a longest side, in thousandths of the picture's.
Span = Annotated[int, Field(ge=80, le=600)]


class Level(Section):
    """How difficult scenes and questions of a level are."""

    things: tuple[int, int] = Field(description="Least and largest number of things in a picture.")
    span: tuple[Span, Span] = Field(
        description="Least and largest longest side of a thing, in thousandths of the picture's."
    )
    background: bool = Field(description="Whether things stand before a background.")
    style: bool = Field(description="Whether pictures have styles.")
    weather: bool = Field(description="Whether pictures have weather or another light.")
    hops: int = Field(ge=0, le=3, description="Steps from one thing to another in a question.")
    near: int = Field(ge=0, le=3, description="Wrong options that look like the right one.")

    @model_validator(mode="after")
    def _can_be(self) -> Level:
        for name, (low, high) in (("things", self.things), ("span", self.span)):
            if low > high:
                raise ValueError(f"{name}: {low} is more than {high}")
        if not 1 <= self.things[0] <= self.things[1] <= MOST:
            raise ValueError(f"things: a picture shows 1 to {MOST}")
        room = self.things[1] * (self.span[0] + 30) ** 2
        if room > 700_000:
            raise ValueError(
                f"{self.things[1]} things of {self.span[0]} thousandths do not fit into a picture"
            )
        return self


#: Things that a picture shows at most.
MOST = 8


def _level(
    things: tuple[int, int], span: tuple[int, int], scenery: tuple[bool, bool, bool], *more: int
) -> Level:
    background, style, weather = scenery
    return Level(
        things=things, span=span, background=background, style=style, weather=weather,
        hops=more[0], near=more[1],
    )  # fmt: skip


def _levels() -> dict[str, Level]:
    return {
        "easy": _level((1, 3), (230, 340), (False, False, False), 0, 0),
        "medium": _level((3, 5), (170, 260), (True, False, False), 1, 1),
        "hard": _level((5, 8), (128, 190), (True, True, True), 2, 3),
    }


class Composing(Section):
    """Scenes with several things."""

    twins: bool = Field(
        True,
        description="Whether each second scene is the twin of the one before it: the same but for "
        "one fact, asked the same question.",
    )
    levels: dict[Name, Level] = Field(
        default_factory=_levels,
        min_length=1,
        description="Levels of difficulty by name; scenes take them in turn.",
    )


def check_twins(params: Params, source: str) -> None:
    """Check that twins stand side by side in one shard.

    Raises
    ------
    UserError
        A number of scenes is odd.
    """
    corpus = params.corpus
    if not corpus.own(Composing).twins:
        return
    numbers = {"scenes_per_subtask": corpus.scenes_per_subtask, "shard_scenes": corpus.shard_scenes}
    numbers |= {f"scenes.{name}": n for name, n in corpus.scenes.items()}
    for name, number in numbers.items():
        if number % 2:
            raise UserError(
                f"{source}: suites.{params.suite}.corpus.{name}",
                f"is {number}, but each scene has a twin",
                f"write {number + 1}, or 'twins: false' under composed",
            )
