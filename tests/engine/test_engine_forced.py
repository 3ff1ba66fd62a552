"""What Snakemake is told to make anew is made anew, though it is up to date."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lvlmbench.engine.builds import STATE, remove
from lvlmbench.engine.forced import (
    ASKED,
    _stage_of,
    check_targets,
    dry_run,
    forced,
    meant_lines,
)
from lvlmbench.engine.plan import Plan
from lvlmbench.stages.stage import declared
from support.engine_project import ALL, RESULT, Project, begin


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    project = Project(begin(tmp_path, monkeypatch))
    project.build()
    return project


@pytest.mark.parametrize(
    ("arguments", "asked"),
    [
        (("-n",), True),
        (("results/report.html", "-np", "--cores", "2"), True),
        (("--dry-run",), True),
        (("--dryrun", "--quiet", "all"), True),
        ((), False),
        (("--directory", "none", "--nolock"), False),
        (("--", "data/-n"), False),
    ],
)
def test_a_dry_run_is_known_before_snakemake_tells(arguments: tuple[str, ...], asked: bool) -> None:
    assert dry_run(["/usr/bin/snakemake", *arguments]) is asked
    assert not dry_run(["/usr/bin/pytest", *arguments])


def stale(project: Project, *arguments: str, program: str = "/usr/bin/snakemake") -> list[str]:
    force = forced([program, "--cores", "2", *arguments])
    plan = Plan(project.root, project.pipeline(), force=force)
    return [name for name in plan.stages if plan.stale(name)]


@pytest.mark.parametrize(
    ("arguments", "which"),
    [
        ((), []),
        (("--keep-going", "results/three.txt"), []),
        (("--forceall",), ALL),
        (("-nF", "--quiet", "all"), ALL),
        (("-R", "two"), ["two/a", "two/b", "three"]),
        (("-R", "publish_three", "--quiet", "all"), ["three"]),
        (("-f", "results/three.txt"), ["three"]),
        (("--force", "data/seals/two/b.json"), ["two/b", "three"]),
        (("-f", "data/two/a/part"), ["two/a", "three"]),
        (("-f",), []),  # the report, which this project has not
        (("--rerun-incomplete", "-R", "nothing"), []),
    ],
)
def test_what_is_forced_is_to_be_made(
    project: Project, arguments: tuple[str, ...], which: list[str]
) -> None:
    assert stale(project, *arguments) == which


@pytest.mark.parametrize(
    ("target", "fix"),
    [
        ("data/seals/figures/dyska.json", "did you mean 'data/seals/figures/dysca.json'?"),
        ("data/seals/figurs/dysca.json", "did you mean 'data/seals/figures/dysca.json'?"),
        ("data/seals/x.json", "'snakemake -n' tells which stages there are"),
    ],
)
def test_a_target_that_is_the_seal_of_no_stage_is_one_line(
    target: str, fix: str, capsys: pytest.CaptureFixture[str]
) -> None:
    items = ["figures/dysca", "render/dysca", "report"]
    check_targets(["snakemake", "-n", "data/seals/report.json", "results/report.html"], items)
    with pytest.raises(SystemExit):
        check_targets(["snakemake", "-n", target], items)
    assert capsys.readouterr().err == f"{target}: is the seal of no stage here; {fix}\n"


def test_another_program_forces_nothing(project: Project) -> None:
    assert stale(project, "--forceall", program="pytest") == []


def test_what_is_forced_is_published_though_its_builds_are_gone(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Snakemake removes what a forced job makes before it runs."""
    remove(Path(STATE))
    before = RESULT.read_text()
    plan = Plan(project.root, project.pipeline(), force=forced(["snakemake", "-F"]))
    assert {status.why for status in plan.status.values()} == {(ASKED,)}
    monkeypatch.setattr(project, "plan", lambda only: (plan.write(), plan)[1])
    RESULT.unlink()
    Path("data/seals/three.json").unlink()
    assert project.build() == ALL
    assert RESULT.read_text() == before


def test_rules_of_other_names_are_of_a_stage(root: Path) -> None:
    text = "".join(path.read_text() for path in sorted((root / "rules").glob("*.smk")))
    rules = {*re.findall(r"^(?:use rule publish as|rule) (\w+)", text, re.M)}
    stages = {name.removesuffix("s") for name in declared()} | {*declared()}
    others = {rule for rule in rules if _stage_of(rule) not in stages}
    assert others == {"publish", "offer", "contact_sheets", "references"} & rules
    assert _stage_of("comparisons") == "metrics" and _stage_of("exports_tables") == "exports"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        (["raport"], "raport: is nothing that a run makes; did you mean 'results/report.html'?"),
        (["data/two/c"], "data/two/c: is nothing that a run makes; did you mean 'data/two/"),
        (["zzz"], "zzz: is nothing that a run makes; 'results/report.html' is all of it"),
        (["-R", "scor"], "scor: is no stage; did you mean 'score'?"),
        (["results/report.html", "data/seals/two/a.json", "data/two/a/part-00000.parquet"], None),
        (["-R", "score"], None),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_may_be_meant_by_a_target(
    project: Project, typed: list[str], told: str | None
) -> None:
    lines = list(meant_lines(["snakemake", "-n", *typed], project.plan().stages.values()))
    assert [line.startswith(told or "") for line in lines] == ([] if told is None else [True])
