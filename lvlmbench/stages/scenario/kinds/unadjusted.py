"""Scenario ``unadjusted``: the options as they were before wrong ones were adjusted.

An examiner that is told that the right answer is wrong answers again, and what it says takes the
place of a wrong option (AutoDavis, section 2.4 and appendix G). Beside the clean scenario this one
tells what that changes for models that look; ``blind`` with ``adjusted: false``, for those that do
not.
"""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.scenario.scenario import (
    SCENARIOS,
    Row,
    Shard,
    Weights,
    asked_of,
    perturbation,
    shown,
)
from lvlmbench.tables import before_adjusting


class Unadjusted:
    """Shows each picture unchanged, once for each question that offers options."""

    def __init__(self, params: Params, spec: ScenarioSpec) -> None:
        self._params, self._spec = params, spec

    def apply(self, shard: Shard) -> Iterator[Row]:
        """One row a question with options; those that were never adjusted are asked as they are."""
        asked = asked_of(shard)
        for clean in shard.images.to_pylist():
            for question in asked.get(clean["scene_id"], []):
                order = before_adjusting(question["options"], question["replaced"])
                yield shown(
                    self._params, self._spec, clean, clean["image"]["bytes"],
                    perturbation("options"), question["question_id"], order=order,
                )  # fmt: skip


@SCENARIOS.register(
    "unadjusted",
    vocabulary=False,
    place=8,
    a_question=True,
    drafts=lambda spec: True,
    images=lambda params, spec, scenes: scenes * params.corpus.questions_per_scene,
    about="the same image, with the options as they were before wrong ones were adjusted",
    exactness=(Promise(Exactness.EVERYWHERE, "takes the images as they were drawn"),),
)
def make(params: Params, spec: ScenarioSpec, weights: Weights) -> Unadjusted:
    """The scenario; it needs no settings."""
    return Unadjusted(params, spec)
