"""The stage ``examiner``: models behind endpoints write questions about what was drawn."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.models import Model
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.core.registry import Resources
from lvlmbench.stages.stage import Needs, Out, Stage, Values, promise_of


def _model(params: Params, values: Values) -> Model:
    return next(m for m in params.examiner.examiners if m.name == values["examiner"])


def _needs(params: Params, values: Values) -> Needs:
    model = _model(params, values)
    kind = model.made_by()
    asked = Resources() if kind is None else kind.resources(params, model)
    return Needs(max(1500, asked.memory_mb or 0), 240, asked.threads, asked.gpus)


def _exact(params: Params, values: Values) -> Promise:
    return promise_of(_model(params, values), params)


STAGE = Stage(
    name="examiner",
    words="Have models write questions about what was drawn",
    artifact="proposed questions",
    axes=("suite", "examiner"),
    reads=(
        "{vocabulary.folder}",
        "data/prompts/default",
        "{examiner.prompts}",
        "data/{suite}/planned_aspects",
        "data/{suite}/scenes",
        "data/{suite}/layouts/clean",
    ),
    makes=(
        Out("data/{suite}/proposals/{examiner}", split="one"),
        Out("data/{suite}/exam_requests/{examiner}", split="one"),
    ),
    params=("snapshot", "render", "suite.kind", "suite.corpus", "examiner"),
    needs=_needs,
    promises=(Promise(Exactness.ARTIFACT, "as exact as the model that is asked"),),
    exact=_exact,
)
