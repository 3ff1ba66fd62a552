"""Scenario ``atomic_checks``: the single facts that questions rest on, each asked by itself.

Whether a wrong answer misses what the question needs, or sees it and reasons wrongly, shows in how
the same model answers these (AutoDavis, appendix R). It asks nothing else, and its answers count in
no score, ranking or figure.
"""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core.errors import UserError
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.scenario.scenario import SCENARIOS, Row, Shard, Weights, perturbation, shown
from lvlmbench.suites.suite import suite_of


class Checks:
    """Shows each picture unchanged."""

    def __init__(self, params: Params, spec: ScenarioSpec) -> None:
        self._params, self._spec = params, spec

    def apply(self, shard: Shard) -> Iterator[Row]:
        """Yield a row a picture about which there are checks."""
        asked = {*shard.questions["scene_id"].to_pylist()}
        for clean in shard.images.to_pylist():
            if clean["scene_id"] in asked:
                picture = clean["image"]["bytes"]
                yield shown(self._params, self._spec, clean, picture, perturbation("none"))


def check(params: Params, spec: ScenarioSpec, where: str) -> None:
    """Make sure that there are checks to ask, and questions that they belong to.

    Raises
    ------
    UserError
        The suite makes none, or no other scenario is asked in.
    """
    if not suite_of(params).has_checks(params):
        raise UserError(
            where,
            "asks the atomic checks of questions, and this suite makes none",
            "set corpus.autodavis.atomic: true in a suite of that kind, or leave the scenario out",
        )
    if not params.scenarios.counted:
        what = "asks about questions that no other scenario asks"
        raise UserError(where, what, "name another one under scenarios.names, as clean")


@SCENARIOS.register(
    "atomic_checks",
    vocabulary=False,
    place=10,
    checks=True,
    check=check,
    about="the same image, asked about the single facts that each question rests on",
    images=lambda params, spec, scenes: scenes,
    exactness=(Promise(Exactness.EVERYWHERE, "takes the images as they were drawn"),),
)
def make(params: Params, spec: ScenarioSpec, weights: Weights) -> Checks:
    """Make the scenario; it needs no settings."""
    return Checks(params, spec)
