"""Scenario ``blind``: the question without its image (Dysca, section 4.2, blind setting).

What a model gets right here it knows without looking: from its training data or from how the
questions are made.
"""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.scenario.scenario import SCENARIOS, Row, Shard, Weights, perturbation, shown


class Blind:
    """Shows nothing."""

    def __init__(self, params: Params, spec: ScenarioSpec) -> None:
        self._params, self._spec = params, spec

    def apply(self, shard: Shard) -> Iterator[Row]:
        """One row a clean image, without a picture."""
        columns = [name for name in shard.images.schema.names if name != "image"]
        for clean in shard.images.select(columns).to_pylist():
            yield shown(self._params, self._spec, clean, None, perturbation("no_image"))


@SCENARIOS.register(
    "blind",
    place=5,
    defaults={40: {"name": "blind"}},
    control=True,
    pictures=False,
    column="blind",
    paper=1,
    exactness=(Promise(Exactness.EVERYWHERE, "leaves them out"),),
)
def make(params: Params, spec: ScenarioSpec, weights: Weights) -> Blind:
    """The scenario; it needs no settings."""
    return Blind(params, spec)
