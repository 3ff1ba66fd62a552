"""The scenario ``clean``: the images as they were drawn."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.stages.scenario.scenario import SCENARIOS, Kind, Row, Shard, Weights


@dataclass(frozen=True)
class Clean:
    """Every image, unchanged."""

    def apply(self, shard: Shard) -> Iterator[Row]:
        """Yield the rows of the shard's images."""
        yield from shard.images.to_pylist()


def make(params: Params, spec: ScenarioSpec, weights: Weights) -> Clean:
    """Make the scenario."""
    return Clean()


SCENARIOS.register("clean")(Kind(make, copies=True))
