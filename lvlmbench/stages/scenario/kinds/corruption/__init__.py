"""Scenario ``corruption``: damage as cameras, channels and scanners do it (Dysca, section 3.3).

``kinds`` holds every kind with its numbers at every severity, ``scenario`` chooses which image
gets what. docs/scenarios.md describes all.
"""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.scenario.kinds.corruption.settings import Corruption
from lvlmbench.stages.scenario.scenario import SCENARIOS, Scenario, Weights


def images(params: Params, spec: ScenarioSpec, scenes: float) -> float:
    """Return how many images some scenes give."""
    settings = spec.own(Corruption)
    if not settings.every:
        return scenes
    if settings.scenes_per_subtask is not None:
        scenes = min(scenes, settings.scenes_per_subtask * len(params.corpus.subtasks))
    return scenes * len(settings.kinds) * len(settings.severities)


@SCENARIOS.register(
    "corruption",
    vocabulary=False,
    settings=Corruption,
    place=1,
    defaults={
        10: {"name": "corruption"},
        60: {
            "name": "corruption_curve",
            "kind": "corruption",
            "corruption": {"every": True, "severities": [1, 5], "scenes_per_subtask": 1},
        },
    },
    images=images,
    every=lambda spec: spec.own(Corruption).every,
    about="damaged as by cameras, channels and scanners",
    column="corruption",
    paper=3,
    exactness=(
        Promise(
            Exactness.EVERYWHERE,
            "whole numbers, and 64-bit floats in steps that IEEE 754 rounds in one way",
        ),
    ),
)
def make(params: Params, spec: ScenarioSpec, weights: Weights) -> Scenario:
    """The scenario; it needs no trained model."""
    from lvlmbench.stages.scenario.kinds.corruption.scenario import Corruptions

    return Corruptions(params, spec)
