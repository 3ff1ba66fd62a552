"""Settings of the suite ``valor``."""

from __future__ import annotations

from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.suites.valor.outlines import FOLDER


class Hallucinating(Section):
    """Scenes to be described, with truth that is complete (VALOR-Eval)."""

    probes: int = Field(
        1,
        ge=0,
        le=3,
        description="Of each scene about objects, so many things that are there and so many of "
        "each of three sorts that are not there are also asked about: POPE's probes.",
    )

    def folders(self) -> tuple[str, ...]:
        """Return what is known of drawings."""
        return (FOLDER,)
