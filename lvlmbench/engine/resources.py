"""What jobs ask of their machine where the parameters decide it: GPUs, threads, memory."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core import gpus
from lvlmbench.core.registry import Resources
from lvlmbench.stages.render.choice import chosen
from lvlmbench.stages.render.renderer import RENDERERS

#: Megabytes of a job that reads no large weights, whatever it reads but pictures in _ROOM_MB.
_SMALL_MB = 2000
_ROOM_MB = 1000

#: Bytes a pixel of a photograph's PNG (docs/gpu.md: Disk), and how often a job that asks holds it.
_PNG, _HELD = 2.6, 2


def _answering(params: Params, model: str) -> Resources:
    """Return what a job asks of its machine by the model's engine."""
    found = next(m for m in params.answer.models if m.name == model)
    kind = found.made_by()
    return Resources() if kind is None else kind.resources(params, found)


def answer_gpus(params: Params, model: str) -> int | None:
    """Return the GPUs of a job that asks a model; None for one that needs none."""
    return _answering(params, model).gpus


def answer_threads(params: Params, model: str) -> int:
    """Return the threads of a job that asks a model."""
    return _answering(params, model).threads


def images_in_shard(params: Params, scenario: str) -> float:
    """About how many images of a scenario there are in one shard."""
    scenes = min(params.render.shard_images, params.corpus.n_scenes)
    if scenario == CLEAN:
        return scenes
    spec = params.scenarios.spec(scenario)
    kind = spec.made_by()
    return scenes if kind is None or kind.images is None else kind.images(params, spec, scenes)


def answer_memory_mb(params: Params, model: str, scenario: str) -> int:
    """Megabytes of a job that asks a model: a shard's images, and weights on their way.

    Images are taken for photographs of the configured size; pictographs take a third of that.
    """
    image = _PNG * params.render.size**2 / 10**6
    pictures = int(_HELD * image * images_in_shard(params, scenario))
    more = max(0, _ROOM_MB + pictures - _SMALL_MB)
    asked = _answering(params, model).memory_mb
    return more + (_SMALL_MB if asked is None else asked)


def _drawing(params: Params) -> Resources:
    """Return what a job that draws asks for, if only for what another renderer leaves to it."""
    names = (chosen(params).renderer, params.render.fallback)
    asked = [kind.resources(params) for name in names if (kind := RENDERERS.find(name))]
    return max(asked, key=lambda r: (r.gpus or 0, r.threads, r.memory_mb or 0), default=Resources())


def render_gpus(params: Params) -> int | None:
    """Return the GPUs of a job that draws; None for one that needs none."""
    return _drawing(params).gpus


def render_threads(params: Params) -> int:
    """Return the threads of a job that draws."""
    return _drawing(params).threads


def render_memory_mb(params: Params) -> int:
    """Return the megabytes of a job that draws."""
    return _drawing(params).memory_mb or _SMALL_MB


def gpus_here(params: Params) -> int:
    """GPUs that jobs of this machine may share; 0 where none is wanted or none is to be seen."""
    asking = any(answer_gpus(params, model.name) for model in params.answer.models)
    if not asking and render_gpus(params) is None:
        return 0
    return len(gpus.visible(ask_torch=False))
