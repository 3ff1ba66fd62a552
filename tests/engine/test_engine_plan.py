"""Plan, build, publish: on a small project with a dvc.yaml of its own, without Snakemake."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.engine.builds import BUILDS, CHECKPOINTS, HASHES, drop_spoilt, note_made
from lvlmbench.engine.hashing import Hashes
from lvlmbench.engine.job import outputs, run_job
from lvlmbench.engine.publish import place, publish
from lvlmbench.engine.seals import differences, read_seal
from support.engine_project import ALL, RESULT, Project, begin


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(begin(tmp_path, monkeypatch))


def test_everything_once(project: Project) -> None:
    assert project.stale() == ALL
    assert project.build() == ALL
    assert RESULT.read_text() == "three(two(one))(two(one))"
    assert project.stale() == []
    assert project.build() == []


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("change", "stale"),
    [
        (lambda p: p.params.update(first={"n": 2}), ALL),
        (lambda p: p.write("three", "3"), ["three"]),
        (lambda p: p.write("two", "2"), ["two/a", "two/b", "three"]),
        (lambda p: Path("data/two/a/part").write_text("two{one}"), ["two/a", "three"]),
        (lambda p: Path("data/two/a/part").unlink(), ["two/a", "three"]),
        (lambda p: Path("data/two/a/more").write_text(""), ["two/a", "three"]),
        (lambda p: Path("data/seals/one.json").unlink(), ALL),
        (lambda p: Path("data/seals/one.json").write_text("{"), ALL),
        (lambda p: os.utime("data/one/x/part"), []),
        (lambda p: (p.root / "README").write_text("new"), []),
    ],
)
def test_content_decides(
    project: Project, change: Callable[[Project], object], stale: list[str]
) -> None:
    project.build()
    expected = RESULT.read_text()
    change(project)
    assert project.stale() == stale
    project.build()
    assert project.stale() == []
    words = {w: (project.root / f"{w}.py").read_text().split('"')[1] for w in ("two", "three")}
    assert RESULT.read_text() == expected.replace("two", words["two"]).replace(
        "three", words["three"]
    )


def test_a_change_that_changes_no_byte_reuses_what_is_published(project: Project) -> None:
    project.build()
    project.write("one", "one", comment="# a comment\n")
    assert project.stale() == ALL
    assert project.build() == ["one"]
    assert project.stale() == []


def test_reuse_is_not_for_other_inputs(project: Project) -> None:
    project.build()
    project.write("one", "uno")
    assert project.build() == ALL
    assert RESULT.read_text() == "three(two(uno))(two(uno))"


def test_killed_run_goes_on(project: Project) -> None:
    assert project.build(stop="three") == ["one", "two/a", "two/b"]
    assert not Path("data").exists()
    assert project.build() == ["three"]


def test_what_a_killed_job_had_half_written_is_not_published(project: Project) -> None:
    plan = project.plan()
    build = Path(plan.status["one"].build)
    made = plan.made("one", ["data/one/x/part"])[0]
    code = """
import os, sys
from pathlib import Path
from lvlmbench import tables
path, table = Path(sys.argv[1]), tables.SCENES
with tables.writing(path, table, "a"), tables.writing(path.parent / "other", table, "a"):
    os.kill(os.getpid(), 9)
"""
    assert "-9" in (run_job(build, build / "log", [sys.executable, "-c", code, made]) or "")
    names = sorted(path.name.split(".")[1] for path in Path(made).parent.iterdir())
    assert names == ["other", "part"]
    for left in Path(made).parent.glob(".other.*"):
        left.rename(left.with_name(".other"))  # not the job's own, so not the job's to remove
    assert project.build() == ALL
    assert sorted(path.name for path in Path("data/one/x").iterdir()) == [".other", "part"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("kill_after", range(1, 4))
def test_killed_publishing_only_publishes_again(
    project: Project, monkeypatch: pytest.MonkeyPatch, kill_after: int
) -> None:
    project.build()
    project.params["first"] = {"n": 2}
    project.write("one", "uno")
    calls = []

    def killed(source: Path, target: Path, hashes: Hashes) -> None:
        calls.append(target)
        if len(calls) > kill_after:
            raise KeyboardInterrupt
        place(source, target, hashes)

    monkeypatch.setattr("lvlmbench.engine.publish.place", killed)
    with pytest.raises(KeyboardInterrupt):
        project.build()
    monkeypatch.undo()
    monkeypatch.chdir(project.root.parent / "work")
    assert project.stale() == ALL
    assert project.build() == []
    assert project.stale() == []
    assert RESULT.read_text() == "three(two(uno))(two(uno))"


def test_dvc_finds_what_snakemake_built(project: Project) -> None:
    """DVC removes a stage's outs before it runs the stage, one by one."""
    project.build()
    for name in ALL:
        stage = project.plan().stages[name]
        for out in (*stage.outs, stage.seal):
            for file in [Path(out)] if Path(out).is_file() else [*Path(out).iterdir()]:
                file.unlink()
        assert project.build(name, only=name) == []
    assert project.stale() == []


def test_removed_item_is_moved_away(project: Project) -> None:
    project.build()
    project.params["items"] = ["b"]
    assert project.build() == ["three"]
    assert sorted(p.name for p in Path("data/two").iterdir()) == ["b"]
    assert sorted(p.name for p in Path("data/seals/two").iterdir()) == ["b.json"]
    assert Path(".lvlmbench/strays/data/two/a/part").is_file()


def test_old_builds_go_and_published_ones_stay(project: Project) -> None:
    project.build()
    before = {path.name for path in Path(BUILDS).iterdir()}
    project.write("one", "uno")
    project.build()
    after = {path.name for path in Path(BUILDS).iterdir()}
    assert not before & after
    assert 4 <= len(after) <= 8


def test_no_second_copy_once_dvc_keeps_the_files(project: Project) -> None:
    """``dvc commit`` replaces published files by links to its cache."""
    project.build()
    published = [Path("data/one/x/part"), *(Path(f"data/two/{i}/part") for i in "ab"), RESULT]
    for file in published[:-1]:
        text = file.read_text()
        file.unlink()
        file.write_text(text)
    assert project.stale() == []
    left = [path for path in Path(BUILDS).glob("*/*/**/*") if path.name in ("part", "three.txt")]
    assert {path.name for path in left if not path.is_symlink()} == {"three.txt"}


def test_edit_during_a_job_keeps_nothing(project: Project) -> None:
    plan = project.plan()
    build = Path(plan.status["one"].build)
    made = plan.made("one", ["data/one/x/part"])[0]
    edit = f"open({str(project.root / 'one.py')!r}, 'a').write('# edited')"
    make = f"import pathlib; p = pathlib.Path({made!r}); p.parent.mkdir(parents=True); p.touch()"
    (build / CHECKPOINTS).mkdir()
    with pytest.raises(UserError, match=r"^one\.py: was edited while stage 'one' ran; run again$"):
        run_job(build, build / "log", [sys.executable, "-c", f"{make}\n{edit}", made])
    assert not Path(made).exists()
    assert not (build / CHECKPOINTS).exists()


def test_edit_before_publishing_publishes_nothing(project: Project) -> None:
    plan = project.plan()
    project.build(stop="three")
    project.write("two", "2")
    with pytest.raises(UserError, match=r"^two\.py: was edited while stage 'two/a' ran"):
        publish(Path(plan.status["three"].build))
    assert not Path("data").exists()


def test_file_changed_in_place_is_made_again(project: Project) -> None:
    """The published file is a hard link of the built one."""
    project.build()
    with Path("data/one/x/part").open("r+") as f:
        f.write("ONE")
    assert project.build()[0] == "one"
    assert RESULT.read_text() == "three(two(one))(two(one))"


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("import sys; print('here: is wrong; mend it', file=sys.stderr); sys.exit(2)", "here: is"),
        ("raise SystemExit(3)", "stage 'one': a job ended with 3; see "),
        ("import os; os.kill(os.getpid(), 9)", "stage 'one': a job ended with -9; see "),
    ],
)
def test_failed_job_says_one_line(project: Project, code: str, line: str) -> None:
    build = Path(project.plan().status["one"].build)
    said = run_job(build, build / "log", [sys.executable, "-c", code])
    assert said is not None
    assert said.startswith(line)
    assert "\n" not in said


def test_what_a_job_took_is_counted_to_its_end(project: Project) -> None:
    build = Path(project.plan().status["one"].build)
    code = """
import time
held = bytearray(150 << 20)
while time.process_time() < 0.5: pass
"""
    assert run_job(build, build / "one-00000.log", [sys.executable, "-c", code]) is None
    used = json.loads((build / "benchmark" / "one-00000.usage.json").read_text())
    assert 0.5 <= used["cpu_s"] < used["wall_s"] + 0.2
    assert used["peak_mib"] > 150


def test_undeclared_paths_are_refused(project: Project) -> None:
    plan = project.plan()
    with pytest.raises(ValueError, match="which it does not declare"):
        plan.given("three", ["data/one/x/part"])
    with pytest.raises(ValueError, match="which it does not declare"):
        plan.made("three", ["results/four.txt"])


def test_unknown_stage_is_one_line(project: Project) -> None:
    with pytest.raises(
        UserError, match=r"^stage 'four': there is none; begin with one of: one, two, three"
    ):
        project.plan(only="four")


def test_missing_code_is_one_line(project: Project) -> None:
    (project.root / "two.py").unlink()
    with pytest.raises(UserError, match=r"^two\.py: a stage reads it, and there is no such file"):
        project.plan()


def test_same_work_gives_the_same_seals(
    project: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.build()
    seals = {p.name: p.read_bytes() for p in Path("data/seals").rglob("*.json")}
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    for name in ALL:
        project.build(name, only=name)
    assert seals == {p.name: p.read_bytes() for p in Path("data/seals").rglob("*.json")}


def test_what_changed_is_named(project: Project) -> None:
    project.build()
    project.params["first"] = {"n": 2}
    project.write("three", "3")
    status = project.plan().status
    assert status["one"].why == ("first changed",)
    assert status["two/a"].why == ()
    assert status["three"].why == ("three.py changed",)


def test_seals_that_cannot_be_read_count_as_none(tmp_path: Path) -> None:
    seal: Any = {"params": {}, "code": {}, "inputs": {}, "outs": {"a": None}}
    for text in ("", "[]", "{}", '{"params": {}, "code": 3}'):
        (tmp_path / "s.json").write_text(text)
        assert read_seal(tmp_path / "s.json") is None
    assert differences(None, seal) == ["not made yet"]
    assert differences(None, {**seal, "outs": {"a": "1"}}) == ["to be made again"]
    assert differences(seal, seal) == []
    assert differences(seal, {**seal, "outs": {"a": "1"}}) == ["a is not as sealed"]
    assert differences({**seal, "outs": {}}, seal) == ["a is not as sealed"]
    less = {**seal, "inputs": {}}
    more = {**seal, "inputs": {"b": "1"}}
    other = {**seal, "inputs": {"b": "2"}}
    assert differences(less, more) == ["b is new"]
    assert differences(more, less) == ["b is read no longer"]
    assert differences(more, other) == ["b changed"]


def test_only_arguments_in_the_build_count_as_outputs() -> None:
    build = Path(BUILDS, "0" * 16)
    inputs = [f"{build}/above/data", f"{BUILDS}/1/data/b"]
    made = [f"{build}/data/a", f"{build}/results/b"]
    command = ["python", "x.py", *inputs, *made, f"{build}/{CHECKPOINTS}/a"]
    assert outputs(build, command) == [Path(path) for path in made]


def test_progress_of_a_long_job_is_shown(
    project: Project, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("lvlmbench.engine.job.TELL_S", 0.05)
    build = Path(project.plan().status["one"].build)
    code = """
import sys, time
for n in range(3):
    print("loading 1/2 of something", file=sys.stderr)
    print(f"m/clean: {n}/3 answered", file=sys.stderr, flush=True)
    time.sleep(0.5)
print("bye", end="")
"""
    assert run_job(build, build / "log", [sys.executable, "-c", code]) is None
    shown = capfd.readouterr().err.splitlines()
    assert shown == [f"m/clean: {n}/3 answered" for n in range(3)]
    assert (build / "log").read_text().count("loading") == 3


def test_spoilt_files_go_with_the_marks_and_what_their_job_made(tmp_path: Path) -> None:
    """Snakemake may ask for one file of a job alone: the others must not keep it from running."""
    hashes, marks = Hashes(tmp_path / "h.json"), tmp_path / "figures.done"
    good, bad, beside = (tmp_path / name for name in ("good", "bad", "beside"))
    for file in (good, bad, beside):
        file.write_text(file.name)
    marks.touch()
    note_made(tmp_path, [good], hashes)
    note_made(tmp_path, [beside, bad], hashes)
    assert drop_spoilt(tmp_path, Hashes(tmp_path / "h.json")) == []
    assert marks.exists()
    bad.write_text("dab")
    assert drop_spoilt(tmp_path, Hashes(tmp_path / "h.json")) == [bad, beside]
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == ["good"]
    assert drop_spoilt(tmp_path, Hashes(tmp_path / "h.json")) == []
    for file in (bad, beside):
        file.write_text(file.name)
    bad.unlink()
    assert drop_spoilt(tmp_path, Hashes(tmp_path / "h.json")) == [beside]
    assert HASHES.endswith("hashes.json")
