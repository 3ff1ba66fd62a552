"""What makes a level of difficulty: how much a picture shows, how large, and before what."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, model_validator

from lvlmbench.config.section import Section

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
    panels: Literal[1, 4] = Field(
        default=1,
        description="4 shows the same things in four pictures side by side in two of three scenes; "
        "one asks in how many of them something is so, and in which.",
    )

    @model_validator(mode="after")
    def _can_be(self) -> Level:
        for name, (low, high) in (("things", self.things), ("span", self.span)):
            if low > high:
                raise ValueError(f"{name}: {low} is more than {high}")
        if not 1 <= self.things[0] <= self.things[1] <= MOST:
            raise ValueError(f"things: a picture shows 1 to {MOST}")
        if self.panels > 1 and self.span[0] < _CLEAR:
            raise ValueError(f"span: things in {self.panels} pictures are clear from {_CLEAR} on")
        most = self.things[1] if self.panels == 1 else max(self.things[1], CROWD)
        if most * (self.span[0] + 30) ** 2 > 700_000 // self.panels:
            where = "a picture" if self.panels == 1 else f"one of {self.panels} pictures"
            raise ValueError(f"{most} things of {self.span[0]} thousandths do not fit into {where}")
        return self


#: Things that a picture shows at most; and one of several pictures in which things are counted.
MOST, CROWD = 8, 7
#: Least longest side, in thousandths, of things that are clear in one of several pictures.
_CLEAR = 110
