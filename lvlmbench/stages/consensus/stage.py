"""The stage ``consensus``: questions that the best models get wrong together."""

from __future__ import annotations

from typing import Any

from lvlmbench.config import Params
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.stage import Out, Stage
from lvlmbench.tables import part_name


def scored(params: Params, wildcards: Any) -> list[str]:
    """Return the scores of all models in the scenario that the consensus looks at."""
    scenario = params.scenarios.first
    models = [model.name for model in params.answer.models]
    folder = f"data/{params.suite}/scores"
    return [f"{folder}/{model}/{scenario}/{part_name(0)}" for model in models]


STAGE = Stage(
    name="consensus",
    words="See which questions the best models get wrong together",
    artifact="questions kept",
    reads=("data/{suite}/questions", "data/{suite}/scores"),
    makes=(Out("data/{suite}/consensus", split="one"),),
    params=(
        *("snapshot", "answer", "consensus"),
        *("suite.kind", "suite.headline", "suite.scenarios"),
    ),
    promises=(Promise(Exactness.EVERYWHERE, "compares, counts, and adds up in one order"),),
)
