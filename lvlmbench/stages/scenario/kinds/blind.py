"""Scenario ``blind``: the question without its image (Dysca, section 4.2, blind setting).

What a model gets right here it knows without looking: from its training data or from how the
questions are made.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.config.section import Section
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


class Unseen(Section):
    """The questions without their images."""

    adjusted: bool = Field(
        True,
        description="Whether options are as they are asked with images. If not, those questions "
        "that offer some are asked as before wrong options were adjusted (AutoDavis, figure 2).",
    )


class Blind:
    """Shows nothing."""

    def __init__(self, params: Params, spec: ScenarioSpec) -> None:
        self._params, self._spec = params, spec

    def apply(self, shard: Shard) -> Iterator[Row]:
        """One row a clean image, without a picture; unadjusted one a question with options."""
        columns = [name for name in shard.images.schema.names if name != "image"]
        asked = {} if self._spec.own(Unseen).adjusted else asked_of(shard)
        for clean in shard.images.select(columns).to_pylist():
            if self._spec.own(Unseen).adjusted:
                yield shown(self._params, self._spec, clean, None, perturbation("no_image"))
            for question in asked.get(clean["scene_id"], []):
                order = before_adjusting(question["options"], question["replaced"])
                yield shown(
                    self._params, self._spec, clean, None, perturbation("no_image"),
                    question["question_id"], order=order,
                )  # fmt: skip


@SCENARIOS.register(
    "blind",
    vocabulary=False,
    settings=Unseen,
    place=5,
    defaults={40: {"name": "blind"}},
    control=True,
    pictures=False,
    drafts=lambda spec: not spec.own(Unseen).adjusted,
    column="blind",
    paper=1,
    exactness=(Promise(Exactness.EVERYWHERE, "leaves them out"),),
)
def make(params: Params, spec: ScenarioSpec, weights: Weights) -> Blind:
    """The scenario; it needs no trained model."""
    return Blind(params, spec)
