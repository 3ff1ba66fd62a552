"""What jobs that ask models need of their machine, where the parameters decide it."""

from __future__ import annotations

from pathlib import Path

from lvlmbench.config import Params
from lvlmbench.config.models import LocalWeights
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.stages.answer.local.files import folder_of
from lvlmbench.stages.stage import BESIDE_MB, CPU_THREADS, GPU_THREADS, SMALL_MB, UNKNOWN_MB

#: Megabytes of the images that fit beside all else in a job that reads no large weights.
_ROOM_MB = 1000

#: Bytes a pixel of a photograph's PNG (docs/gpu.md: Disk), and how often a job that asks holds it.
_PNG, _HELD = 2.6, 2


def _weights(params: Params, model: str) -> LocalWeights | None:
    """Settings of a model under test that runs on this machine; None for others."""
    found = next(m for m in params.answer.models if m.name == model)
    return found.transformers if found.engine == "transformers_vlm" else None


def answer_gpus(params: Params, model: str) -> int | None:
    """GPUs of a job that asks a model; None for one that needs none, so that none is asked for."""
    weights = _weights(params, model)
    return None if weights is None or weights.device == "cpu" else 1


def answer_threads(params: Params, model: str) -> int:
    """Threads of a job that asks a model."""
    weights = _weights(params, model)
    if weights is None:
        return 1
    return CPU_THREADS if weights.device == "cpu" else GPU_THREADS


def images_in_shard(params: Params, scenario: str) -> float:
    """About how many images of a scenario there are in one shard."""
    scenes = min(params.render.shard_images, params.corpus.n_scenes)
    if scenario == CLEAN:
        return scenes
    spec = params.scenarios.spec(scenario)
    if spec.registered == "print_attack":
        return scenes * params.corpus.questions_per_scene
    if spec.corruption is not None and spec.corruption.every:
        limit = spec.corruption.scenes_per_subtask
        if limit is not None:
            scenes = min(scenes, limit * len(params.corpus.subtasks))
        return scenes * len(spec.corruption.kinds) * len(spec.corruption.severities)
    return scenes


def answer_memory_mb(params: Params, model: str, scenario: str) -> int:
    """Megabytes of a job that asks a model: a shard's images, and weights on their way.

    Images are taken for photographs of the configured size; pictographs take a third of that.
    """
    image = _PNG * params.render.size**2 / 10**6
    pictures = int(_HELD * image * images_in_shard(params, scenario))
    more = max(0, _ROOM_MB + pictures - SMALL_MB)
    weights = _weights(params, model)
    if weights is None:
        return SMALL_MB + more
    folder = folder_of(weights)
    if folder is None:
        return UNKNOWN_MB + more
    size = sum(file.stat().st_size for file in Path(folder).glob("*.safetensors"))
    # Most are published in 16 bits.
    wide = weights.device == "cpu" and weights.dtype in ("auto", "float32")
    return BESIDE_MB + more + size * (2 if wide else 1) // 10**6
