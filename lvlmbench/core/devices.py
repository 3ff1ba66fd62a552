"""Where a model runs and in which precision, and whether memory suffices."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.core import gpus
from lvlmbench.core.errors import UserError

#: Bytes of a number.
BYTES = {"float32": 4, "bfloat16": 2, "float16": 2}

#: Compute capability from which on NVIDIA's GPUs compute in bfloat16.
_AMPERE = (8, 0)


@dataclass(frozen=True)
class Place:
    """Where a model runs, ``cpu`` or ``cuda``, and the precision it runs in."""

    device: str
    dtype: str


def choose_place(
    device: str,
    dtype: str,
    where: str,
    waiting: Callable[[], None],
    *,
    on_gpu: str = "bfloat16",
) -> Place:
    """Return what ``device`` and ``dtype`` mean here; start no CUDA where it can tell without.

    The precision is that of all GPUs in sight, as any of them may be taken: so it is the same for
    all jobs of a run. ``waiting`` is called before it waits for a GPU.

    Parameters
    ----------
    where
        The section that holds ``device`` and ``dtype``.
    on_gpu
        What ``dtype: auto`` is on a GPU that computes in it; float32 on one that does not.

    Raises
    ------
    UserError
        There is no such device, or it does not compute in that precision.
    """
    import torch

    built = torch.backends.cuda.is_built()
    found = gpus.visible() if device != "cpu" and built else ()
    if device == "cuda" and not found:
        what = "there is no GPU that torch can use"
        fix = "write 'auto', and look at what nvidia-smi and CUDA_VISIBLE_DEVICES say"
        if not built:
            what += ": this torch is built for the CPU alone"
            fix = "install a CUDA build of torch (docs/gpu.md), or write 'auto'"
        raise UserError(f"{where}: device", what, fix)
    if not found:
        return Place("cpu", "float32" if dtype == "auto" else dtype)
    wanted = on_gpu if dtype == "auto" else dtype
    if wanted != "bfloat16":
        return Place("cuda", wanted)
    if all(gpu.capability is not None for gpu in found):
        able = all((gpu.capability or (0, 0)) >= _AMPERE for gpu in found)
    else:
        gpus.take(found, waiting)
        able = torch.cuda.is_bf16_supported(including_emulation=False)
    if dtype == "bfloat16" and not able:
        what = "a GPU in sight does not compute in bfloat16"
        raise UserError(f"{where}: dtype", what, "write 'float16' or 'float32'")
    return Place("cuda", "bfloat16" if able else "float32")


def free_memory() -> int | None:
    """Return bytes that this machine has left, None where it does not say."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return None
    found = next((line.split()[1] for line in lines if line.startswith("MemAvailable:")), None)
    return int(found) * 1024 if found is not None else None


def out_of_memory(error: BaseException) -> bool:
    """Return whether memory, of a GPU or of the machine, did not suffice."""
    import torch

    words = ("out of memory", "can't allocate memory", "not enough memory", "ALLOC_FAILED")
    return isinstance(error, torch.OutOfMemoryError | MemoryError) or (
        isinstance(error, RuntimeError) and any(word in str(error) for word in words)
    )
