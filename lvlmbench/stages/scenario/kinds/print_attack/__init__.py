"""Scenario ``print_attack``: a wrong answer, printed on the image (Dysca, section 3.3).

A typographic attack after Cheng et al., "Unveiling Typographic Deceptions" (2024), who vary the
size, color, opacity and position of the text; Dysca turns it, too. docs/scenarios.md explains.
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
    """The scenario with the settings of ``spec.print_attack``."""
    from lvlmbench.stages.scenario.kinds.print_attack.attack import PrintAttackScenario

    return PrintAttackScenario(params, spec)


def check(params: Params, spec: ScenarioSpec, where: str) -> None:
    """Whether the font has all letters and the images have room for all labels."""
    from lvlmbench.stages.scenario.kinds.print_attack.checks import check_print_attack

    check_print_attack(params, spec, where)


SCENARIOS.register("print_attack")(Kind(make, check=check))
