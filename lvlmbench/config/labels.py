"""Parameters of what people say of a snapshot."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, Field

from lvlmbench.config.section import Section, inside


class Labels(Section):
    """Labels that people have given with ``lvlmbench label``."""

    folder: Annotated[str, AfterValidator(inside)] = Field(
        "data/labels",
        description="Folder of the labels, relative to the project's root: "
        "`<suite>/<sheet>/<rater>.json`.",
    )
