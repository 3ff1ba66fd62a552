"""Folders that cannot be written: one line, nothing half-made, then the same command again."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from e2e.clone import Clone
from faults.kills import leftovers, untrue_seals
from faults.places import failed, lines, linked_copy, read_only

pytestmark = pytest.mark.e2e

FOLDERS = (
    "results",
    *(pytest.param(n, marks=pytest.mark.long) for n in ("data", ".lvlmbench", ".")),
)


@pytest.mark.long
@pytest.mark.parametrize("folder", FOLDERS)
def test_a_read_only_folder_is_one_line(
    made: Clone, shown_two: dict[str, str], tmp_path: Path, folder: str
) -> None:
    clone = linked_copy(made, tmp_path / "clone")
    clone.set("report", items=2)
    with read_only(clone.path / folder):
        said = failed(clone, "snakemake", "--cores", "2")
    told = lines(said, "read-only file system")
    print(f"  {folder}:", *told, sep="\n    ")
    snakemakes = [line for line in told if line.startswith("Failed to setup log file")]
    assert len(told) - len(snakemakes) == 1, said
    assert said.splitlines()[-1].endswith("; work in a folder that can be written"), said
    assert not [s for s in untrue_seals(clone, clone.artifacts()) if "as sealed" in s]
    assert sum(clone.snakemake("--cores", "2").values()) <= 1
    assert clone.artifacts() == shown_two
    assert leftovers(clone) == []


#: Who owns all files but may not pass over their permission bits, as root does.
_LIKE_USERS = ("--bounding-set", "-dac_override,-dac_read_search", "--inh-caps", "-all")


def like_a_user() -> tuple[str, ...]:
    """Start of a command that has no more rights than a user has."""
    return () if os.geteuid() else ("setpriv", *_LIKE_USERS)


@pytest.mark.long
def test_a_user_can_run_again_what_dvc_has_made_read_only(
    made: Clone, shown_two: dict[str, str], tmp_path: Path
) -> None:
    clone = linked_copy(made, tmp_path / "clone")
    kept = {f: f.read_bytes() for f in (clone.path / ".dvc/cache").rglob("*") if f.is_file()}
    assert not (clone.path / "results/report.html").stat().st_mode & 0o222
    clone.set("report", items=2)
    clone.run(*like_a_user(), "snakemake", "--cores", "2")
    assert clone.artifacts() == shown_two
    assert all(file.read_bytes() == data for file, data in kept.items())


@pytest.mark.long
def test_a_folder_without_the_right_to_write_is_one_line(
    made: Clone, shown_two: dict[str, str], tmp_path: Path
) -> None:
    clone = linked_copy(made, tmp_path / "clone")
    clone.set("report", items=2)
    folder = clone.path / ".lvlmbench"
    folder.chmod(0o555)
    said = failed(clone, *like_a_user(), "snakemake", "--cores", "2")
    told = lines(said, "permission denied")
    print("  no right to write:", *told, sep="\n    ")
    assert len(told) == 1 and "make it readable and writable for you" in told[0], said
    folder.chmod(0o755)
    assert clone.snakemake("--cores", "2") == {"report": 1}
    assert clone.artifacts() == shown_two
