"""The stage ``render``: pictures of the scenes."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.models import Model
from lvlmbench.config.render import AUTO
from lvlmbench.core.exactness import NOTHING, Exactness, Promise
from lvlmbench.stages.render.given import given_of
from lvlmbench.stages.render.renderer import RENDERERS
from lvlmbench.stages.render.resources import drawing
from lvlmbench.stages.render.words import looks_words_up
from lvlmbench.stages.replies.data import REPLIES
from lvlmbench.stages.stage import VOCABULARY, Needs, Out, Stage, Values, promise_of
from lvlmbench.suites.suite import suite_of

_AUTO = Promise(
    Exactness.HARDWARE,
    "who draws depends on what the machine has; as `diffusion` where that is weaker",
    "`auto`",
)


_GIVEN = Promise(
    Exactness.EVERYWHERE,
    "decoded from files, pixel by pixel; only with the same files",
    "of a user's own pictures",
)


#: What is read where validators look at pictures.
_ASKED = (REPLIES, "data/prompts/default", "{validator.prompts}")


def _promise(name: str, params: Params) -> Promise:
    kind = RENDERERS.find(name)
    return NOTHING if kind is None else kind.promise(params)


def _renderer(name: str, params: Params) -> list[Promise]:
    """Promises that apply to a renderer by the name in the parameters."""
    if name == AUTO:
        able = [kind for kind in RENDERERS.ordered() if kind.lacks is not None]
        return [_AUTO, *(_promise(kind.name, params) for kind in able)]
    return [_promise(name, params)]


def _exact(params: Params, values: Values) -> Promise:
    if given_of(params) is not None:
        return _GIVEN
    render = params.render
    found = _renderer(render.renderer, params)
    if render.fallback is not None:
        found += _renderer(render.fallback, params)
    found += [promise_of(model, params) for model in _looking(params)]  # what they see decides
    if render.retries.attempts:  # a score near a threshold decides which attempt is kept
        found += [promise_of(spec, params) for spec in render.retries.filters]
    return max(found, key=lambda promise: promise.exact.rank)


def _needs(params: Params, values: Values) -> Needs:
    if given_of(params) is not None:
        return Needs()
    kinds = [(model.made_by(), model) for model in _looking(params)]
    looking = [kind.resources(params, model) for kind, model in kinds if kind is not None]
    asked = [drawing(params), *looking]
    return Needs(
        max(each.memory_mb or 2000 for each in asked),
        720,
        max(each.threads for each in asked),
        max((each.gpus for each in asked if each.gpus is not None), default=None),
    )


def _looking(params: Params) -> list[Model]:
    """Validators that look at pictures while they are drawn."""
    names = suite_of(params).deciding(params)
    return [model for model in params.validator.validators if model.name in names]


STAGE = Stage(
    name="render",
    words="Draw the scenes",
    artifact="images, layouts, verdicts, attempts, answers to checks of attempts",
    reads=(
        VOCABULARY,
        "data/{suite}/scenes",
        "data/{suite}/entries",
        "data/{suite}/descriptions",
        *_ASKED,
    ),
    unless=dict.fromkeys((*_ASKED, "validator"), ("validator.validators", [])),
    spares=lambda params, values: () if looks_words_up(params) else (VOCABULARY,),
    makes=(
        Out("data/{suite}/attempts", split="images"),
        Out("data/{suite}/image_requests", split="images"),
        Out("data/{suite}/rendered", split="images"),
        Out("data/{suite}/layouts/clean", split="images"),
        Out("data/{suite}/attempt_checks", split="images"),
        Out("data/{suite}/attempt_requests", split="images"),
        Out("data/{suite}/verdicts/render", split="images"),
    ),
    params=("snapshot", "render", "vocabulary", "suite.corpus", "validator"),
    needs=_needs,
    kinds="renderers",
    promises=(_AUTO, _GIVEN),
    exact=_exact,
)
