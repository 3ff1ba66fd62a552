"""A disk that is full: one line that says where and what to do, then the same command again.

Where mounting is not permitted these are skipped; LVLMBENCH_REQUIRE_TMPFS makes that an error.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.clone import Clone
from faults.kills import leftovers, untrue_seals
from faults.places import Disk, failed, lines, linked_copy, small_disk

pytestmark = [pytest.mark.e2e, pytest.mark.long]

FULL = "no space left on device|disk is full"
UP_TO_DATE = "Data and pipelines are up to date."


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    with small_disk(tmp_path / "disk") as found:
        yield found


def try_full(disk: Disk, clone: Clone, kib: int, *command: str) -> bool:
    """Run a command with this much left, then give the space back; says whether it failed."""
    expected = clone.artifacts()
    disk.leave(kib)
    try:
        said = failed(clone, *command)
    except AssertionError as error:
        assert "Traceback" not in str(error), error
        return False
    finally:
        disk.clear()
    told = lines(said, FULL)
    print(f"  {' '.join(command)} with {kib} KiB left:", *told[:2], sep="\n    ")
    assert told, said
    assert not [seal for seal in untrue_seals(clone, expected) if "as sealed" in seal]
    return True


@pytest.mark.parametrize("kib", [0, 150, 700, 1400, 2200])
def test_a_run_on_a_full_disk_goes_on(made: Clone, origin: Clone, disk: Disk, kib: int) -> None:
    clone = origin.fresh(disk.path / "clone")
    assert try_full(disk, clone, kib, "snakemake", "--cores", "2")
    clone.snakemake("--cores", "2")
    assert clone.artifacts() == made.artifacts()
    assert leftovers(clone) == []


@pytest.mark.parametrize("kib", [60, 0, 8, 24, 128])
def test_one_stage_and_its_publishing_on_a_full_disk(
    made: Clone, shown_two: dict[str, str], disk: Disk, kib: int
) -> None:
    """So little that planning, the job, Snakemake's own notes or the publishing fails."""
    clone = linked_copy(made, disk.path / "clone")
    shutil.rmtree(clone.path / ".lvlmbench/build")  # a run would free it, as DVC keeps the files
    clone.set("report", items=2)
    assert try_full(disk, clone, kib, "snakemake", "--cores", "2")
    assert clone.snakemake("--cores", "2") in ({"report": 1}, {})
    assert clone.artifacts() == shown_two
    assert leftovers(clone) == []


@pytest.mark.parametrize("kib", [40, 0, 400])
def test_dvc_commit_on_a_full_disk(made: Clone, disk: Disk, kib: int) -> None:
    clone = linked_copy(made, disk.path / "clone")
    clone.run("rm", "-r", ".dvc/cache", ".dvc/tmp", "dvc.lock")
    lock = (made.path / "dvc.lock").read_bytes()
    assert try_full(disk, clone, kib, "dvc", "commit", "-f")
    assert clone.snakemake("-n") == {}
    clone.run("dvc", "commit", "-f")
    assert clone.run("dvc", "status").strip() == UP_TO_DATE
    assert (clone.path / "dvc.lock").read_bytes() == lock
    assert clone.artifacts() == made.artifacts()


@pytest.mark.parametrize("kib", [100, 1000])
def test_dvc_pull_on_a_full_disk(made: Clone, disk: Disk, kib: int) -> None:
    clone = made.fresh(disk.path / "clone")
    assert try_full(disk, clone, kib, "dvc", "pull")
    clone.run("dvc", "pull")
    assert clone.snakemake("-n") == {}
    assert clone.artifacts() == made.artifacts()


def test_no_room_for_temporary_files(
    origin: Clone, made: Clone, disk: Disk, tmp_path: Path
) -> None:
    """A full /tmp, as on machines where it is small: nothing needs it, or one line says so."""
    clone = origin.fresh(tmp_path / "clone")
    (disk.path / "tmp").mkdir()
    disk.leave(0)
    said = clone.run("env", f"TMPDIR={disk.path}/tmp", "snakemake", "--cores", "2")
    assert "Traceback" not in said
    assert clone.artifacts() == made.artifacts()
