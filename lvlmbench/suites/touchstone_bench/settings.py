"""Settings of the suite ``touchstone_bench``: where the user's table lies."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field, field_validator

from lvlmbench.config.section import Section, inside
from lvlmbench.core.errors import meant
from lvlmbench.suites.dialogue import TASKS


def _place(value: str | None) -> str | None:
    return None if value is None else inside(value)


class OwnQuestions(Section):
    """Where a user's own copy of TouchStone's questions lies."""

    file: Annotated[str | None, AfterValidator(_place)] = Field(
        None,
        description="The table as released, `.tsv`, with the pictures in it; relative to the "
        "project's root, or absolute.",
    )
    tasks: dict[str, str] = Field(
        default_factory=dict,
        description="Subtask by `task_name` of the table, for names that are not known, e.g. "
        "`{Sights: touchstone_landmark}`. They count before all other readings of a name.",
    )

    @field_validator("tasks")
    @classmethod
    def _known(cls, value: dict[str, str]) -> dict[str, str]:
        for name, task in value.items():
            if task not in TASKS:
                fix = meant(task, TASKS, f"use one of: {', '.join(TASKS)}")
                raise ValueError(f"'{name}' is to be '{task}', which is no subtask; {fix}")
        return value

    def folders(self) -> tuple[str, ...]:
        """Return the file that is read; nothing where none is named."""
        return () if self.file is None else (self.file,)
