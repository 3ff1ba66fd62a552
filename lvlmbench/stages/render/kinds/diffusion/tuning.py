"""How a loaded pipeline computes: exactness, attention, memory layout, offloading, compilation.

None of it changes what the pipeline is; all of it may change the last bits of what it draws.
"""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path
from typing import Any

from lvlmbench.core.devices import Place
from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.diffusion.settings import Diffusion

#: Name in ``render.diffusion.attention`` -> the one of diffusers' dispatcher. Which kernel of
#: torch itself computes ``native`` is up to torch, and ``math`` switches its fused ones off.
_KERNELS = {
    "auto": "native",
    "native": "native",
    "math": "native",
    "flash": "flash",
    "flash_3": "_flash_3",
    "sage": "sage",
    "xformers": "xformers",
}
_PACKAGES = {
    "flash": "flash-attn",
    "flash_3": "flash-attn-3",
    "sage": "sageattention",
    "xformers": "xformers",
}

_COMPILERS = {"cpu": ("c++", "g++", "clang++"), "cuda": ("cc", "gcc", "clang")}


def set_precision(settings: Diffusion, place: Place) -> dict[str, bool]:
    """Set the process's switches of torch, and tell how they stand, ready for JSON.

    ``exact: true`` takes neither TF32 nor algorithms that are chosen by measuring; ``exact:
    false`` takes both, and TF32 only where float32 was not asked for by name. On a CPU, how a sum
    is split among threads decides its last bits, so exact images are computed by one: on several
    cores several shards are drawn at once.

    ``CUBLAS_WORKSPACE_CONFIG`` is left alone: torch gives each stream a workspace of a fixed size
    anyway, and where that is set, reads it anew for each product, which halved the speed of SDXL.
    """
    import torch

    loose = not settings.exact
    tf32 = loose and settings.dtype != "float32"
    torch.backends.cuda.matmul.allow_tf32 = tf32
    torch.backends.cudnn.allow_tf32 = tf32
    torch.backends.cudnn.deterministic = not loose
    torch.backends.cudnn.benchmark = loose
    fused = settings.attention != "math"
    torch.backends.cuda.enable_flash_sdp(fused)
    torch.backends.cuda.enable_mem_efficient_sdp(fused)
    torch.backends.cuda.enable_cudnn_sdp(fused)
    torch.backends.cuda.enable_math_sdp(True)
    on = place.device == "cuda"
    if settings.exact and not on:
        torch.set_num_threads(1)
    return {"tf32": tf32 and on, "deterministic": not loose, "autotuned": loose and on}


def kernel_package(settings: Diffusion) -> str | None:
    """The package that computes attention; None where torch does."""
    return _PACKAGES.get(settings.attention)


def denoiser(pipeline: Any) -> Any:
    """The network that denoises; None where the pipeline calls it something else."""
    for name in ("unet", "transformer", "prior"):
        found = getattr(pipeline, name, None)
        if found is not None:
            return found
    return None


def _dispatches(network: Any) -> bool:
    """Whether its attention goes through diffusers' dispatcher."""
    return network is not None and any(
        hasattr(getattr(module, "processor", None), "_attention_backend")
        for module in network.modules()
    )


def set_attention(pipeline: Any, settings: Diffusion, place: Place, where: str) -> None:
    """Have the denoiser compute attention with the kernel of that name.

    Raises
    ------
    UserError
        The kernel's package is not there, or the denoiser or the device cannot use it.
    """
    name, key = settings.attention, f"{where}: attention"
    special = name in _PACKAGES
    if special and place.device == "cpu":
        raise UserError(key, f"'{name}' is for GPUs, and there is none", "write 'auto'")
    if special and name != "xformers" and place.dtype == "float32":
        what = f"'{name}' computes in 16 bits alone, and this is float32"
        raise UserError(key, what, "write 'auto'")
    network = denoiser(pipeline)
    dispatches = _dispatches(network)
    try:
        if dispatches:
            network.set_attention_backend(_KERNELS[name])
        elif name == "xformers":
            network.enable_xformers_memory_efficient_attention()
    except (ImportError, RuntimeError, ValueError, OSError):
        what = f"'{name}' needs the package {_PACKAGES.get(name, name)}, which cannot be used here"
        fix = f"run 'pip install {_PACKAGES.get(name, name)}', or write 'auto'"
        raise UserError(key, what, fix) from None
    if special and not dispatches and name != "xformers":
        what = f"'{name}' is not for this pipeline's {type(network).__name__}"
        fix = "write 'auto', 'native', 'math' or 'xformers'"
        raise UserError(key, what, fix)


def lay_out(pipeline: Any, settings: Diffusion) -> None:
    """Memory layout of images, and in how many pieces they are decoded."""
    import torch

    vae = getattr(pipeline, "vae", None)
    if settings.channels_last:
        for module in (denoiser(pipeline), vae):
            if module is not None:
                module.to(memory_format=torch.channels_last)
    if vae is not None and settings.vae_slicing and hasattr(vae, "enable_slicing"):
        vae.enable_slicing()
    if vae is not None and settings.vae_tiling and hasattr(vae, "enable_tiling"):
        vae.enable_tiling()


def check_offload(settings: Diffusion, place: Place, where: str) -> None:
    """Offloading is for GPUs, and needs accelerate.

    Raises
    ------
    UserError
        There is no GPU, or the package is not installed.
    """
    if settings.offload == "none":
        return
    key = f"{where}: offload"
    if place.device == "cpu":
        raise UserError(key, "is for GPUs, and there is none", "write 'none'")
    from importlib.util import find_spec

    if find_spec("accelerate") is None:
        raise UserError(key, "needs the package accelerate", "run 'pip install accelerate'")


def offload(pipeline: Any, settings: Diffusion) -> None:
    """Keep in the machine's memory what is not computing."""
    if settings.offload == "model":
        pipeline.enable_model_cpu_offload()
    elif settings.offload == "sequential":
        pipeline.enable_sequential_cpu_offload()


def check_compiler(settings: Diffusion, place: Place, where: str) -> None:
    """``compile: true`` finds what it compiles with.

    Raises
    ------
    UserError
        There is no compiler, or Python's own header files are not there.
    """
    if not settings.compile:
        return
    key, leave = f"{where}: compile", "or write 'compile: false'"
    own = os.environ.get("CXX" if place.device == "cpu" else "CC")
    names = (own,) if own else _COMPILERS[place.device]
    if not any(shutil.which(name) for name in names):
        what = f"needs a C compiler, and there is no {', '.join(names)} on the PATH"
        raise UserError(key, what, f"install one (Debian: apt-get install g++), {leave}")
    if not Path(sysconfig.get_paths()["include"], "Python.h").is_file():
        what = "needs Python's header files, and there is no Python.h"
        raise UserError(key, what, f"install them (Debian: apt-get install python3-dev), {leave}")


def compile_denoiser(pipeline: Any, settings: Diffusion) -> None:
    """Compile the denoiser where that is asked for; it is done at its first call."""
    network = denoiser(pipeline)
    if settings.compile and network is not None:
        network.compile(dynamic=False)


def told(error: RuntimeError, where: str) -> Exception:
    """What is to be raised in place of an error of a denoiser that is being compiled.

    A job that is killed while it compiles may leave half a file behind, which every later one
    takes for whole.
    """
    from torch._dynamo.exc import TorchDynamoException
    from torch._inductor.runtime.cache_dir_utils import cache_dir

    from lvlmbench.core.checkpoints import reason

    if not isinstance(error, TorchDynamoException):
        return error
    what = f"torch could not compile the denoiser ({reason(error)})"
    fix = f"remove the folder {cache_dir()} and try again, or write 'compile: false'"
    return UserError(f"{where}: compile", what, fix)
