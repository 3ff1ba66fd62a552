"""The GPUs of this machine, and one of them for each process.

Nothing here starts CUDA: a process sees only the GPUs that ``CUDA_VISIBLE_DEVICES`` names at that
moment, so it must have taken its own before.
"""

from __future__ import annotations

import fcntl
import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

#: Seconds between two looks for a GPU that has become free.
_WAIT_S = 1.0

#: What Linux has where there is a GPU: NVIDIA's, AMD's, Windows' below its own Linux.
_DEVICES = ("/dev/nvidiactl", "/dev/kfd", "/dev/dxg")

#: Counts what torch sees, in a process of its own: counting may start CUDA.
_COUNT = "import torch; print(torch.cuda.device_count())"

VISIBLE = "CUDA_VISIBLE_DEVICES"


@dataclass(frozen=True)
class Gpu:
    """One GPU that this process may use.

    Attributes
    ----------
    name
        What ``CUDA_VISIBLE_DEVICES`` calls it: an index, a UUID, or the start of one.
    lock
        What all processes of this machine call it.
    capability
        CUDA compute capability, None where it is not known.
    """

    name: str
    lock: str
    capability: tuple[int, int] | None = None


def _output(*command: str) -> str:
    """What a command prints; empty where it is not there or fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout


def _listed() -> list[Gpu]:
    """What the driver's own tool lists, in its order."""
    fields = "--query-gpu=uuid,compute_cap"
    found = []
    for line in _output("nvidia-smi", fields, "--format=csv,noheader").splitlines():
        uuid, _, capability = (part.strip() for part in line.partition(","))
        if uuid.startswith("GPU-"):
            known = re.fullmatch(r"(\d+)\.(\d+)", capability)
            pair = (int(known[1]), int(known[2])) if known else None
            found.append(Gpu(uuid, uuid, pair))
    return found


def _named(name: str, listed: Sequence[Gpu]) -> Gpu | None:
    """The GPU that an entry of ``CUDA_VISIBLE_DEVICES`` means; None for one that is not there."""
    if re.fullmatch(r"\d+", name):
        if not listed:
            return Gpu(name, name)
        if int(name) >= len(listed):
            return None
        found = listed[int(name)]
    else:
        found = next((gpu for gpu in listed if gpu.name.startswith(name)), Gpu(name, name))
    return Gpu(name, found.lock, found.capability)


def visible(
    environment: Mapping[str, str] = os.environ, *, ask_torch: bool = True
) -> tuple[Gpu, ...]:
    """Return the GPUs that CUDA would show to a process, in its order.

    As in CUDA, what follows an entry of ``CUDA_VISIBLE_DEVICES`` that names none is not seen, and
    an empty value hides all. A part of a GPU (``MIG-...``) counts as one.

    Parameters
    ----------
    environment
        Where ``CUDA_VISIBLE_DEVICES`` is looked up.
    ask_torch
        Whether torch is to count them where the driver's tool is not there, which takes seconds.
    """
    listed = _listed()
    names = environment.get(VISIBLE)
    if names is None:
        if listed or not ask_torch or not any(Path(device).exists() for device in _DEVICES):
            return tuple(listed)
        count = _output(sys.executable, "-c", _COUNT).strip()
        return tuple(Gpu(str(i), str(i)) for i in range(int(count) if count.isdigit() else 0))
    found: dict[str, Gpu] = {}
    for name in (part.strip() for part in names.split(",")):
        gpu = _named(name, listed) if name and not name.startswith("-") else None
        if gpu is None:
            break
        found.setdefault(gpu.lock, gpu)
    return tuple(found.values())


def lock_folder() -> Path:
    """Return where this user's processes on this machine lock GPUs."""
    return Path(tempfile.gettempdir(), f"lvlmbench-gpus-{os.getuid()}")


def _try_lock(path: Path) -> int | None:
    """A descriptor that holds the lock; None if another process has it."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


#: The GPU of this process, once it has one: a process needs no second.
_taken: list[Gpu] = []


def take(gpus: Sequence[Gpu], waiting: Callable[[], None]) -> Gpu:
    """Have this process see one GPU alone, one that no other job has taken.

    The kernel gives the GPU back when the process ends, however it ends. Waits for one where all
    are taken; ``waiting`` is called once before that.

    Raises
    ------
    ValueError
        There is none to take.
    OSError
        The files that lock GPUs cannot be written.
    """
    if _taken:
        return _taken[0]
    if not gpus:
        raise ValueError("no GPU to take")
    folder = lock_folder()
    folder.mkdir(mode=0o700, exist_ok=True)
    told = False
    while True:
        for gpu in gpus:
            if _try_lock(folder / f"{re.sub(r'[^A-Za-z0-9-]', '_', gpu.lock)}.lock") is not None:
                os.environ[VISIBLE] = gpu.name
                _taken.append(gpu)
                return gpu
        if not told:
            waiting()
            told = True
        time.sleep(_WAIT_S)
