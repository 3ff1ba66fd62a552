"""A pinned version is checked byte by byte, mended by what is printed, and made again.

Each test prints what it saw; run with ``pytest -s``.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from e2e.clone import Clone
from lvlmbench.engine.hashing import source_digests
from lvlmbench.engine.seals import read_seal, write_seal
from lvlmbench.versions.facts import file_facts

pytestmark = pytest.mark.e2e

LVLMBENCH = ("python", "-m", "lvlmbench.commands.main")
VERIFY = (*LVLMBENCH, "verify")
ASIDE = ".lvlmbench/verify"
IMAGES = "data/dysca/images/clean/part-00000.parquet"
ANSWERS = "data/dysca/answers/chance/clean/part-00001.parquet"
RENDERED = "data/dysca/rendered/part-00000.parquet"
VERDICTS = "data/dysca/verdicts/integrity/part-00000.parquet"
METRICS = "results/dysca/metrics.json"


@pytest.fixture(scope="module")
def pinned(made: Clone, tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """A clone with v1, whose files are hard links of DVC's cache, as after ``dvc pull``."""
    folder = tmp_path_factory.mktemp("verify")
    clone = made.copy(folder / "clone")
    clone.run("dvc", "remote", "add", "--force", "--default", "own", str(folder / "remote"))
    clone.run(*LVLMBENCH, "snapshot", "v1")
    clone.run("dvc", "checkout", "--relink")
    assert (clone.path / IMAGES).stat().st_nlink > 1
    return clone


def change(path: Path, edit: Callable[[bytearray], object]) -> None:
    """Other bytes under the same inode and time, as a failing disk leaves them."""
    before = path.stat()
    data = bytearray(path.read_bytes())
    edit(data)
    path.chmod(0o644)
    path.write_bytes(data)
    path.chmod(before.st_mode)
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def flip(data: bytearray) -> None:
    data[len(data) // 2] ^= 1


def printed_commands(said: str) -> list[str]:
    """What stands, indented, below the name of each file."""
    return [line.strip() for line in said.splitlines() if re.match(r" {6}\S", line)]


def damage(clone: Clone) -> dict[str, str]:
    """Harm files in several ways; returns what is to be said of each."""
    clone.run("dvc", "checkout", "--relink")
    assert (clone.path / IMAGES).samefile(clone.path / RENDERED)
    change(clone.path / IMAGES, flip)  # in DVC's cache, too
    change(clone.path / ANSWERS, lambda data: data.__delitem__(slice(500, None)))
    (clone.path / VERDICTS).unlink()
    (clone.path / "data/dysca/images/clean/part-00009.parquet").write_bytes(b"left over")
    copied = bytearray((clone.path / METRICS).read_bytes())
    flip(copied)
    (clone.path / METRICS).unlink()
    (clone.path / METRICS).write_bytes(copied)  # not in DVC's cache
    return {
        IMAGES: "is damaged: its size is right, its bytes are not",
        RENDERED: "is damaged: its size is right, its bytes are not",  # the same bytes
        ANSWERS: "is truncated: 500 of ",
        VERDICTS: "is missing",
        "data/dysca/images/clean/part-00009.parquet": "is surplus",
        METRICS: "is damaged",
    }


@pytest.mark.long
@pytest.mark.parametrize("how", ["each", "all at once"])
def test_damaged_files_are_named_and_mended_by_what_is_printed(pinned: Clone, how: str) -> None:
    expected = damage(pinned)
    said = pinned.run(*VERIFY, "v1", code=1)
    print(said)
    for path, words in expected.items():
        assert f"  {path} {words}" in said
    assert "v1 DIFFERS: 6 of its files are not as pinned; nothing was made again." in said
    commands = printed_commands(said)
    assert len(commands) == len(expected)
    if how == "all at once":
        commands = re.findall(r"^All at once: (.*)$", said, flags=re.M)
    for command in commands:
        print(pinned.run("sh", "-c", command))
    said = pinned.run(*VERIFY, "v1", "--files-only")
    assert said.splitlines()[-1].startswith("v1 is as pinned: ")
    assert pinned.run("dvc", "status").strip() == "Data and pipelines are up to date."


@pytest.mark.long
def test_a_version_elsewhere_is_laid_out_for_a_while(pinned: Clone, tmp_path: Path) -> None:
    """Beside edited files, after a kill, from a clone where nothing was pulled."""
    clone = pinned.fresh(tmp_path / "clone")
    with (clone.path / "params.yaml").open("a") as f:
        f.write("# edited\n")
    said = clone.run(*VERIFY, "v1", "--files-only", code=2)
    assert said.strip() == "'v1': none of its files is here; run 'dvc pull', then again"
    clone.set("report", items=1)
    (clone.path / "dvc.lock").write_text("schema: '2.0'\nstages: {}\n")
    before = clone.run("git", "status", "--short")
    started = (clone.path / ASIDE / "again").exists
    assert clone.killed(*VERIFY, "v1", "--stage", "scenes", once=started)
    assert (clone.path / ASIDE).exists()
    said = clone.run(*VERIFY, "v1", "--stage", "scenes")
    print(said)
    assert "this folder is not at v1: laying it out beside it" in said
    assert re.search(r"^  scenes/dysca +made again, equal$", said, flags=re.M)
    assert re.search(
        r"; 1 of \d+ stages made again and equal, .*\d+ not asked for\.$", said, flags=re.M
    )
    assert "not made again" not in said
    assert not (clone.path / ASIDE).exists() and not (clone.path / "data/dysca/images").exists()
    assert clone.run("git", "status", "--short") == before
    assert len(clone.run("git", "worktree", "list").splitlines()) == 1


@pytest.mark.long
def test_a_version_made_by_other_code_is_found(pinned: Clone, tmp_path: Path) -> None:
    """Its seals say that this code made it, and every file is as its manifest says."""
    clone = pinned.copy(tmp_path / "clone")
    template = clone.path / "lvlmbench/stages/report/templates/report.html.j2"
    template.write_text(template.read_text().replace("<body", "<body data-other", 1))
    path = clone.path / "data/seals/report.json"
    seal = read_seal(path)
    assert seal is not None
    seal["code"] |= source_digests(clone.path, ["lvlmbench/stages/report"])
    path.unlink()
    write_seal(path, seal)
    clone.commit("other code")
    clone.run(*LVLMBENCH, "snapshot", "lying")
    files = [path for top in ("data", "results") for path in (clone.path / top).rglob("*")]
    before = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}
    said = clone.run(*VERIFY, "lying", "--stage", "report", code=1)
    print(said)
    found = re.search(
        r"^  report +DIFFERS: results/report.html: from byte ([\d,]+) on$", said, re.M
    )
    assert found, said
    assert int(found[1].replace(",", "")) > 1
    assert "lying DIFFERS: " in said.splitlines()[-1]
    assert {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in files} == before
    clone.run(*VERIFY, "lying", "--files-only")
    log = (clone.path / ".lvlmbench/verify-lying.log").read_text()
    assert "snakemake" in log


@pytest.mark.long
def test_a_seal_that_does_not_hold_is_found(pinned: Clone, tmp_path: Path) -> None:
    """The manifest was altered to hide it; what follows from the stage is left alone."""
    clone = pinned.copy(tmp_path / "clone")
    path = clone.path / "data/seals/metrics/dysca.json"
    seal = json.loads(path.read_text())
    seal["params"]["statistics"]["resamples"] += 1
    data = (json.dumps(seal, sort_keys=True, indent=1) + "\n").encode()
    path.unlink()
    path.write_bytes(data)
    manifest = clone.path / "data/snapshots/v1.json"
    told = json.loads(manifest.read_text())
    told["files"]["data/seals/metrics/dysca.json"] = file_facts(path).model_dump()
    clone.run("dvc", "commit", "-f")
    told["locks"]["dvc.lock"] = file_facts(clone.path / "dvc.lock").blake2b
    manifest.write_text(json.dumps(told))
    clone.commit("altered")
    clone.run("git", "tag", "-f", "v1")
    said = clone.run(*VERIFY, "v1", "--stage", "report", code=1)
    print(said)
    assert re.search(
        r"^  metrics/dysca +DIFFERS: its seal does not hold: statistics changed$", said, re.M
    )
    assert re.search(
        r"^  report +not made again: the seal of metrics/dysca does not hold$", said, re.M
    )
