"""Registry of scenarios: conditions under which the items of the clean scenario are shown.

A scenario takes clean images, and the questions about them where it works per question, and gives
the images to show instead, each with a record of what was done to it (Dysca, section 3.3).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.registry import Registry


class Scenario(Protocol):
    """One scenario: a pure function of the tables and the parameters."""

    name: str

    def apply(self, images: pa.Table, questions: pa.Table) -> pa.Table:
        """Images of the scenario, as ``tables.IMAGES``, in the order of ``images``."""
        ...


SCENARIOS: Registry[Callable[[Params], Scenario]] = Registry("scenarios", "lvlmbench.scenarios")
