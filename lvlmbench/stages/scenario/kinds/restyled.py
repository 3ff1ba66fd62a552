"""Scenario ``restyled``: the same scenes in several styles (Dysca, section 3.4, equation 2).

It shows the pictures that were drawn for it, which no other scenario does: of each base scene
several, in which the style alone differs. Their questions are the same, word for word.
"""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.scenario.scenario import SCENARIOS, Row, Shard, Weights, perturbation, shown


class Restyled:
    """Shows each picture of a scene that has a base, unchanged."""

    def __init__(self, params: Params, spec: ScenarioSpec) -> None:
        self._params, self._spec = params, spec

    def apply(self, shard: Shard) -> Iterator[Row]:
        """One row a picture."""
        columns = (shard.scenes[name].to_pylist() for name in ("scene_id", "base", "style"))
        about = {
            scene: {"base": base, "style": style}
            for scene, base, style in zip(*columns, strict=True)
        }
        for drawn in shard.images.to_pylist():
            done = perturbation("style", parameters=about[drawn["scene_id"]])
            yield shown(self._params, self._spec, drawn, drawn["image"]["bytes"], done)


@SCENARIOS.register(
    "restyled",
    vocabulary=False,
    place=7,
    again=True,
    about="the same scene in several styles, with the same questions",
    images=lambda params, spec, scenes: 0.0,
    every=lambda spec: True,
    exactness=(Promise(Exactness.EVERYWHERE, "takes the images as they were drawn"),),
)
def make(params: Params, spec: ScenarioSpec, weights: Weights) -> Restyled:
    """The scenario; how much it shows is for the suite to say."""
    return Restyled(params, spec)
