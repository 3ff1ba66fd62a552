"""A small project with items of its own, whose jobs a test runs without Snakemake."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from lvlmbench.engine.job import run_job
from lvlmbench.engine.plan import Plan
from lvlmbench.engine.publish import publish
from lvlmbench.engine.stages import Item, Pipeline

ALL = ["one", "two/a", "two/b", "three"]
RESULT = Path("results/three.txt")

#: The "jobs": each makes its file from what it reads and a word in its code.
SCRIPT = """
import sys
from pathlib import Path
word = "WORD"
*inputs, output = map(Path, sys.argv[1:])
output.parent.mkdir(parents=True, exist_ok=True)
output.write_text(word + "".join(f"({p.read_text()})" for p in inputs))
"""


def begin(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder for a project, returned, and one to run it in, entered."""
    for name in ("root", "work"):
        (folder / name).mkdir()
    monkeypatch.chdir(folder / "work")
    return folder / "root"


class Project:
    """The project, its parameters, and a count of the jobs that ran."""

    def __init__(self, root: Path) -> None:
        self.root, self.params = root, {"first": {"n": 1}, "items": ["a", "b"]}
        for name in ("one", "two", "three"):
            self.write(name, name)

    def write(self, name: str, word: str, comment: str = "") -> None:
        (self.root / f"{name}.py").write_text(SCRIPT.replace("WORD", word) + comment)

    def pipeline(self) -> Pipeline:
        one = Item("one", ("one.py",), ("data/one/x",), {"first": self.params["first"]})
        deps = ("data/one/x", "two.py")
        two = [Item(f"two/{i}", deps, (f"data/two/{i}",), {}) for i in self.params["items"]]
        last = ("data/two", "three.py")
        three = Item("three", last, ("results/three.txt",), {"items": self.params["items"]})
        return Pipeline({item.name: item for item in (one, *two, three)}, ("data/two",))

    def plan(self, only: str | None = None) -> Plan:
        plan = Plan(self.root, self.pipeline(), only and [only])
        plan.write()
        return plan

    def stale(self) -> list[str]:
        plan = self.plan()
        return [name for name in plan.stages if plan.stale(name)]

    def files(self, name: str) -> tuple[list[str], str]:
        """Inputs and output of a stage's one job, as published."""
        if name == "one":
            return [], "data/one/x/part"
        if name == "three":
            return [f"data/two/{i}/part" for i in self.params["items"]], "results/three.txt"
        return ["data/one/x/part"], f"data/two/{name.removeprefix('two/')}/part"

    def build(self, last: str = "three", only: str | None = None, stop: str = "") -> list[str]:
        """What Snakemake does: run what is missing, publish; returns the stages that ran."""
        plan, ran = self.plan(only), []
        for stage in plan.ancestors(last):
            if stage.name == stop:
                return ran
            inputs, output = self.files(stage.name)
            made, build = plan.made(stage.name, [output])[0], Path(plan.status[stage.name].build)
            if not Path(made).exists():
                script = str(self.root / f"{stage.name.split('/')[0]}.py")
                command = [sys.executable, script, *plan.given(stage.name, inputs), made]
                assert run_job(build, build / "log", command) is None
                if "took the published" not in (build / "log").read_text():
                    ran.append(stage.name)
        if plan.stale(last):
            publish(Path(plan.status[last].build))
        return ran
