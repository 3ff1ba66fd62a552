"""Parameters of judging: who reads free answers, and how judges that are asked are asked."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, field_validator

from lvlmbench.config.roles import Filled
from lvlmbench.config.section import Section, inside, once


class Judge(Filled):
    """One judge."""

    registry = "judges"
    role = "judge"


class Judging(Section):
    """Who says what free answers claim, and what of it is true."""

    judges: tuple[Judge, ...] = Field(
        (),
        description="Judges. Each judges all free answers; their agreement is told.",
    )
    swap: bool = Field(
        True,
        description="Ask about two answers in both orders, so that no judge can favor the first.",
    )
    repairs: int = Field(
        2,
        ge=0,
        le=10,
        description="How often a judge is asked again whose reply is malformed: with what is wrong "
        "with it, then afresh, in turn. After that its judgement is missing.",
    )
    prompts: Annotated[str | None, AfterValidator(lambda v: v and inside(v))] = Field(
        None,
        description="Folder of prompts, relative to the project's root, that lie over those of "
        "`data/prompts/default` file by file; null: those alone.",
    )

    _each_once = field_validator("judges")(once("judge"))
