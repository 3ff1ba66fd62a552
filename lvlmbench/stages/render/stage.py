"""The stage ``render``: pictures of the scenes."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.render import AUTO
from lvlmbench.core.exactness import NOTHING, Exactness, Promise
from lvlmbench.stages.filter.stage import filter_promise
from lvlmbench.stages.render.resources import render_gpus, render_memory_mb, render_threads
from lvlmbench.stages.stage import Needs, Out, Stage, Values

_PICTOGRAPH = Promise(
    Exactness.EVERYWHERE,
    "vector art rasterized by one pinned library; integer and correctly rounded arithmetic",
    "`pictograph`",
)
_EXACT = Promise(
    Exactness.HARDWARE,
    "one generator an image, one image at a time, no kernel chosen by measuring, on a CPU one "
    "thread; other hardware adds in another order",
    "`diffusion`, `exact: true`",
)
_BATCHES = Promise(
    Exactness.ARTIFACT,
    "sums depend on the batch, and the batch on the memory that is free",
    "`diffusion`, `exact: false`",
)
_AUTO = Promise(
    Exactness.HARDWARE,
    "who draws depends on what the machine has; as `diffusion` where that is weaker",
    "`auto`",
)


def _renderer(name: str, params: Params) -> list[Promise]:
    """Promises that apply to a renderer by the name in the parameters."""
    diffusion = _EXACT if params.render.diffusion.exact else _BATCHES
    if name == AUTO:
        return [_AUTO, diffusion]
    return [{"pictograph": _PICTOGRAPH, "diffusion": diffusion}.get(name, NOTHING)]


def _exact(params: Params, values: Values) -> Promise:
    render = params.render
    found = _renderer(render.renderer, params)
    if render.fallback is not None:
        found += _renderer(render.fallback, params)
    if render.rework.attempts:  # a score near a threshold decides which attempt is kept
        found += [filter_promise(spec) for spec in render.rework.filters]
    return max(found, key=lambda promise: promise.exact.rank)


def _needs(params: Params, values: Values) -> Needs:
    return Needs(render_memory_mb(params), 720, render_threads(params), render_gpus(params))


STAGE = Stage(
    name="render",
    words="Draw the scenes",
    artifact="images, verdicts, attempts",
    reads=("{vocabulary.folder}", "data/{suite}/scenes"),
    makes=(
        Out("data/{suite}/attempts", split="images"),
        Out("data/{suite}/rendered", split="images"),
        Out("data/{suite}/verdicts/render", split="images"),
    ),
    params=("snapshot", "render", "vocabulary", "suite.corpus"),
    needs=_needs,
    promises=(_PICTOGRAPH, _EXACT, _BATCHES, _AUTO),
    exact=_exact,
)
