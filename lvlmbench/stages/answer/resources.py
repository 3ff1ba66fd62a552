"""What jobs that ask models need of their machine."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.core.registry import Resources

#: Megabytes of a job that reads no large weights, whatever it reads but pictures in _ROOM_MB.
_SMALL_MB, _ROOM_MB = 2000, 1000

#: Bytes a pixel of a photograph's PNG (docs/gpu.md: Disk), and how often a job that asks holds it.
_PNG, _HELD = 2.6, 2


def answering(params: Params, model: str) -> Resources:
    """Return what a job asks of its machine by the model's engine."""
    found = next(m for m in params.answer.models if m.name == model)
    kind = found.made_by()
    return Resources() if kind is None else kind.resources(params, found)


def images_in_shard(params: Params, scenario: str) -> float:
    """Return about how many images of a scenario there are in one shard: those with a picture."""
    scenes = min(params.render.shard_images, params.corpus.n_scenes)
    spec = params.scenarios.spec(scenario)
    kind = spec.made_by()
    if kind is not None and not kind.pictures:
        return 0
    return scenes if kind is None or kind.images is None else kind.images(params, spec, scenes)


def answer_memory_mb(params: Params, model: str, scenario: str) -> int:
    """Return the megabytes of a job: a shard's images, and weights on their way.

    Images are taken for photographs of the configured size; pictographs take a third of that.
    """
    image = _PNG * params.render.size**2 / 10**6
    pictures = int(_HELD * image * images_in_shard(params, scenario))
    more = max(0, _ROOM_MB + pictures - _SMALL_MB)
    asked = answering(params, model).memory_mb
    return more + (_SMALL_MB if asked is None else asked)
