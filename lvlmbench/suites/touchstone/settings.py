"""Settings of the suite ``touchstone``."""

from __future__ import annotations

from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.suites.touchstone.knowledge import FOLDER


class Conversing(Section):
    """Questions whose free answers are compared with references (TouchStone)."""

    turns: bool = Field(
        True,
        description="Whether every third scene of a task that allows it is asked about in several "
        "turns: what was said before is shown, and the question speaks of it.",
    )

    def folders(self) -> tuple[str, ...]:
        """Return what is known of the world."""
        return (FOLDER,)
