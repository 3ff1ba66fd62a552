"""Damaged files of a run's own keeping, on a small project: harmless or made again, never believed.

What a power cut can leave is among it: files that are there and empty.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.engine import publish as publishing
from lvlmbench.engine.builds import BUILDS, HASHES, PLAN, STATE, read_plan
from lvlmbench.engine.clocks import bring_all_back
from lvlmbench.engine.job import run_job
from lvlmbench.engine.publish import drop_leftovers, publish
from lvlmbench.engine.setup import Dag
from lvlmbench.engine.stages import SEALS
from support.engine_project import ALL, RESULT, Project, begin

RIGHT = "three(two(one))(two(one))"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(begin(tmp_path, monkeypatch))


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def flipped(data: bytes) -> bytes:
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]


DAMAGE: list[Callable[[bytes], bytes]] = [
    lambda _: b"",
    lambda _: b"[]",
    lambda _: b"3",
    lambda _: b"{}",
    lambda _: b"\xff\x00",
    lambda data: b"\0" * len(data),
    cut,
    flipped,
]


def spoil(files: list[Path], damage: Callable[[bytes], bytes]) -> None:
    """Damage files as they lie, which also changes what they are linked to."""
    assert files
    for file in files:
        data = file.read_bytes()
        file.unlink()
        file.write_bytes(damage(data))


def aged() -> None:
    """Have all files be old enough to be remembered."""
    for file in (p for top in ("data", "results", STATE) for p in Path(top).rglob("*")):
        if file.is_file():
            os.utime(file, ns=(10**18, 10**18))


@pytest.mark.sampled(2)
@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("when", ["built", "published"])
@pytest.mark.parametrize(
    "pattern", [HASHES, f"{BUILDS}/*/{PLAN}", f"{BUILDS}/*/made/*.json", f"{SEALS}/**/*.json"]
)
def test_damaged_state_ends_in_the_same_files(
    project: Project,
    pattern: str,
    when: str,
    damage: Callable[[bytes], bytes],
) -> None:
    if when == "built" and pattern.startswith(SEALS):
        pattern = f"{BUILDS}/*/made/*.json"  # there are no seals yet
    project.build(stop="three" if when == "built" else "")
    aged()
    project.plan()  # remembers
    spoil(sorted(Path().glob(pattern)), damage)
    if when == "published":  # so that builds are looked at
        shutil.rmtree("results")
    project.build()
    assert RESULT.read_text() == RIGHT
    assert Path("data/two/a/part").read_text() == "two(one)"
    assert project.stale() == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize("damage", DAMAGE)
@pytest.mark.parametrize("name", ["data/one/x/part", "data/two/a/part", "results/three.txt"])
def test_damaged_artifacts_are_made_again(
    project: Project,
    name: str,
    damage: Callable[[bytes], bytes],
) -> None:
    project.build()
    file = Path(name)
    file.write_bytes(damage(file.read_bytes()))  # in place: the built file is the same one
    assert project.stale()
    project.build()
    assert RESULT.read_text() == RIGHT and project.stale() == []


def test_files_that_no_sound_note_speaks_for_are_made_again(project: Project) -> None:
    project.build(stop="three")
    (build,) = (b for b in Path(BUILDS).iterdir() if (b / "data/one").exists())
    (note,) = (build / "made").iterdir()
    (build / "data/one/x/part").write_text("wrong")
    note.write_bytes(b"")
    assert project.build() == ["one", "three"] or RESULT.read_text() == RIGHT
    assert RESULT.read_text() == RIGHT


def test_a_wrong_hash_is_not_remembered(project: Project) -> None:
    project.build()
    aged()
    project.plan()
    check, _, text = Path(HASHES).read_bytes().partition(b"\n")
    known = json.loads(text)
    for each in known.values():
        each[2] = "0" * 32
    Path(HASHES).write_bytes(check + b"\n" + json.dumps(known).encode())
    assert project.stale() == []


def test_what_a_killed_job_was_writing_beside_its_output_is_not_published(
    project: Project,
) -> None:
    folder = Path(project.plan().status["three"].build) / "results"
    folder.mkdir(parents=True)
    (folder / "facts.json").write_text("{}")
    (folder / f".facts.json.{'0a' * 16}.tmp").write_text("{")
    project.build()
    assert sorted(p.name for p in Path("results").iterdir()) == ["facts.json", "three.txt"]


class Killed(BaseException):
    """Stands for ``kill -9``."""


@pytest.mark.long
def test_a_stage_with_a_seal_can_be_published_again_wherever_publishing_was_killed(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Snakemake removes what a killed job of its own was to make, and runs that job again."""
    link, again, stop, ended = publishing.link, 0, 0, False
    while not ended:
        stop += 1
        left = iter(range(stop))

        def links(source: Path, target: Path, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise Killed
            link(source, target)

        monkeypatch.setattr(publishing, "link", links)
        try:
            project.build()
            ended = True
        except Killed:
            pass
        monkeypatch.setattr(publishing, "link", link)
        plan = project.plan()
        if not plan.stale("three"):
            for path in (RESULT, Path(plan.stages["three"].seal)):
                path.unlink()
            publish(Path(plan.status["three"].build))
            again += 1
        assert project.build() == [] and project.stale() == []
        assert RESULT.read_text() == RIGHT
        for folder in ("data", "results", BUILDS):
            shutil.rmtree(folder)
    assert stop > 10 and again > 0


def test_what_a_killed_publishing_left_goes_whatever_is_published_next(
    project: Project,
) -> None:
    project.build()
    plan = project.plan()
    targets = [path for s in plan.stages.values() for path in (*s.outs, s.seal)]
    left = [
        *(Path("data/one/.x.publish-new/part"), Path("data/two/.b.publish-old/part")),
        *(Path("results/.three.txt.publish-new"), Path(f"{SEALS}/.three.json.{'0' * 32}.tmp")),
    ]
    for path in left:
        path.parent.mkdir(exist_ok=True)
        path.write_text("half")
    drop_leftovers(targets)
    assert not [path for path in left if path.exists()]
    assert project.stale() == [] and RESULT.read_text() == RIGHT


def test_a_build_without_a_plan_is_one_line(project: Project) -> None:
    plan = project.plan()
    build = Path(plan.status["one"].build)
    for text in ("", "[]", '{"stage": "one"}'):
        (build / PLAN).write_text(text)
        with pytest.raises(UserError, match="removed or damaged while it was in use; run again"):
            read_plan(build)
    assert project.build() == ALL


def test_a_job_that_a_full_disk_ended_says_so(
    project: Project,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whether its log holds the words of some library, or nothing, as there was no room for it."""
    build = Path(project.plan().status["one"].build)
    (build / "log").mkdir()
    line = f"{build}/log: no space left on device; free some disk space and run again"
    died = "import sys; sys.exit('Error: I/O error: No space left on device (os error 28)')"
    assert run_job(build, build / "log/one.log", [sys.executable, "-c", died]) == line
    silent = [sys.executable, "-c", "raise SystemExit(1)"]
    said = f"stage 'one': a job ended with 1; see {build}/log/one.log"
    assert run_job(build, build / "log/one.log", silent) == said
    full = shutil._ntuple_diskusage(1 << 30, (1 << 30) - 512, 512)
    monkeypatch.setattr(shutil, "disk_usage", lambda path: full)
    assert run_job(build, build / "log/one.log", silent) == line


@pytest.mark.parametrize("name", ["data/one/x/part", "data/two/a/part", "results/three.txt"])
def test_a_removed_file_does_not_come_back_damaged(
    project: Project,
    name: str,
) -> None:
    """A bit was lost and no time stamp tells of it; then the user removes what cannot be read."""
    project.build()
    aged()
    assert project.stale() == []
    file = Path(name)
    with file.open("r+b") as f:
        f.write(b"~")
    os.utime(file, ns=(10**18, 10**18))
    assert project.stale() == []  # told in docs/running.md
    file.unlink()
    project.build()
    assert RESULT.read_text() == RIGHT
    assert Path("data/one/x/part").read_text() == "one"
    assert Path("data/two/a/part").read_text() == "two(one)"
    assert project.stale() == []


@pytest.mark.long
def test_a_damaged_copy_of_the_parameters_is_not_given_to_jobs(
    tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    config = Path(Dag.open(root, {}, None).config)
    right = config.read_bytes()
    for damage in DAMAGE:
        config.write_bytes(damage(right))
        assert Dag.open(root, {}, None).config == str(config)
        assert config.read_bytes() == right


def test_files_of_the_future_are_brought_back_and_others_left(tmp_path: Path) -> None:
    later, past = time.time_ns() + 10**15, 10**18
    for name, stamp in (("a/later", later), ("a/past", past), ("later", later)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(name)
        os.utime(tmp_path / name, ns=(stamp, stamp))
    bring_all_back([str(tmp_path / "a"), str(tmp_path / "none")])
    assert (tmp_path / "a/later").stat().st_mtime_ns < time.time_ns()
    assert (tmp_path / "a/past").stat().st_mtime_ns == past
    assert (tmp_path / "later").stat().st_mtime_ns == later


def test_what_cannot_be_removed_is_named_with_its_folder(tmp_path: Path) -> None:
    """As where another user has made it."""
    folder = tmp_path / "build/made"
    folder.mkdir(parents=True)
    (folder / "note.json").touch()
    folder.chmod(0o555)
    code = "import sys; from pathlib import Path; from lvlmbench.engine.builds import remove; "
    code += "from lvlmbench.core.guard import main_guard as g; g(remove)(Path(sys.argv[1]))"
    user = () if os.geteuid() else ("setpriv", "--bounding-set", "-all", "--inh-caps", "-all")
    done = subprocess.run(
        [*user, sys.executable, "-c", code, folder.parent], capture_output=True, text=True
    )
    folder.chmod(0o755)
    said = f"{folder}/note.json: permission denied; make it readable and writable for you"
    assert done.returncode == 2 and done.stderr.startswith(said), done.stderr
