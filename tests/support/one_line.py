"""What a mistake of the user must look like from outside."""

from __future__ import annotations

import subprocess


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
