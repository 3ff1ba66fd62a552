"""The scenario ``clean``: the images as they were drawn."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.config import Params
from lvlmbench.config.scenarios import CLEAN, ScenarioSpec
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.scenario.scenario import SCENARIOS, Row, Shard, Weights


class Clean:
    """Every image, unchanged."""

    def apply(self, shard: Shard) -> Iterator[Row]:
        """Yield the rows of the shard's images."""
        yield from shard.images.to_pylist()


@SCENARIOS.register(
    CLEAN,
    vocabulary=False,
    copies=True,
    about="the image as it was drawn",
    exactness=(Promise(Exactness.EVERYWHERE, "takes the images as they were drawn"),),
)
def make(params: Params, spec: ScenarioSpec, weights: Weights) -> Clean:
    """Make the scenario."""
    return Clean()
