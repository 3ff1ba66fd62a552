"""A request of a role, and what became of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from lvlmbench.core.seeding import item_id
from lvlmbench.stages.roles.replies import Bound
from lvlmbench.stages.roles.templates import Template

Status: TypeAlias = Literal["answered", "refused", "malformed", "error", "timeout"]


@dataclass(frozen=True)
class Request:
    """One thing that a role is asked.

    Attributes
    ----------
    item, round
        What it is about, and which of several times it is asked about that.
    template, prompt
        The template and what was made of it.
    form
        Schema of the reply.
    check
        Says what is wrong with a reply of that form, or None.
    images
        Encoded image files, in the order shown.
    """

    item: str
    template: Template
    prompt: str
    form: type[Bound]
    check: Callable[[Any], str | None]
    round: int = 0
    images: tuple[bytes, ...] = field(default=(), repr=False)

    @property
    def request_id(self) -> str:
        """Hash of what it is for and about."""
        return item_id("request", self.template.purpose, self.item, str(self.round))


@dataclass(frozen=True)
class Outcome:
    """What became of a request.

    Attributes
    ----------
    value
        What the reply says, None unless answered.
    why
        Why there is nothing, in one line.
    """

    status: Status
    value: Any = None
    why: str | None = None
