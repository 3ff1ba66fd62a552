"""Damaged bytes of artifacts, of DVC's files and of Snakemake's: named or harmless, then mended."""

from __future__ import annotations

import hashlib
import os
import shutil
from pathlib import Path

import pytest

from e2e.clone import Clone
from faults.kills import cut_file
from faults.places import failed, linked_copy
from lvlmbench import tables
from lvlmbench.core.errors import UserError

pytestmark = [pytest.mark.e2e, pytest.mark.long]

ANSWERS = "data/dysca/answers/chance/clean/part-00000.parquet"
UP_TO_DATE = "Data and pipelines are up to date."


def readable(file: Path) -> bool:
    """Whether a shard of answers is read without complaint."""
    try:
        tables.read([file], tables.ANSWERS)
    except UserError:
        return False
    return True


def flip(file: Path) -> None:
    """One bit, as a disk loses it: in place, so in all links, and no time stamp tells of it.

    A bit in rows: about a third of a small file are statistics and the like, and change no row.
    """
    stat = file.stat()
    file.chmod(0o644)
    right, trial = file.read_bytes(), file.with_name("trial")
    for place in range(64, len(right)):
        data = bytearray(right)
        data[place] ^= 1
        trial.write_bytes(data)
        if not readable(trial):
            break
    trial.unlink()
    with file.open("r+b") as f:
        f.write(data)
    file.chmod(stat.st_mode)
    os.utime(file, ns=(stat.st_atime_ns, stat.st_mtime_ns))


@pytest.fixture
def clone(made: Clone, tmp_path: Path) -> Clone:
    return linked_copy(made, tmp_path / "clone")


def test_a_bit_that_no_time_stamp_tells_of_is_found_by_who_reads(clone: Clone, made: Clone) -> None:
    """Planning looks at times and sizes, and so does DVC: both believe. Readers do not."""
    assert clone.snakemake("-n") == {}  # remembers the hashes
    clone.run("dvc", "status")
    flip(clone.path / ANSWERS)
    assert clone.snakemake("-n") == {}
    assert clone.run("dvc", "status").strip() == UP_TO_DATE
    with pytest.raises(UserError, match=r"part-00000\.parquet: cannot be read as Parquet"):
        tables.read(clone.path / ANSWERS.rpartition("/")[0], tables.ANSWERS)
    shutil.rmtree(clone.path / "data/dysca/scores/chance/clean")
    said = failed(clone, "snakemake", "--cores", "2", "data/seals/score/dysca/chance/clean.json")
    line, last = [x for x in said.splitlines() if "cannot be read as Parquet" in x]
    assert last == f"not finished: {line}"
    print(f"  {line}")
    assert ANSWERS in line and "delete it and run again" in line
    # The one command that the line names, and the run again.
    (clone.path / ANSWERS).unlink()
    clone.snakemake("--cores", "2", "data/seals/score/dysca/chance/clean.json")
    assert clone.artifacts() == made.artifacts()


def test_a_damaged_object_of_the_cache_is_removed_with_the_artifact(
    clone: Clone, made: Clone
) -> None:
    """DVC believes an object that is there, so that the artifact alone is not enough to remove."""
    right = hashlib.md5((clone.path / ANSWERS).read_bytes()).hexdigest()
    kept = clone.path / ".dvc/cache/files/md5" / right[:2] / right[2:]
    assert kept.samefile(clone.path / ANSWERS)
    flip(clone.path / ANSWERS)
    kept.unlink()
    (clone.path / ANSWERS).unlink()
    clone.snakemake("--cores", "2")
    clone.run("dvc", "commit", "-f")
    (clone.path / ANSWERS).unlink()
    clone.run("dvc", "checkout")
    assert clone.artifacts() == made.artifacts()
    assert clone.run("dvc", "status").strip() == UP_TO_DATE


@pytest.mark.parametrize("keep", [0, 0.5, 0.34, 0.2])
def test_a_lock_file_that_was_cut_short_costs_no_job(
    clone: Clone, made: Clone, keep: float
) -> None:
    lock = clone.path / "dvc.lock"
    right = lock.read_bytes()
    lock.write_bytes(right[: int(keep * len(right))])
    done = clone.start("dvc", "status")
    said = done.communicate()[0]
    print("  dvc status:", said.strip().splitlines()[-3:])
    assert "Traceback" not in said and UP_TO_DATE not in said
    if name := cut_file(said):
        assert name == "dvc.lock"
        lock.unlink()
    elif "ERROR: unexpected error" in said:  # all that DVC says where a value was cut
        lock.unlink()
    clone.run("dvc", "commit", "-f")
    assert clone.run("dvc", "status").strip() == UP_TO_DATE
    assert lock.read_bytes() == right


@pytest.mark.parametrize("damage", [b"", b"\xff\x00{"])
def test_nothing_hangs_on_what_snakemake_keeps(clone: Clone, made: Clone, damage: bytes) -> None:
    for file in [f for f in (clone.path / ".snakemake").rglob("*") if f.is_file()]:
        file.write_bytes(damage)
    (clone.path / "results/report.html").unlink()
    if damage:  # not even text: Snakemake itself ends with a traceback
        clone.run("snakemake", "--cores", "2", code=1)
        shutil.rmtree(clone.path / ".snakemake")
    assert clone.snakemake("--cores", "2") in ({}, {"report": 1})
    assert clone.artifacts() == made.artifacts()
    assert clone.snakemake("-n") == {}


@pytest.mark.parametrize(
    "part", ["data/dysca/images/clean", "data/dysca/scenes", "results/dysca/figures"]
)
def test_truncated_artifacts_are_made_again(clone: Clone, made: Clone, part: str) -> None:
    """In place, so that the build folder holds the same damage."""
    for file in [f for f in (clone.path / part).rglob("*") if f.is_file()]:
        file.chmod(0o644)
        os.truncate(file, file.stat().st_size // 2)
    clone.snakemake("--cores", "2")
    assert clone.artifacts() == made.artifacts()
    assert clone.snakemake("-n") == {}


def test_damage_in_the_remote_does_not_come_along(made: Clone, tmp_path: Path) -> None:
    """Not only its bytes: its length too, as an upload leaves it that was cut short."""
    remote = tmp_path / "remote"
    shutil.copytree(made.path.parent / "remote", remote)
    objects = [f for f in remote.rglob("*") if f.is_file() and f.stat().st_size > 5000]
    for file in objects[:3]:
        file.chmod(0o644)
        os.truncate(file, 1000)
    clone = made.fresh(tmp_path / "clone")
    clone.run("dvc", "remote", "add", "-f", "-d", "local", str(remote))
    process = clone.start("dvc", "pull")
    said = process.communicate()[0]
    print("  dvc pull:", process.returncode, said.strip()[-300:])
    assert "Traceback" not in said
    if clone.artifacts() != made.artifacts():
        assert clone.snakemake("-n") != {}, "damage was accepted"
