"""What happens beside a run in the same folder: nothing that it builds is taken away from it."""

from __future__ import annotations

import getpass
import os
import pwd
from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.engine import job
from lvlmbench.engine.builds import CHECKPOINTS
from lvlmbench.engine.hashing import Hashes
from lvlmbench.engine.job import reuse
from lvlmbench.engine.process import RUN, RUN_LOCK, begin_run, take_lock
from lvlmbench.engine.under_way import note_begun
from support.engine_project import Project, begin


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(begin(tmp_path, monkeypatch))


def test_whoever_looks_beside_a_run_removes_nothing_that_it_builds(project: Project) -> None:
    project.build()
    project.write("one", "uno")
    assert project.build(stop="two/a") == ["one"]
    building = Path(project.plan().status["one"].build)

    run = take_lock(RUN_LOCK)
    project.write("one", "one")  # the edit is taken back while the run is at work
    beside = project.plan()
    assert beside.status["one"].valid
    assert (building / "log").is_file(), "its jobs write there"
    os.close(run)
    with pytest.raises(UserError, match="when this one began; run again"):
        beside.begin()


def test_a_run_begins_while_others_only_look(project: Project) -> None:
    plan = project.plan()
    plan.begin()
    with pytest.raises(UserError, match="another run is at work in this folder"):
        plan.begin()


def _write_script(root: Path, monkeypatch: pytest.MonkeyPatch, name: str, text: str) -> None:
    """Have jobs run a script of this name."""
    monkeypatch.setattr(job, "ROOT", root)
    (root / "scripts").mkdir()
    (root / "scripts" / f"{name}.py").write_text(text)


def test_a_build_that_vanishes_under_its_job_is_one_line(
    project: Project,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    build = Path(project.plan().status["one"].build)
    log = build / "log" / "one.log"
    text = f"import shutil, sys\nshutil.rmtree({str(build)!r})\nsys.exit(1)\n"
    _write_script(tmp_path, monkeypatch, "lost", text)
    for there in (True, False):
        if there:
            log.parent.mkdir()
        with pytest.raises(SystemExit) as ended:
            job.main(["lost", str(build), str(log)])
        said = capfd.readouterr().err
        assert ended.value.code == 2
        assert str(build) in said and "run again" in said and "Traceback" not in said
        assert len(said.strip().splitlines()) == 1


def test_a_mistake_in_the_parameters_is_told_in_its_file(
    project: Project,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    build = Path(project.plan().status["one"].build)
    said = "params.yaml: score.caption_encoder: no encoder lies there; correct it"
    text = f"import sys\nprint({said!r})\nsys.exit(2)\n"
    _write_script(tmp_path, monkeypatch, "errs", text)
    (build / "log").mkdir()
    Path("params.yaml").write_text("snapshot: {seed: 7}\n")
    Path("own.yaml").write_text("score: {caption_encoder: /none}\n")
    given = {"files": ["params.yaml", "own.yaml"], "config": {}}
    for there in (True, False):
        note_begun([], given if there else {"files": ["gone.yaml"], "config": {}})
        with pytest.raises(SystemExit):
            job.main(["errs", str(build), str(build / "log" / "one.log")])
        wanted = said.replace("params.yaml", "own.yaml") if there else said
        assert capfd.readouterr().err == f"{wanted}\n"


def test_a_job_that_reads_what_its_own_build_made_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    build = Path(".lvlmbench/build/0123456789abcdef")
    for path, text in (
        (Path("results/part"), "old"),
        (Path("results/index"), "of old"),
        (build / "results/part", "new"),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    kept = f"{build}/{CHECKPOINTS}/index"  # where it may leave something; nothing is there
    command = ["python", "index.py", f"{build}/results/part", kept, f"{build}/results/index"]
    assert not reuse(build, {"reuse": True}, command, Hashes(None))
    assert (build / "results/part").read_text() == "new"
    (build / "results/part").write_text("old")
    assert reuse(build, {"reuse": True}, command, Hashes(None))
    assert (build / "results/index").read_text() == "of old"


def test_a_job_that_reads_whole_folders_takes_its_outputs_where_all_it_reads_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    build, maker = Path(".lvlmbench/build/0123456789abcdef"), Path(".lvlmbench/build/ab")
    for path, text in (
        (Path("data/one/part"), "old"),
        (Path("data/two/part"), "as it lies"),
        (Path("results/sums/table"), "of old"),
        (maker / "data/one/part", "new"),
        (build / "results/sums/left", "by a job that was killed"),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    plan = {"reuse": True, "above": {"data/one": str(maker), "data/two": "."}}
    command = ["python", "sums.py", f"{build}/above/data", f"{build}/results/sums"]
    assert not reuse(build, plan, command, Hashes(None))
    (maker / "data/one/part").unlink()
    assert not reuse(build, plan, command, Hashes(None)), "it is not made yet"
    (maker / "data/one/part").write_text("old")
    assert reuse(build, plan, command, Hashes(None))
    assert [path.name for path in (build / "results/sums").iterdir()] == ["table"]
    passing = ["python", "sums.py", f"{build}/above/data", f"{build}/figures/some.zip"]
    assert not reuse(build, plan, passing, Hashes(None)), "nobody else would make it"


def test_a_user_without_a_name_gets_one_for_snakemake(monkeypatch: pytest.MonkeyPatch) -> None:
    def nameless(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.setenv(RUN, "")
    monkeypatch.setattr(pwd, "getpwuid", nameless)
    for variable in ("LOGNAME", "USER", "LNAME", "USERNAME"):
        monkeypatch.setenv(variable, "")
    begin_run()
    assert getpass.getuser() == str(os.getuid())
