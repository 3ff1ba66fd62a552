"""The stage ``render``: pictures of the scenes."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.render import AUTO
from lvlmbench.core.exactness import NOTHING, Exactness, Promise
from lvlmbench.core.registry import Resources
from lvlmbench.stages.render.given import given_of
from lvlmbench.stages.render.renderer import RENDERERS, RendererKind
from lvlmbench.stages.render.resources import drawing
from lvlmbench.stages.render.words import looks_words_up
from lvlmbench.stages.replies.data import REPLIES
from lvlmbench.stages.stage import VOCABULARY, Needs, Out, Stage, Values, promise_of

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
    if any(kind.prompts for kind in _kinds(params)):  # what validators see decides, too
        found += [promise_of(each, params) for each in params.validator.validators]
    if render.retries.attempts:  # a score near a threshold decides which attempt is kept
        found += [promise_of(spec, params) for spec in render.retries.filters]
    return max(found, key=lambda promise: promise.exact.rank)


def _needs(params: Params, values: Values) -> Needs:
    if given_of(params) is not None:
        return Needs()
    asked = [drawing(params), *_looking(params)]
    return Needs(
        max(each.memory_mb or 2000 for each in asked),
        720,
        max(each.threads for each in asked),
        max((each.gpus for each in asked if each.gpus is not None), default=None),
    )


def _looking(params: Params) -> list[Resources]:
    """What validators need that look at pictures while they are drawn."""
    if not any(kind.prompts for kind in _kinds(params)):
        return []
    kinds = [(each.made_by(), each) for each in params.validator.validators]
    return [kind.resources(params, each) for kind, each in kinds if kind is not None]


def _kinds(params: Params) -> list[RendererKind]:
    """Renderers that the parameters name."""
    names = [name for name in (params.render.renderer, params.render.fallback) if name is not None]
    return [kind for kind in map(RENDERERS.find, names) if kind is not None]


STAGE = Stage(
    name="render",
    words="Draw the scenes",
    artifact="images, layouts, verdicts, attempts, what validators see in these",
    reads=(
        VOCABULARY,
        "data/{suite}/scenes",
        "data/{suite}/entries",
        "data/{suite}/descriptions",
        *_ASKED,
    ),
    unless=dict.fromkeys(_ASKED, ("validator.validators", [])),
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
