"""What a mistake of the user must look like from outside."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

Command = Callable[..., "subprocess.CompletedProcess[str]"]


def assert_one_line(
    result: subprocess.CompletedProcess[str], *parts: str, code: int | None = 2
) -> str:
    """One line on stderr that holds all parts, no traceback, exit code ``code``; the line."""
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    assert "Traceback" not in result.stdout + result.stderr
    for part in parts:
        assert part in lines[0], lines[0]
    assert result.returncode == code if code is not None else result.returncode != 0
    return lines[0]


def vocabulary_without_label(folder: Path, root: Path, wrong: str) -> tuple[Path, int]:
    """A copy of the vocabulary whose first animal has another key for its label, and its line."""
    copy = folder / "vocabulary"
    shutil.copytree(root / "data" / "vocabulary", copy)
    lines = (copy / "animal.yaml").read_text().splitlines()
    number = next(i for i, line in enumerate(lines) if "label:" in line)
    lines[number] = lines[number].replace("label:", f"{wrong}:")
    (copy / "animal.yaml").write_text("\n".join(lines) + "\n")
    return copy, number + 1
