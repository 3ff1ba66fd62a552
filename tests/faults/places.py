"""Small disks, folders that cannot be written, clones whose hard links are kept."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from e2e.clone import Clone


def _mount(*arguments: str) -> None:
    """Mount something, or skip the test where that is not permitted."""
    done = subprocess.run(["mount", *arguments], capture_output=True, text=True)
    if done.returncode:
        message = f"mounting is not permitted here: {done.stderr.strip()}"
        if os.environ.get("LVLMBENCH_REQUIRE_TMPFS"):
            pytest.fail(message)
        pytest.skip(message)


def _unmount(folder: Path) -> None:
    subprocess.run(["umount", "-l", str(folder)], check=True)


class Disk:
    """A disk of its own in memory, of which a file takes what is to be missing."""

    def __init__(self, path: Path) -> None:
        self.path, self._ballast = path, path / "ballast"

    def free(self) -> int:
        """KiB that are free."""
        found = os.statvfs(self.path)
        return found.f_bavail * found.f_frsize // 1024

    def leave(self, kib: int) -> None:
        """Fill the disk but for this much."""
        with self._ballast.open("wb") as f:
            f.write(b"\0" * (max(0, self.free() - kib) * 1024))
        assert abs(self.free() - kib) <= 8

    def clear(self) -> None:
        """Give the space back."""
        self._ballast.unlink()


@contextmanager
def small_disk(folder: Path, mib: int = 160) -> Iterator[Disk]:
    """A tmpfs at ``folder``."""
    folder.mkdir()
    _mount("-t", "tmpfs", "-o", f"size={mib}m", "tmpfs", str(folder))
    try:
        yield Disk(folder)
    finally:
        _unmount(folder)


@contextmanager
def read_only(folder: Path) -> Iterator[None]:
    """Have a folder be read-only, for root too."""
    _mount("--bind", str(folder), str(folder))
    try:
        _mount("-o", "remount,ro,bind", str(folder))
        yield
    finally:
        _unmount(folder)


def linked_copy(clone: Clone, path: Path) -> Clone:
    """A copy in which what was one file is one file: build, artifact and DVC's cache."""
    subprocess.run(["cp", "-a", str(clone.path), str(path)], check=True)
    return Clone(path, clone.home)


def failed(clone: Clone, *command: str, env: dict[str, str] | None = None) -> str:
    """What a command says that must fail, without a traceback."""
    done = subprocess.run(
        command,
        cwd=clone.path,
        env=clone.environment | (env or {}),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=900,
    )
    assert done.returncode not in (0, -9), done.stdout
    # Python's logging tells by a traceback that Snakemake's own log has no room on a full disk.
    before = done.stdout.partition("--- Logging error ---")[0]
    assert "Traceback" not in before, done.stdout
    return done.stdout


def lines(said: str, words: str) -> list[str]:
    """Lines with a regular expression, whatever the case."""
    return [line for line in said.splitlines() if re.search(words, line, flags=re.I)]
