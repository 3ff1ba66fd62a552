"""Folders that cannot be written: one line, nothing half-made, then the same command again."""

from __future__ import annotations

from pathlib import Path

import pytest
from e2e.clone import Clone

from faults.kills import leftovers, untrue_seals
from faults.places import failed, lines, linked_copy, long_only, read_only

pytestmark = pytest.mark.e2e

FOLDERS = ("results", *(pytest.param(n, marks=long_only) for n in ("data", ".lvlmbench", ".")))


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
    assert len(told) == 1, said
    assert "work in a folder that can be written" in told[0] or folder == "."
    assert not [s for s in untrue_seals(clone, clone.artifacts()) if "as sealed" in s]
    assert sum(clone.snakemake("--cores", "2").values()) <= 1
    assert clone.artifacts() == shown_two
    assert leftovers(clone) == []


@long_only
def test_a_folder_of_somebody_else_is_one_line(made: Clone, tmp_path: Path) -> None:
    """As a user who may read everything and write nothing."""
    clone = linked_copy(made, tmp_path / "clone")
    clone.set("report", items=2)
    for path in tmp_path.parents[:3]:
        path.chmod(0o755)
    other = ("setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups")
    said = failed(clone, *other, "snakemake", "--cores", "2", env={"HOME": "/nonexistent"})
    told = lines(said, "permission denied")
    print("  as another user:", *told, sep="\n    ")
    assert len(told) == 1, said
    assert clone.snakemake("--cores", "2") == {"report": 1}
