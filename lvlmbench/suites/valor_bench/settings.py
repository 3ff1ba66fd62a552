"""Settings of the suite ``valor_bench``: where the user's copy lies."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from lvlmbench.config.section import Section, inside


def _place(value: str | None) -> str | None:
    return None if value is None else inside(value)


class OwnCopy(Section):
    """Where a user's own copy of VALOR-Bench lies."""

    folder: Annotated[str | None, AfterValidator(_place)] = Field(
        None,
        description="Folder that holds `human_annotation` as released, and `generation` where the "
        "released prompts are to be sent; relative to the project's root, or absolute.",
    )
    images: Annotated[str | None, AfterValidator(_place)] = Field(
        None,
        description="Folder below which the pictures lie; null: `images` in `folder`.",
    )

    def folders(self) -> tuple[str, ...]:
        """Return the folders that are read; none where none is named."""
        return tuple(each for each in (self.folder, self.images) if each is not None)
