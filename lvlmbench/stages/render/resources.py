"""What jobs that draw need of their machine, where the parameters decide it."""

from __future__ import annotations

from pathlib import Path

from lvlmbench.config import Params
from lvlmbench.core import weights
from lvlmbench.stages.render.choice import chosen
from lvlmbench.stages.stage import BESIDE_MB, CPU_THREADS, GPU_THREADS, SMALL_MB, UNKNOWN_MB


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
    return CPU_THREADS if on_cpu else GPU_THREADS


def render_memory_mb(params: Params) -> int:
    """Megabytes of a job that draws: a pipeline's weights pass through memory, or stay there."""
    if not diffuses(params):
        return SMALL_MB
    settings = params.render.diffusion
    models = [settings.model, *([settings.refiner.model] if settings.refiner else [])]
    folders = [weights.folder_of(model) for model in models]
    sizes = [_pipeline_bytes(folder, settings.variant) for folder in folders if folder is not None]
    if len(sizes) < len(models):
        return max(UNKNOWN_MB, BESIDE_MB + sum(sizes) // 10**6)
    # A variant, and all of the newer pipelines, are published in 16 bits.
    wide = settings.dtype == "float32" or (settings.device == "cpu" and settings.dtype == "auto")
    return BESIDE_MB + sum(sizes) * (2 if wide else 1) // 10**6


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
