"""How exactly an artifact can be made again, elsewhere (docs/reproducibility.md)."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Exactness(StrEnum):
    """From the strongest promise to none."""

    #: The same bytes on every machine (x86-64) with the packages of requirements.lock.
    EVERYWHERE = "everywhere"
    #: The same bytes on the same hardware, with the same weights, libraries and driver.
    HARDWARE = "hardware"
    #: The artifact is what is pinned: the same bytes by pulling only.
    ARTIFACT = "artifact"

    @property
    def rank(self) -> int:
        """Return 0 for the strongest promise, and more for weaker ones."""
        return list(Exactness).index(self)


class Promise(NamedTuple):
    """What a kind promises of what it makes.

    Attributes
    ----------
    exact, why
        How exactly it can be made again, and the reason in one sentence.
    when
        Words after the kind's name where it promises different things, e.g. "on the CPU".
    """

    exact: Exactness
    why: str
    when: str = ""


#: Of a kind that declares no promise.
NOTHING = Promise(Exactness.ARTIFACT, "another package makes it and has promised nothing")

#: Why a verdict by a network holds on the same hardware alone.
NETWORK = "a neural network in its own precision; scores are rounded to six decimals"
