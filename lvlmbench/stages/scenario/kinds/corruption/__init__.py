"""Scenario ``corruption``: damage as cameras, channels and scanners do it (Dysca, section 3.3).

``severities`` holds the parameters of every kind at every severity, ``damage`` applies one of
them to one image, ``scenario`` chooses which image gets what. docs/scenarios.md describes all.
"""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.stages.scenario.scenario import (
    SCENARIOS,
    Kind,
    Scenario,
    Weights,
)


def make(params: Params, spec: ScenarioSpec, weights: Weights) -> Scenario:
    """The scenario; it needs no trained model."""
    from lvlmbench.stages.scenario.kinds.corruption.scenario import Corruptions

    return Corruptions(params, spec)


SCENARIOS.register("corruption")(Kind(make))
