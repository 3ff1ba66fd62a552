"""The stage ``answer``: what models say."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.models import Model
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.exactness import Promise
from lvlmbench.stages.answer.guessed import GUESSED
from lvlmbench.stages.answer.resources import answer_memory_mb, answering
from lvlmbench.stages.replies.data import REPLIES
from lvlmbench.stages.stage import (
    TEMPLATES,
    VOCABULARY,
    Needs,
    Out,
    Stage,
    Values,
    promise_of,
    weights_of,
    wordless,
)


def _model(params: Params, values: Values) -> Model:
    return next(m for m in params.answer.models if m.name == values["model"])


def _exact(params: Params, values: Values) -> Promise:
    return promise_of(_model(params, values), params)


def _needs(params: Params, values: Values) -> Needs:
    model = values["model"]
    asked, memory = answering(params, model), answer_memory_mb(params, model, values["scenario"])
    return Needs(memory, 240, asked.threads, asked.gpus)


def _other(params: Params, values: Values) -> Values | None:
    """The suite that a model knows, its pictures as they were made."""
    model = _model(params, values)
    kind = model.made_by()
    suite = None if kind is None or kind.knows is None else kind.knows(model)
    return None if suite is None else {"suite": suite, "scenario": CLEAN}


def _spares(params: Params, values: Values) -> tuple[str, ...]:
    """What the jobs of a model do not read."""
    model = _model(params, values)
    kind = model.made_by()
    return (*wordless(model), *(() if kind is not None and GUESSED in kind.reads else (GUESSED,)))


def _weights(params: Params, values: Values) -> str | None:
    return weights_of(_model(params, values))


STAGE = Stage(
    name="answer",
    words="Ask the models",
    artifact="answers",
    axes=("suite", "model", "scenario"),
    reads=(
        VOCABULARY,
        *TEMPLATES,
        REPLIES,
        GUESSED,
        "data/{suite}/questions",
        "data/{suite}/images/{scenario}",
        "data/{suite}/verdicts",
        "data/reference",
    ),
    spares=_spares,
    elsewhere=("data/{suite}/questions", "data/{suite}/images/{scenario}"),
    other=_other,
    makes=(Out("data/{suite}/answers/{model}/{scenario}", split="images"),),
    params=("snapshot", "filter", "reference.models", "item.model"),
    needs=_needs,
    kinds="models",
    exact=_exact,
    weights=_weights,
)
