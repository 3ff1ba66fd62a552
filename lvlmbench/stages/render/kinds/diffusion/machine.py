"""What the renderer asks of a machine, and what it lacks there."""

from __future__ import annotations

import os
import runpy
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from lvlmbench.config import Params
from lvlmbench.core import gpus, weights
from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import BESIDE_MB, CPU_THREADS, GPU_THREADS, UNKNOWN_MB, Resources
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion
from lvlmbench.stages.render.kinds.diffusion.text.engine import TEXT_ENGINES


def check(params: Params, source: str) -> None:
    """Check that what is read is there and whole, as far as it shows; fetches nothing.

    Raises
    ------
    UserError
        The first mistake.
    """
    from lvlmbench.stages.render.kinds.diffusion import kinds
    from lvlmbench.stages.render.kinds.diffusion.hub import look_around

    settings, where = params.render.own(Diffusion), f"{source}: render.diffusion"
    base = look_around(settings, where)
    if base is not None:
        kinds.check_size(base.files.kind, params.render.size, f"{source}: render.size")
    engine = TEXT_ENGINES.get(settings.text.engine, f"{where}.text: engine")
    if engine.check is not None:
        engine.check(settings.text.of(engine), f"{where}.text")


def asks(params: Params) -> Resources:
    """Return what a job asks of its machine.

    One thread where a CPU draws exactly. A pipeline's weights pass through memory, or stay there.
    """
    settings = params.render.own(Diffusion)
    on_cpu = settings.device == "cpu"
    threads = (1 if settings.exact else CPU_THREADS) if on_cpu else GPU_THREADS
    return Resources(None if on_cpu else 1, threads, _memory_mb(settings))


def _memory_mb(settings: Diffusion) -> int:
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


def models(params: Params) -> tuple[str, ...]:
    """Return hub ids and folders of all weights that draw."""
    settings = params.render.own(Diffusion)
    text = settings.text
    lettering = getattr(text.of(text.made_by("render.diffusion.text")), "model", None)
    found = [settings.model, settings.refiner.model if settings.refiner else None, lettering]
    return tuple(model for model in found if model is not None)


def lacks(params: Params) -> str | None:
    """Return what the renderer lacks on this machine; a process looks once."""
    wanted = params.render.own(Diffusion).model_dump_json()
    return _lacks(wanted, os.environ.get(gpus.VISIBLE))


@lru_cache
def _lacks(diffusion: str, visible: str | None) -> str | None:
    """What the renderer ``diffusion`` lacks on this machine; None where it could draw.

    Parameters
    ----------
    diffusion
        Its parameters as JSON.
    visible
        ``CUDA_VISIBLE_DEVICES``, on which it depends what is found.
    """
    settings = Diffusion.model_validate_json(diffusion)
    if settings.device == "cpu":
        return "render.diffusion.device is cpu"
    from lvlmbench.stages.render.kinds.diffusion.hub import find_all
    from lvlmbench.stages.render.kinds.diffusion.packages import missing

    absent = missing()
    if absent is not None:
        return f"the package {absent} is not installed"
    if _cpu_build():
        return "this torch is built for the CPU alone"

    try:
        find_all(settings, "render.diffusion", fetch=False)
    except UserError as error:
        return error.what
    return None if gpus.visible(ask_torch=False) else "no GPU is in sight"


def _cpu_build() -> bool:
    """Whether torch can use no GPU, by the file of constants in which its build says so."""
    spec = find_spec("torch")
    folders = (spec.submodule_search_locations if spec is not None else None) or []
    for folder in folders:
        file = Path(folder, "version.py")
        if file.is_file():
            built = runpy.run_path(str(file))
            return built.get("cuda") is None and built.get("hip") is None
    return False
