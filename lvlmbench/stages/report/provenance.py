"""When, where and with what a report was made: kept beside it, never inside."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.files import atomic_bytes


def _git(*arguments: str) -> str | None:
    """Output of a git command in the project's folder; None outside a checkout."""
    try:
        done = subprocess.run(
            ["git", "-C", str(PROJECT_ROOT), *arguments],
            capture_output=True, text=True, timeout=30, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def _code() -> dict[str, Any]:
    changes = _git("status", "--porcelain", "--untracked-files=no")
    return {
        "commit": _git("rev-parse", "HEAD"),
        "uncommitted_changes": None if changes is None else bool(changes),
    }


def collect(snapshot: str) -> dict[str, Any]:
    """Facts about this run; of no use to any later stage."""
    packages = {d.metadata["Name"]: d.version for d in metadata.distributions()}
    return {
        "snapshot_id": snapshot,
        "written": datetime.now(UTC).isoformat(timespec="seconds"),
        "code": _code(),
        "host": {
            "name": platform.node(),
            "system": platform.platform(),
            "machine": platform.machine(),
            "cores": len(os.sched_getaffinity(0))
            if hasattr(os, "sched_getaffinity")
            else os.cpu_count(),
        },
        "python": platform.python_version(),
        "packages": dict(sorted(packages.items(), key=lambda item: item[0].lower())),
    }


def write(path: Path, facts: dict[str, Any]) -> None:
    """Write the provenance file."""
    text = json.dumps(facts, indent=1, ensure_ascii=False) + "\n"
    atomic_bytes(path, text.encode())
