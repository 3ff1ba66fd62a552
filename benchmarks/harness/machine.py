"""The machine that a benchmark ran on: what it is, not which one it is."""

from __future__ import annotations

import os
import platform
import time
from pathlib import Path

from lvlmbench.versions.environment import gpus, processor

#: Memory that a container may use (control groups, versions 2 and 1).
_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")


def _memory_gib() -> int:
    """Memory of the machine, or of the container if that is less, in GiB."""
    found = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    for path in _LIMITS:
        try:
            found = min(found, int(Path(path).read_text()))
        except (OSError, ValueError):  # no such control group, or "max"
            continue
    return round(found / 2**30)


def _system() -> str:
    """Name and version of the operating system."""
    try:
        told = platform.freedesktop_os_release()
    except OSError:
        return platform.system()
    return " ".join(filter(None, (told.get("NAME"), told.get("VERSION_ID"))))


def facts() -> dict[str, str]:
    """Processor, cores, memory, system, Python, GPU and month; no name of a host, no path."""
    cores = len(os.sched_getaffinity(0))
    return {
        "processor": processor(),
        "cores": f"{cores} core{'' if cores == 1 else 's'}",
        "memory": f"{_memory_gib()} GiB",
        "gpu": ", ".join(gpus()) or "no GPU",
        "system": _system(),
        "python": f"Python {platform.python_version()}",
        "month": time.strftime("%B %Y"),
    }


def load() -> float:
    """Processes that ran or waited to run, on average over the last minute."""
    return round(os.getloadavg()[0], 2)
