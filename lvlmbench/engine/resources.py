"""What jobs ask of their machine where the parameters decide it: GPUs, threads, memory."""

from __future__ import annotations

from pathlib import Path

from lvlmbench.config import Params
from lvlmbench.config.models import LocalWeights
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core import (
    gpus,
    weights,
)
from lvlmbench.stages.answer.local.files import folder_of
from lvlmbench.stages.render.choice import chosen

#: Megabytes beside the weights: libraries, a batch, and CUDA's own.
_BESIDE_MB = 6000

#: Megabytes where the weights are on a hub, so that their size is not known.
_UNKNOWN_MB = 32000

#: Megabytes of a job that reads no large weights, whatever it reads but pictures in _ROOM_MB.
_SMALL_MB = 2000
_ROOM_MB = 1000

#: Bytes a pixel of a photograph's PNG (docs/gpu.md: Disk), and how often a job that asks holds it.
_PNG, _HELD = 2.6, 2

#: Threads of a job that computes on the CPU; Snakemake gives it no more than there are cores.
_CPU_THREADS = 16

#: Threads of a job that prepares images for a GPU.
_GPU_THREADS = 4


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
    return _CPU_THREADS if weights.device == "cpu" else _GPU_THREADS


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
    more = max(0, _ROOM_MB + pictures - _SMALL_MB)
    weights = _weights(params, model)
    if weights is None:
        return _SMALL_MB + more
    folder = folder_of(weights)
    if folder is None:
        return _UNKNOWN_MB + more
    size = sum(file.stat().st_size for file in Path(folder).glob("*.safetensors"))
    # Most are published in 16 bits.
    wide = weights.device == "cpu" and weights.dtype in ("auto", "float32")
    return _BESIDE_MB + more + size * (2 if wide else 1) // 10**6


def diffuses(params: Params) -> bool:
    """Whether a diffusion pipeline draws, if only what another renderer leaves to it."""
    return "diffusion" in (chosen(params).renderer, params.render.fallback)


def render_gpus(params: Params) -> int | None:
    """GPUs of a job that draws; None for one that needs none, so that none is asked for."""
    return 1 if diffuses(params) and params.render.diffusion.device != "cpu" else None


def render_threads(params: Params) -> int:
    """Threads of a job that draws: one where a CPU draws exactly, as with pictographs."""
    settings = params.render.diffusion
    on_cpu = settings.device == "cpu"
    if not diffuses(params) or (on_cpu and settings.exact):
        return 1
    return _CPU_THREADS if on_cpu else _GPU_THREADS


def render_memory_mb(params: Params) -> int:
    """Megabytes of a job that draws: a pipeline's weights pass through memory, or stay there."""
    if not diffuses(params):
        return _SMALL_MB
    settings = params.render.diffusion
    models = [settings.model, *([settings.refiner.model] if settings.refiner else [])]
    folders = [weights.folder_of(model) for model in models]
    sizes = [_pipeline_bytes(folder, settings.variant) for folder in folders if folder is not None]
    if len(sizes) < len(models):
        return max(_UNKNOWN_MB, _BESIDE_MB + sum(sizes) // 10**6)
    # A variant, and all of the newer pipelines, are published in 16 bits.
    wide = settings.dtype == "float32" or (settings.device == "cpu" and settings.dtype == "auto")
    return _BESIDE_MB + sum(sizes) * (2 if wide else 1) // 10**6


def _pipeline_bytes(folder: Path, variant: str | None) -> int:
    """Size of the weights of a pipeline: a folder for each part, of which one variant is read.

    What lies beside those folders are the same weights in one file, which is not read.
    """
    total = 0
    for part in folder.glob("*/"):
        sizes: dict[str, int] = {}
        for file in part.glob("*.safetensors"):
            # model.safetensors, model.fp16.safetensors, model.fp16-00001-of-00002.safetensors
            name = file.name.split(".")[1].split("-")[0]
            of = "" if name == "safetensors" else name
            sizes[of] = sizes.get(of, 0) + file.stat().st_size
        total += sizes.get(variant or "", sizes.get("", 0))
    return total


def gpus_here(params: Params) -> int:
    """GPUs that jobs of this machine may share; 0 where none is wanted or none is to be seen."""
    asking = any(answer_gpus(params, model.name) for model in params.answer.models)
    if not asking and render_gpus(params) is None:
        return 0
    return len(gpus.visible(ask_torch=False))
