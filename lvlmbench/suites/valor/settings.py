"""Settings of the suite ``valor``."""

from __future__ import annotations

from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.suites.valor.association.settings import Associating
from lvlmbench.suites.valor.outlines import FOLDER


class Hallucinating(Section):
    """Scenes to be described, with truth that is complete (VALOR-Eval)."""

    design: bool = Field(
        True,
        description="Whether three of four scenes about objects are a triplet with one layout: an "
        "anchor without what is expected with it, another thing in its place, and both together. "
        "The fourth is at random, as all are without.",
    )
    association: Associating = Field(
        default_factory=lambda: Associating(),  # type: ignore[call-arg]
        description="What is expected with what.",
    )
    probes: int = Field(
        1,
        ge=0,
        le=2,
        description="Of each scene about objects, so many things of each of three sorts that are "
        "not there are also asked about (POPE), and as many that are there. A scene of "
        "fewer than six things has one pair of each sort at most.",
    )

    def folders(self) -> tuple[str, ...]:
        """Return what associations are counted from, and what is known of drawings."""
        return (self.association.source, FOLDER)
