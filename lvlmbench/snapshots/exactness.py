"""How exactly a stage's artifacts can be made again, elsewhere (docs/reproducibility.md)."""

from __future__ import annotations

from enum import StrEnum


class Exactness(StrEnum):
    """From the strongest promise to none."""

    #: The same bytes on every machine (x86-64) with the packages of requirements.lock.
    EVERYWHERE = "everywhere"
    #: The same bytes on the same hardware, with the same weights, libraries and driver.
    HARDWARE = "hardware"
    #: The artifact is what is pinned: the same bytes by pulling only.
    ARTIFACT = "artifact"
