"""Scenario ``print_attack``: a wrong answer, printed on the image (Dysca, section 3.3).

A typographic attack after Cheng et al., "Unveiling Typographic Deceptions" (2024), who vary the
size, color, opacity and position of the text; Dysca turns it, too. docs/scenarios.md explains.
"""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.scenario.kinds.print_attack.settings import PrintAttack
from lvlmbench.stages.scenario.scenario import SCENARIOS, Scenario, Weights


def check(params: Params, spec: ScenarioSpec, where: str) -> None:
    """Whether the font has all letters and the images have room for all labels."""
    from lvlmbench.stages.scenario.kinds.print_attack.checks import check_print_attack

    check_print_attack(params, spec, where)


@SCENARIOS.register(
    "print_attack",
    settings=PrintAttack,
    check=check,
    place=2,
    defaults={20: {"name": "print_attack"}},
    a_question=True,
    images=lambda params, spec, scenes: scenes * params.corpus.questions_per_scene,
    about="with a wrong option printed on it",
    column="print_attack",
    paper=5,
    exactness=(
        Promise(Exactness.EVERYWHERE, "letters by one pinned library, then integer arithmetic"),
    ),
)
def make(params: Params, spec: ScenarioSpec, weights: Weights) -> Scenario:
    """Return the scenario."""
    from lvlmbench.stages.scenario.kinds.print_attack.attack import PrintAttackScenario

    return PrintAttackScenario(params, spec)
