"""What drew an image: all that decides pixels, in words and hashes."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lvlmbench.config.render import Render
from lvlmbench.core import weights
from lvlmbench.core.devices import Place
from lvlmbench.stages.render.kinds.diffusion.hub import Found
from lvlmbench.stages.render.kinds.diffusion.schedulers import described
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion
from lvlmbench.stages.render.kinds.diffusion.tuning import kernel_package

#: Longest name of a model in the version.
_NAME = 32


def source(model: str, found: Found) -> dict[str, Any]:
    """Where weights are from: name, commit, and the hash of every file that is read.

    A folder goes by its own name: where it lies changes no pixel.

    Raises
    ------
    UserError
        The file that keeps hashes cannot be used.
    """
    files, commit = found.files, found.commit
    hashes = weights.sha256s(files.folder, files.read)
    return {
        "model": model if commit is not None else Path(model).expanduser().resolve().name,
        "commit": commit,
        "pipeline": files.kind,
        "variant": next((part.variant for part in files.parts if part.variant), None),
        "weights_sha256": weights.combined(hashes),
        "files_sha256": hashes,
    }


def libraries(place: Place, settings: Diffusion) -> dict[str, Any]:
    """Versions of what computes."""
    import diffusers
    import torch
    import transformers

    found: dict[str, Any] = {
        "diffusers": diffusers.__version__,
        "torch": torch.__version__,
        "transformers": transformers.__version__,
        "tokenizers": _version("tokenizers"),
    }
    if place.device == "cuda":
        found["cuda"] = torch.version.cuda or torch.version.hip
        found["cudnn"] = torch.backends.cudnn.version()
    if package := kernel_package(settings):
        found[package] = _version(package)
    if settings.compile and place.device == "cuda":
        found["triton"] = _version("triton")
    return found


def _version(package: str) -> str | None:
    """What is installed of a package; None where it came some other way."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def hardware(place: Place) -> dict[str, Any]:
    """The device by its name; of a CPU also what torch uses of it."""
    import torch

    if place.device == "cuda":
        return {"device": "cuda", "device_name": torch.cuda.get_device_name(0)}
    return {
        "device": "cpu",
        "device_name": torch.backends.cpu.get_cpu_capability(),
        "threads": torch.get_num_threads(),
    }


def computing(
    render: Render, pipeline: Any, place: Place, precision: Mapping[str, bool]
) -> dict[str, Any]:
    """How the pipeline samples and computes."""
    settings = render.own(Diffusion)
    vae = getattr(pipeline, "vae", None)
    return {
        "scheduler": described(pipeline.scheduler) if hasattr(pipeline, "scheduler") else None,
        "steps": settings.steps,
        "guidance": settings.guidance,
        "size": render.size,
        "dtype": place.dtype,
        "vae_dtype": None if vae is None else str(vae.dtype).removeprefix("torch."),
        "exact": settings.exact,
        "batch_size": 1 if settings.exact else settings.batch_size,
        "compile": settings.compile,
        "channels_last": settings.channels_last,
        "attention": settings.attention,
        "vae_slicing": settings.vae_slicing,
        "vae_tiling": settings.vae_tiling,
        "offload": settings.offload,
        "left_off": ["safety checker", "watermark"],
        **precision,
    }


def version_of(about: Mapping[str, Any], scheduler: str) -> str:
    """Short name of what drew, another one wherever ``about`` says something else."""
    name = str(about["model"]).rsplit("/", 1)[-1][:_NAME]
    digest = hashlib.sha256(json.dumps(about, sort_keys=True).encode()).hexdigest()
    words = [
        f"diffusers{about['libraries']['diffusers']}",
        f"torch{about['libraries']['torch'].partition('+')[0]}",
        about["device"],
        about["dtype"],
        name + ("+refiner" if about["refiner"] else ""),
        f"weights={about['weights_sha256'][:12]}",
        scheduler,
        f"steps={about['steps']}",
        f"guidance={about['guidance']:g}",
        "exact" if about["exact"] else "batched",
        f"all={digest[:12]}",
    ]
    return " ".join(words)
