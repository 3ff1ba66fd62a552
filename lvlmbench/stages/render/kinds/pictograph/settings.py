"""What users may set of the renderer ``pictograph``."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from lvlmbench.config.section import Section


class Pictograph(Section):
    """The renderer that needs neither weights nor a GPU."""

    supersample: Literal[1, 2] = Field(
        1, description="Draw at this multiple of the size and scale down (2: smoother, slower)."
    )
