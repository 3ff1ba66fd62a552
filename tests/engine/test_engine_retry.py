"""Failed questions are asked again, and only what hangs on their answers is made anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.commands.main import main
from lvlmbench.commands.retry import _again
from lvlmbench.config.layers import Layers
from lvlmbench.core.errors import UserError
from lvlmbench.engine import retry
from lvlmbench.engine.builds import BUILDS
from lvlmbench.engine.process import take_lock
from lvlmbench.engine.retry import _builds, asked_again, forget_failures
from lvlmbench.engine.under_way import note_begun
from lvlmbench.stages.stage import declared
from support.engine_project import begin
from support.retry_project import Project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(begin(tmp_path, monkeypatch))


ALL = ["render", *(f"{s}/own/{m}/clean" for s in ("answer", "score") for m in ("good", "bad"))]
#: Axes that name who is asked.
_WHO = ("model", "judge", "planner", "examiner", "validator")
AGAIN = ["answer/own/bad/clean", "score/own/bad/clean", "metrics"]


def failed() -> int:
    rows = tables.read(Path("data/own/answers/bad/clean"), tables.ANSWERS)["status"].to_pylist()
    return rows.count("timeout")


def test_failed_questions_are_asked_again_and_what_hangs_on_them_follows(project: Project) -> None:
    assert project.build() == [*ALL, "metrics"]
    assert project.build() == [] and failed() == 2
    assert forget_failures() == {"own/bad/clean": 2}
    assert asked_again(Path()) == {
        "bad": dict.fromkeys(("own/clean/q1/", "own/clean/q3/"), "timeout")
    }
    project.failing["bad"] = ["q1"]
    assert project.build() == AGAIN
    assert failed() == 1
    # The metrics are of the new answers, not what was built of the old ones.
    assert Path("results/metrics.txt").read_bytes() == b"".join(
        Path(f"data/own/answers/{m}/clean/part-00000.parquet").read_bytes() for m in ("good", "bad")
    )
    assert forget_failures("bad") == {"own/bad/clean": 1}
    with pytest.raises(UserError, match="is to be asked again already; run the same command"):
        forget_failures("bad")
    project.failing["bad"] = []
    assert project.build() == AGAIN
    assert forget_failures() == {} and project.build() == []


def test_failed_requests_of_examiners_and_judges_are_asked_again(project: Project) -> None:
    """An item counts whose question failed, and one of which a request for an option did."""
    project.roles = {"examiner": "asker", "judge": "umpire"}
    project.failing = {"asker": ["q1", "q2", "q4"], "umpire": ["q0"]}
    asked = ["examiner/own/asker", "judge/own/umpire/bad/clean"]
    assert {*asked} <= {*project.build()}
    with pytest.raises(UserError, match="use one of: asker, bad, good, umpire"):
        forget_failures("nobody")
    assert forget_failures("bad") == {}
    assert forget_failures() == {asked[0]: 3, asked[1]: 1}
    project.failing = {"asker": ["q4"]}
    assert project.build() == [*asked, "metrics"]
    assert forget_failures("umpire") == {}
    assert forget_failures("asker") == {asked[0]: 1}
    project.failing = {}
    assert project.build() == [asked[0], "metrics"] and forget_failures() == {}


def test_failed_requests_of_planners_and_validators_are_asked_again(project: Project) -> None:
    """Aspects and descriptions of a planner count, each table of its own."""
    project.roles = {"planner": "thinker", "check": "eye"}
    project.failing = {"thinker": ["q0", "q1", "q3"], "eye": ["q2"]}
    asked = ["planner/own/thinker", "check/own/eye"]
    assert {*asked} <= {*project.build()}
    assert forget_failures("bad") == {}
    assert forget_failures() == {asked[0]: 3, asked[1]: 1}
    project.failing = {"thinker": ["q4"]}  # a description alone
    assert {*project.build()} == {*asked, "metrics"}
    assert forget_failures("eye") == {} and forget_failures("thinker") == {asked[0]: 1}
    project.failing = {"thinker": ["q0"]}  # an aspect alone
    assert project.build() == [asked[0], "metrics"] and forget_failures() == {asked[0]: 1}
    project.failing = {}
    assert project.build() == [asked[0], "metrics"] and forget_failures() == {}


def test_every_stage_that_asks_a_model_has_its_failures_asked_again() -> None:
    """A stage asks if it makes a table of requests, or answers."""
    asking = {
        name
        for name, stage in declared().items()
        if any(part.endswith("requests") for out in stage.makes for part in out.path.split("/"))
    }
    assert {*retry._TOLD} == {*asking, "answer"}
    made = {
        name: " ".join(f"{out.path}/" for out in stage.makes) for name, stage in declared().items()
    }
    for name, told in retry._TOLD.items():
        assert all(f"/{table}/" in made[name] for table in told)
        axes = declared()[name].axes
        assert axes == ("suite",) or axes[retry._MODEL - 1] in _WHO


def test_without_failures_nothing_is_removed(project: Project) -> None:
    project.failing = {}
    project.build()
    before = {str(p) for top in ("data", BUILDS) for p in Path(top).rglob("*")}
    assert forget_failures() == forget_failures("good") == {}
    assert {str(p) for top in ("data", BUILDS) for p in Path(top).rglob("*")} == before


def test_other_models_and_unfinished_work_are_left_alone(project: Project) -> None:
    project.build()
    project.params["seed"] = 2
    assert project.build(stop="answer/own/good/clean") == [
        "render"
    ]  # hours of rendering, unpublished
    assert forget_failures() == {"own/bad/clean": 2}
    assert project.build() == [*ALL[1:], "metrics"]


def test_failures_of_a_run_that_has_not_ended(project: Project) -> None:
    assert "answer/own/bad/clean" in project.build(stop="metrics")
    assert not Path("data").exists()
    assert forget_failures("bad") == {"own/bad/clean": 2}
    project.failing = {}
    assert project.build() == AGAIN


def test_who_has_begun_and_answered_nothing_is_not_named(project: Project) -> None:
    project.build(stop="metrics")
    (build,) = {b for b, name, _ in _builds() if name == "answer/own/bad/clean"}
    for file in build.rglob("*.parquet"):
        file.unlink()
    with pytest.raises(UserError, match=r"model 'bad': has no answers here; use one of: good"):
        forget_failures("bad")


def test_mistakes_are_one_line(project: Project) -> None:
    with pytest.raises(UserError, match="has no answers here; run the pipeline first"):
        forget_failures("bad")
    project.build()
    with pytest.raises(UserError, match=r"here; did you mean 'bad'\? use one of: bad, good"):
        forget_failures("bat")
    lock = take_lock(Path(".lvlmbench/run.lock"))
    with pytest.raises(UserError, match="another run is at work"):
        forget_failures()
    os.close(lock)
    assert forget_failures() == {"own/bad/clean": 2}


def test_the_command_says_what_will_be_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        main(["retry"])
    said = capsys.readouterr().err
    assert caught.value.code == 2 and said.startswith("dvc.yaml: is not in this folder; ")
    assert not list(tmp_path.iterdir())
    (tmp_path / "dvc.yaml").touch()
    main(["retry"])
    assert capsys.readouterr().out == "no question has failed: nothing is to be asked again\n"
    with pytest.raises(SystemExit):
        main(["retry", "--configfile", "nope.yaml"])
    assert capsys.readouterr().err.startswith("--configfile nope.yaml: is no file; name the one")


def test_the_next_step_is_the_command_of_the_last_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("params.yaml").write_text("suites: {dysca: {}}\n")
    Path("my.yaml").write_text("snapshot: {seed: 5}\n")
    usual = "now run the same command as before, such as: make report"
    assert _again(Path("params.yaml"), Path()) == usual
    note_begun([], Layers([Path("params.yaml"), Path("my.yaml")]).given())
    assert _again(Path("params.yaml"), Path()) == "now run 'make report CONFIG=my.yaml'"
    assert _again(Path("other.yaml"), Path()) == f"{usual} CONFIG=other.yaml"


def test_a_run_in_another_folder_is_retried_from_the_projects_own(
    project: Project,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What 'make demo' and 'make exam' make: its last line names this very command."""
    project.build()
    run, home = Path.cwd(), tmp_path / "home"
    home.mkdir()
    for name, text in (("dvc.yaml", ""), ("params.yaml", "suites: {dysca: {}}\n"), ("my.yaml", "")):
        (home / name).write_text(text)
    (home / "my.yaml").write_text("snapshot: {seed: 5}\n")
    note_begun([], Layers([home / "params.yaml", home / "my.yaml"]).given())
    monkeypatch.chdir(home)
    main(["retry"])
    assert "no question has failed" in capsys.readouterr().out
    main(["retry", "--directory", str(run), "--model", "bad"])
    first, *_, last = capsys.readouterr().out.splitlines()
    assert first == "own/bad/clean: 2 failed questions will be asked again"
    assert last == f"now run 'snakemake --configfile my.yaml --directory {run}'"
    assert Path.cwd() == home
    with pytest.raises(SystemExit):
        main(["retry", "--directory", "nowhere"])
    assert capsys.readouterr().err.startswith("--directory nowhere: is not a folder; ")


def test_of_pictures_the_last_attempt_counts(tmp_path: Path) -> None:
    """One whose first request timed out and whose second did not has not failed."""
    came = [("a", 0, "timeout"), ("a", 1, "made"), ("b", 0, "error"), ("b", 1, "timeout")]
    came += [("c", 0, "wrong_size"), ("d", 0, "damaged"), ("e", 0, "refused")]
    folder = tmp_path / "own" / "image_requests"
    rows = [
        {"scene_id": scene, "attempt": attempt, "status": status} for scene, attempt, status in came
    ]
    tables.write_rows(rows, folder / "part-00000.parquet", tables.IMAGE_REQUESTS, "x")
    assert retry._counted("render/own", [folder], ["timeout", "error"]) == 1
    assert retry._counted("render/own", [folder], retry._FAILED) == 3
