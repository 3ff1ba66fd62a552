"""From parameters to a pipeline that is ready to draw."""

from __future__ import annotations

import inspect
import math
import sys
from dataclasses import dataclass
from typing import Any

from lvlmbench.config import Params
from lvlmbench.core import devices, gpus
from lvlmbench.core.devices import Place
from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.diffusion import kinds, tuning
from lvlmbench.stages.render.kinds.diffusion.files import GIVE, LEFT_OFF, PipelineFiles, numbers
from lvlmbench.stages.render.kinds.diffusion.hub import find_all
from lvlmbench.stages.render.kinds.diffusion.packages import check_packages, diffusers, quiet
from lvlmbench.stages.render.kinds.diffusion.parts import load_parts
from lvlmbench.stages.render.kinds.diffusion.provenance import (
    computing,
    hardware,
    libraries,
    source,
    version_of,
)
from lvlmbench.stages.render.kinds.diffusion.schedulers import scheduler_for
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion

WHERE = "render.diffusion"
_RENDERER = "render.renderer: diffusion"

#: Parts that a refiner may have in common with its base.
_SHARED = ("text_encoder_2", "vae")


@dataclass(frozen=True)
class Loaded:
    """A pipeline on its device, and all that decides what it draws.

    Attributes
    ----------
    pipeline
        A text-to-image pipeline of diffusers. The VAE of an SDXL that would overflow in float16
        is in float32 already: give it latents of its own dtype.
    refiner
        The pipeline of SDXL that takes the last steps from it.
    provenance
        Ready for JSON: model, commit, hash of each file that was read, scheduler with its
        settings, device, precision, versions.
    version
        Short; another one wherever the provenance is another.
    """

    pipeline: Any
    refiner: Any | None
    place: Place
    provenance: dict[str, Any]
    version: str


def load(params: Params) -> Loaded:
    """The pipeline of ``render.diffusion``, on its device; takes a GPU where it runs on one.

    Raises
    ------
    UserError
        It cannot be found, read or run here.
    """
    settings = params.render.own(Diffusion)
    check_packages(_RENDERER)
    base, refiner = find_all(settings, WHERE, fetch=True)
    files = base.files
    kinds.check_size(files.kind, params.render.size, "render.size")
    package = diffusers(_RENDERER)
    place = _place(settings, files)
    tuning.check_offload(settings, place, WHERE)
    tuning.check_compiler(settings, place, WHERE)
    about = source(settings.model, base)
    about_refiner = None
    if settings.refiner is not None and refiner is not None:
        about_refiner = source(settings.refiner.model, refiner) | {"start": settings.refiner.start}
    shared = _in_common(about, about_refiner)
    _check_memory(files, None if refiner is None else refiner.files, shared, settings, place)
    if place.device == "cuda":
        gpus.take(gpus.visible(), _waiting)
    precision = tuning.set_precision(settings, place)
    try:
        with quiet():
            pipeline = _pipeline(package, files, settings, place)
            second = None
            if refiner is not None:
                second = _refiner(package, refiner.files, settings, place, pipeline, shared)
            _finish(pipeline, second, settings, place)
    except UserError:
        raise
    except Exception as error:
        raise _loading_error(settings, place, error) from None
    provenance = {
        **about,
        "refiner": about_refiner,
        **computing(params.render, pipeline, place, precision),
        **hardware(place),
        "libraries": libraries(place, settings),
    }
    version = version_of(provenance, settings.scheduler)
    return Loaded(pipeline, second, place, provenance, version)


def _waiting() -> None:
    print("render: waiting for a GPU: all in sight are taken", file=sys.stderr)


def _place(settings: Diffusion, files: PipelineFiles) -> Place:
    """Device and precision; networks other than U-Nets need the range of bfloat16."""
    on_gpu = "float16" if files.part("unet") is not None else "bfloat16"
    place = devices.choose_place(settings.device, settings.dtype, WHERE, _waiting, on_gpu=on_gpu)
    if place == Place("cpu", "float16"):
        what = "a CPU does not compute in float16, and there is no GPU that torch can use"
        raise UserError(f"{WHERE}: dtype", what, "write 'auto'")
    return place


def _in_common(base: dict[str, Any], refiner: dict[str, Any] | None) -> list[str]:
    """Parts of which base and refiner hold the same files."""
    if refiner is None:
        return []

    def of(about: dict[str, Any], part: str) -> dict[str, str]:
        files: dict[str, str] = about["files_sha256"]
        return {name: sha256 for name, sha256 in files.items() if name.startswith(f"{part}/")}

    return [part for part in _SHARED if of(base, part) and of(base, part) == of(refiner, part)]


def _check_memory(
    files: PipelineFiles,
    refiner: PipelineFiles | None,
    shared: list[str],
    settings: Diffusion,
    place: Place,
) -> None:
    """What the weights take is free in the machine, through which they pass one by one."""
    parts = [part for part in files.parts if part.weights]
    if refiner is not None:
        parts += [part for part in refiner.parts if part.weights and part.name not in shared]
    sizes = [numbers(part.weights) * devices.BYTES[place.dtype] for part in parts]
    passing = place.device == "cuda" and settings.offload == "none"
    needed, free = max(sizes) if passing else sum(sizes), devices.free_memory()
    if free is not None and needed > free:
        whose = "the largest part of its weights takes" if passing else "its weights take"
        what = (
            f"{whose} {needed / 2**30:.1f} GiB in {place.dtype}, and {free / 2**30:.1f} GiB of "
            "memory are free"
        )
        raise UserError(f"{WHERE}: model", what, "free some memory, or take a smaller model")


def _pipeline(package: Any, files: PipelineFiles, settings: Diffusion, place: Place) -> Any:
    """The base on its device, or on the CPU where it is to be offloaded."""
    kind = kinds.text_to_image(package, files.kind, settings.model, WHERE)
    return _assemble(kind, files, settings.model, WHERE, settings, place, {})


def _refiner(
    package: Any,
    files: PipelineFiles,
    settings: Diffusion,
    place: Place,
    base: Any,
    shared: list[str],
) -> Any:
    kind = getattr(package, kinds.REFINER)
    given = {name: getattr(base, name) for name in shared}
    model = settings.refiner.model if settings.refiner is not None else ""
    return _assemble(kind, files, model, f"{WHERE}: refiner", settings, place, given)


def _assemble(
    kind: Any,
    files: PipelineFiles,
    model: str,
    where: str,
    settings: Diffusion,
    place: Place,
    given: dict[str, Any],
) -> Any:
    """A pipeline of networks that are read here; ``given`` are there already."""
    import torch

    dtype = getattr(torch, place.dtype)
    home = place.device if settings.offload == "none" else "cpu"
    parts = given | load_parts(files, dtype, home, model, where, without=given)
    takes = inspect.signature(kind.__init__).parameters
    off: dict[str, Any] = {n: None for n in (*LEFT_OFF, *files.absent) if n in takes}
    for name in ("requires_safety_checker", "add_watermarker"):
        if name in takes:
            off[name] = False
    pipeline = kind.from_pretrained(
        str(files.folder),
        dtype=dtype,
        use_safetensors=True,
        local_files_only=True,
        trust_remote_code=False,
        **parts,
        **off,
    )
    pipeline.set_progress_bar_config(disable=True)
    return pipeline.to(home)


def _finish(pipeline: Any, refiner: Any | None, settings: Diffusion, place: Place) -> None:
    """Everything about it that parameters decide."""
    second = "" if settings.refiner is None else settings.refiner.model
    for each, model, where in (
        (pipeline, settings.model, WHERE),
        (refiner, second, f"{WHERE}: refiner"),
    ):
        if each is None:
            continue
        _check_tokens(each, model, where)
        if getattr(each, "scheduler", None) is not None:
            each.scheduler = scheduler_for(settings.scheduler, each.scheduler, WHERE)
        if type(each).__name__ in (kinds.SDXL, kinds.REFINER):
            _upcast(each.vae, place)
        tuning.set_attention(each, settings, place, WHERE)
        tuning.lay_out(each, settings)
        tuning.offload(each, settings)
        tuning.compile_denoiser(each, settings)


def _upcast(vae: Any, place: Place) -> None:
    """SDXL's own VAE overflows in float16, to black pictures."""
    import torch

    if place.dtype == "float16" and vae.config.force_upcast:
        vae.to(torch.float32)


def _check_tokens(pipeline: Any, model: str, where: str) -> None:
    """Every tokenizer has a vocabulary, one that its encoder knows.

    transformers makes a tokenizer of two tokens where it finds no vocabulary.
    """
    for name, part in pipeline.components.items():
        if not name.startswith("tokenizer") or part is None:
            continue
        encoder = getattr(pipeline, name.replace("tokenizer", "text_encoder"), None)
        known = getattr(getattr(encoder, "config", None), "vocab_size", math.inf)
        if len(part) < 10 or len(part) > known:
            what = f"{name} of '{model}' has {len(part)} tokens, and its encoder knows {known}"
            raise UserError(f"{where}: model", what, GIVE)


def _loading_error(settings: Diffusion, place: Place, error: Exception) -> UserError:
    from lvlmbench.core.checkpoints import reason

    key = f"{WHERE}: model"
    if devices.out_of_memory(error):
        what = f"'{settings.model}' has no room in memory ({reason(error)})"
        fix = "take a smaller model"
        if place.device == "cuda" and settings.offload != "sequential":
            fix = "write 'offload: model', or take a smaller model or a GPU with more memory"
        return UserError(key, what, fix)
    return UserError(key, f"'{settings.model}' could not be loaded ({reason(error)})", GIVE)
