"""The stage ``planner``: a model thinks of aspects, and describes what no rules plan."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.models import Model
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.core.registry import Resources
from lvlmbench.stages.stage import Needs, Out, Stage, Values, promise_of


def _model(params: Params, values: Values) -> Model:
    return next(m for m in params.examiner.examiners if m.name == values["planner"])


def _needs(params: Params, values: Values) -> Needs:
    model = _model(params, values)
    kind = model.made_by()
    asked = Resources() if kind is None else kind.resources(params, model)
    return Needs(max(1500, asked.memory_mb or 0), 240, asked.threads, asked.gpus)


def _exact(params: Params, values: Values) -> Promise:
    return promise_of(_model(params, values), params)


STAGE = Stage(
    name="planner",
    words="Have a model think of aspects and describe pictures",
    artifact="planned aspects, planned descriptions",
    axes=("suite", "planner"),
    reads=("{vocabulary.folder}", "data/prompts/default", "{examiner.prompts}"),
    makes=(
        Out("data/{suite}/planned_aspects/{planner}", split="one"),
        Out("data/{suite}/planned_descriptions/{planner}", split="one"),
        Out("data/{suite}/plan_requests/{planner}", split="one"),
    ),
    params=("snapshot", "suite.kind", "suite.corpus", "examiner"),
    needs=_needs,
    promises=(Promise(Exactness.ARTIFACT, "as exact as the model that is asked"),),
    exact=_exact,
)
