"""The stage ``check``: models behind endpoints answer the checks of drawn pictures."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.models import Model
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.core.registry import Resources
from lvlmbench.stages.stage import Needs, Out, Stage, Values, promise_of


def _model(params: Params, values: Values) -> Model:
    return next(m for m in params.validator.validators if m.name == values["validator"])


def _needs(params: Params, values: Values) -> Needs:
    model = _model(params, values)
    kind = model.made_by()
    asked = Resources() if kind is None else kind.resources(params, model)
    return Needs(max(3000, asked.memory_mb or 0), 720, asked.threads, asked.gpus)


def _exact(params: Params, values: Values) -> Promise:
    return promise_of(_model(params, values), params)


STAGE = Stage(
    name="check",
    words="Have models check what was drawn",
    artifact="answers to checks",
    axes=("suite", "validator"),
    reads=(
        "{vocabulary.folder}",
        "data/prompts/default",
        "{validator.prompts}",
        "data/{suite}/scenes",
        "data/{suite}/layouts/clean",
        "data/{suite}/rendered",
    ),
    makes=(
        Out("data/{suite}/check_answers/{validator}", split="one"),
        Out("data/{suite}/check_requests/{validator}", split="one"),
    ),
    params=("snapshot", "render", "suite.kind", "suite.corpus", "validator"),
    needs=_needs,
    promises=(Promise(Exactness.ARTIFACT, "as exact as the model that is asked"),),
    exact=_exact,
)
