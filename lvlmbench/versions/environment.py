"""What a version was pinned with: Python, packages, processor, GPUs; no host, no path, no time."""

from __future__ import annotations

import platform
import re
import subprocess
from importlib import metadata
from pathlib import Path

from lvlmbench.versions.manifest import Environment


def processor() -> str:
    """Name of the processor's model, as well as the system tells it."""
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        told = ""
    found = re.search(r"^(?:model name|Model)\s*:\s*(.+)$", told, flags=re.M)
    return found[1].strip() if found else platform.processor() or platform.machine()


def gpus() -> list[str]:
    """Names of the GPUs with their driver's version; none where NVIDIA's tool shows none."""
    command = ["nvidia-smi", "--query-gpu=name,driver_version", "--format=csv,noheader"]
    try:
        told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    except (OSError, subprocess.SubprocessError):
        return []
    return [line.strip() for line in told.stdout.splitlines() if line.strip()]


def packages() -> dict[str, str]:
    """Versions of the installed packages by their normalized names."""
    found = {}
    for distribution in metadata.distributions():
        name = distribution.metadata["Name"]
        if name:
            found[re.sub(r"[-_.]+", "-", name).lower()] = distribution.version
    return dict(sorted(found.items()))


def environment() -> Environment:
    """All of it."""
    libc = " ".join(platform.libc_ver()).strip()
    system = f"{platform.system()} {platform.machine()}"
    return Environment(
        python=f"{platform.python_implementation()} {platform.python_version()}",
        platform=f"{system}, {libc}" if libc else system,
        processor=processor(),
        gpus=gpus(),
        packages=packages(),
    )
