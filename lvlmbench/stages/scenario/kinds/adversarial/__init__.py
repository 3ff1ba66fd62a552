"""Scenario ``adversarial``: projected gradient descent on a proxy's image encoder.

Madry et al., "Towards Deep Learning Models Resistant to Adversarial Attacks" (2018); Dysca
(section 3.3) attacks InstructBLIP so and shows the images to all models. ``proxies`` and ``blip``
load the encoder, ``pgd`` runs the attack, ``carry`` brings it back to the full-size image,
``scenario`` puts them together. docs/scenarios.md explains.
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
    """The scenario; loads the proxy's weights."""
    from lvlmbench.stages.scenario.kinds.adversarial.scenario import AdversarialScenario

    return AdversarialScenario(params, spec, weights)


def check(params: Params, spec: ScenarioSpec, where: str) -> None:
    """Whether the proxy is there and takes images of this size, as far as files tell."""
    from lvlmbench.stages.scenario.kinds.adversarial.checks import check_adversarial

    check_adversarial(params, spec, where)


SCENARIOS.register("adversarial")(Kind(make, check=check))
