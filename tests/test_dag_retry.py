"""Failed questions are asked again, and only what hangs on their answers is made anew."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from dag_project import begin

from lvlmbench import tables
from lvlmbench.cli import main
from lvlmbench.dag.builds import BUILDS
from lvlmbench.dag.plan import Plan
from lvlmbench.dag.process import take_lock
from lvlmbench.dag.publish import publish
from lvlmbench.dag.retry import forget_failures
from lvlmbench.errors import UserError

DVC = """
stages:
  render:
    cmd: render
    deps: [code.py]
    params: [seed]
    outs: [data/images, data/seals/render.json]
  answer:
    matrix: {model: "${models}"}
    cmd: answer ${item.model}
    deps: [data/images]
    outs: ["data/answers/${item.model}/clean", "data/seals/answer/${item.model}/clean.json"]
  score:
    matrix: {model: "${models}"}
    cmd: score ${item.model}
    deps: ["data/answers/${item.model}/clean"]
    outs: ["data/scores/${item.model}/clean", "data/seals/score/${item.model}/clean.json"]
  metrics:
    cmd: metrics
    deps: [data/scores]
    outs: [results/metrics.txt, data/seals/metrics.json]
"""


class Project:
    """A project whose server fails a question as long as it is among ``failing``."""

    def __init__(self, root: Path) -> None:
        self.root, self.params = root, {"seed": 1, "models": ["good", "bad"]}
        self.failing = {"bad": ["q1", "q3"]}
        (root / "dvc.yaml").write_text(DVC)
        (root / "code.py").write_text("")

    def make(self, name: str, out: Path, plan: Plan) -> None:
        kind, _, rest = name.partition("/")
        if kind == "answer":
            model, _, scenario = rest.partition("/")
            asked = {"model": model, "scenario": scenario}
            failing = self.failing.get(model, [])
            rows = [
                {**asked, "question_id": f"q{n}", "status": status}
                for n in range(5)
                for status in ["timeout" if f"q{n}" in failing else "answered"]
            ]
            tables.write_rows(rows, out / "part-00000.parquet", tables.ANSWERS, "x")
            return
        above = plan.given(name, [o for _, o in plan._above[name]])
        read = [file for path in above for file in sorted(Path(path).rglob("*")) if file.is_file()]
        content = b"".join(file.read_bytes() for file in read) or b"picture"
        file = out if out.suffix else out / "file"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)

    def build(self, last: str = "metrics", stop: str = "") -> list[str]:
        """What a run does: make what is missing, publish; returns the stages that ran."""
        plan, ran = Plan(self.root, self.params), []
        plan.write()
        for stage in plan.ancestors(last):
            if stage.name == stop:
                return ran
            (out,) = stage.outs
            made = Path(plan.made(stage.name, [out])[0])
            if not made.exists():
                self.make(stage.name, made, plan)
                ran.append(stage.name)
        if plan.stale(last):
            publish(Path(plan.status[last].build))
        return ran


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    return Project(begin(tmp_path, monkeypatch))


ALL = ["render", *(f"{s}/{m}/clean" for s in ("answer", "score") for m in ("good", "bad"))]
AGAIN = ["answer/bad/clean", "score/bad/clean", "metrics"]


def failed() -> int:
    rows = tables.read(Path("data/answers/bad/clean"), tables.ANSWERS)["status"].to_pylist()
    return rows.count("timeout")


def test_failed_questions_are_asked_again_and_what_hangs_on_them_follows(project: Project) -> None:
    assert project.build() == [*ALL, "metrics"]
    assert project.build() == [] and failed() == 2
    assert forget_failures() == {"bad/clean": 2}
    project.failing["bad"] = ["q1"]
    assert project.build() == AGAIN
    assert failed() == 1
    # The metrics are of the new answers, not what was built of the old ones.
    assert Path("results/metrics.txt").read_bytes() == b"".join(
        Path(f"data/answers/{m}/clean/part-00000.parquet").read_bytes() for m in ("good", "bad")
    )
    assert forget_failures("bad") == {"bad/clean": 1}
    project.failing["bad"] = []
    assert project.build() == AGAIN
    assert forget_failures() == {} and project.build() == []


def test_without_failures_nothing_is_removed(project: Project) -> None:
    project.failing = {}
    project.build()
    before = {str(p) for top in ("data", BUILDS) for p in Path(top).rglob("*")}
    assert forget_failures() == forget_failures("good") == {}
    assert {str(p) for top in ("data", BUILDS) for p in Path(top).rglob("*")} == before


def test_other_models_and_unfinished_work_are_left_alone(project: Project) -> None:
    project.build()
    project.params["seed"] = 2
    assert project.build(stop="answer/good/clean") == ["render"]  # hours of rendering, unpublished
    assert forget_failures() == {"bad/clean": 2}
    assert project.build() == [*ALL[1:], "metrics"]


def test_failures_of_a_run_that_has_not_ended(project: Project) -> None:
    assert "answer/bad/clean" in project.build(stop="metrics")
    assert not Path("data").exists()
    assert forget_failures("bad") == {"bad/clean": 2}
    project.failing = {}
    assert project.build() == AGAIN


def test_mistakes_are_one_line(project: Project) -> None:
    with pytest.raises(UserError, match="has no answers here; run the pipeline first"):
        forget_failures("bad")
    project.build()
    with pytest.raises(UserError, match="has no answers here; use one of: bad, good"):
        forget_failures("bat")
    lock = take_lock(Path(".lvlmbench/run.lock"))
    with pytest.raises(UserError, match="another run is at work"):
        forget_failures()
    os.close(lock)
    assert forget_failures() == {"bad/clean": 2}


def test_the_command_says_what_will_be_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as caught:
        main(["retry"])
    said = capsys.readouterr().err
    assert caught.value.code == 2 and said.startswith("dvc.yaml: is not in this folder; ")
    assert not list(tmp_path.iterdir())
    (tmp_path / "dvc.yaml").write_text(DVC)
    main(["retry"])
    assert capsys.readouterr().out == "no question has failed: nothing is to be asked again\n"
