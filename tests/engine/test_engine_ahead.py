"""One run for what a command of DVC asks for: what that is, and what is put back without a run."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from dvc.dvcfile import Lockfile
from dvc.parsing import DataResolver
from dvc.repo import Repo

from lvlmbench.config import load_project
from lvlmbench.config.layers import load_layers
from lvlmbench.core.errors import UserError
from lvlmbench.engine import ahead
from lvlmbench.engine.again import decided_by, note_down, publish_again
from lvlmbench.engine.ahead import at_work, make_empty, targets, to_come
from lvlmbench.engine.builds import BUILDS, remove
from lvlmbench.engine.dvc_file import addresses, drop_from_lock
from lvlmbench.engine.process import RUN_LOCK, take_lock
from lvlmbench.engine.seals import read_seal
from support.engine_project import ALL, RESULT, Project, begin

ROOT = Path(__file__).parents[2]
#: Of the small project: two items of one stage of DVC.
CALLED = {"one": "one@s", "two/a": "two@s", "two/b": "two@s", "three": "three"}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    found = Project(begin(tmp_path, monkeypatch))
    for name in ("params.yaml", "profiles/default/config.yaml", "Snakefile"):
        (found.root / name).parent.mkdir(parents=True, exist_ok=True)
        (found.root / name).write_text(name)
    for name in ("rules", "scripts", "lvlmbench"):
        (found.root / name).mkdir()
        (found.root / name / "code").write_text(name)
    return found


@pytest.mark.parametrize(
    ("command", "named"),
    [
        ("/a b/.venv/bin/dvc repro", []),
        ("dvc repro dvc.yaml", []),
        ("dvc repro -q -f render report", ["render", "report"]),
        ("/x/dvc exp run -S snapshot.seed=7", []),
        ("/x/dvc/__main__.py exp run -n mine -S a=1 -S b=2 filter@dysca-filter0",
         ["filter@dysca-filter0"]),
        ("dvc repro -s render", None),
        ("dvc repro --downstream render", None),
        ("dvc exp run --temp", None),
        ("dvc repro --no-such-option", None),
        ("dvc commit -f", None),
        ("python -m celery worker", None),
    ],
)  # fmt: skip
def test_what_a_command_names(command: str, named: list[str] | None) -> None:
    assert targets(command) == named


def test_stages_have_the_names_that_dvc_gives_them() -> None:
    ours = addresses(load_project(ROOT / "params.yaml"))
    file = yaml.load((ROOT / "dvc.yaml").read_text(), yaml.CSafeLoader)
    assert {*ours.values()} == {*DataResolver(Repo(str(ROOT)), str(ROOT), file).get_keys()}


def test_a_lock_holds_the_stages_that_there_are(tmp_path: Path) -> None:
    """DVC reads and writes it whole for each stage that it runs."""
    (tmp_path / "dvc.lock").write_bytes((ROOT / "dvc.lock").read_bytes())
    default = load_project(ROOT / "params.yaml")
    assert drop_from_lock(tmp_path, default) == 0
    small = load_layers([ROOT / "params.yaml", ROOT / "profiles/small.yaml"])
    before, here = addresses(default), {*addresses(small).values()}
    assert drop_from_lock(tmp_path, small) == len({*before.values()} - here) > 50
    lock = Lockfile(Repo.init(str(tmp_path), no_scm=True), str(tmp_path / "dvc.lock")).load()
    kept = yaml.load((ROOT / "dvc.lock").read_bytes(), yaml.CSafeLoader)["stages"]
    assert lock["stages"] == {name: kept[name] for name in kept if name in here}
    (tmp_path / "dvc.lock").write_text("stages: [")
    assert drop_from_lock(tmp_path, small) == 0


@pytest.mark.parametrize(
    ("asked", "named", "coming"),
    [
        ("one", [], ALL),
        ("one", ["one"], ["one"]),
        ("one", ["two@s"], ["one", "two/a", "two/b"]),
        ("one", ["two"], ["one", "two/a", "two/b"]),
        ("two", [], ["two/a", "two/b", "three"]),
        ("three", ["three"], ["three"]),
        ("one", ["four"], None),
    ],
)
def test_no_more_is_made_than_the_command_names(
    project: Project, asked: str, named: list[str], coming: list[str] | None
) -> None:
    assert to_come(project.pipeline(), CALLED, asked, named) == coming


def test_a_stage_without_a_judge_is_made_empty(tmp_path: Path) -> None:
    params = yaml.safe_load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    params["judge"]["judges"] = []
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(params), encoding="utf-8")
    for name in ("dvc.yaml", "lvlmbench", "scripts", "rules", "envs"):
        (tmp_path / name).symlink_to(ROOT / name)
    (tmp_path / "data").mkdir()
    for folder in (ROOT / "data").iterdir():
        if folder.name not in params["suites"]:
            (tmp_path / "data" / folder.name).symlink_to(folder)
    declared = yaml.safe_load((ROOT / "dvc.yaml").read_bytes())["stages"]["judge"]["outs"]
    assert make_empty(tmp_path, "judge/touchstone")
    assert all((tmp_path / out.replace("${item.suite}", "touchstone")).is_dir() for out in declared)
    assert not make_empty(tmp_path, "judge/valor")  # the suite adds a judge of its own
    assert not make_empty(tmp_path, "render/touchstone")


def test_dvcs_note_tells_who_is_at_work(tmp_path: Path) -> None:
    file = tmp_path.joinpath(".dvc", "tmp", "rwlock")
    file.parent.mkdir(parents=True)
    assert at_work(tmp_path, "render/dysca") is None
    mine = {"pid": os.getppid(), "cmd": "dvc repro"}
    path = "/x/data/seals/render/dysca.json"
    file.write_text(json.dumps({"read": {}, "write": {path: mine}}))
    assert at_work(tmp_path, "render/dysca") == [os.getppid(), "dvc repro"]
    assert at_work(tmp_path, "render/other") is None
    file.write_text(json.dumps({"read": {}, "write": {path: {**mine, "pid": 1}}}))
    assert at_work(tmp_path, "render/dysca") is None, "a DVC that was killed"
    for text in ("{", "[]", '{"write": 3}', '{"write": {"a": 3}}'):
        file.write_text(text)
        assert at_work(tmp_path, "render/dysca") is None


def _noted(project: Project) -> None:
    """What a run ahead leaves."""
    sealed = {name: read_seal(Path(f"data/seals/{name}.json")) for name in ALL}
    note_down({"decided_by": decided_by(project.root), "items": ALL, "sealed": sealed})


def _as_dvc_asks(project: Project, name: str) -> None:
    for item in project.pipeline().items.values():
        if item.name.startswith(name):
            for path in (*item.outs, item.seal):
                remove(Path(path))


def test_what_was_made_ahead_is_put_back(project: Project) -> None:
    project.build()
    _noted(project)
    before = {p: p.read_bytes() for top in ("data", "results") for p in Path(top).rglob("*.*")}
    for name in ("one", "two", "three"):
        _as_dvc_asks(project, name)
        assert publish_again(project.root, name)
    assert before == {p: p.read_bytes() for p in before}
    assert project.stale() == []


def _damage(project: Project) -> None:
    for file in Path(BUILDS).glob("*/data/two/a/part"):
        file.unlink()
        file.write_text("other")


@pytest.mark.parametrize(
    "change",
    [
        lambda p: p.write("two", "2"),
        lambda p: (p.root / "params.yaml").write_text("other"),
        lambda p: (p.root / "lvlmbench/more").write_text("code"),
        lambda p: Path("data/one/x/part").unlink(),
        lambda p: Path("data/one/x/more").write_text(""),
        lambda p: remove(Path(BUILDS)),
        lambda p: Path(".lvlmbench/ahead.json").write_text("{"),
        _damage,
    ],
)
def test_what_is_not_as_it_was_made_is_not_put_back(
    project: Project, change: Callable[[Project], object]
) -> None:
    project.build()
    _noted(project)
    _as_dvc_asks(project, "two")
    change(project)
    assert not publish_again(project.root, "two")
    assert not Path("data/two/a").exists()


def test_nothing_is_put_back_beside_another_run(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.build()
    _noted(project)
    _as_dvc_asks(project, "two")
    monkeypatch.setattr("lvlmbench.engine.process._LOOKING_S", 0.0)
    lock = take_lock(RUN_LOCK)
    with pytest.raises(UserError, match="another run is at work"):
        publish_again(project.root, "two")
    os.close(lock)


class _Files:
    """What the small project's items make."""

    def __init__(self, project: Project) -> None:
        self._project = project

    def of(self, name: str) -> list[str]:
        return [self._project.files(name)[1]]


def test_what_a_failed_run_has_finished_is_found_stage_by_stage(project: Project) -> None:
    assert project.build(stop="two/b") == ["one", "two/a"]
    ahead._keep_finished(project.plan(), _Files(project))  # type: ignore[arg-type]
    assert project.build("one", only="one") == []
    assert project.build("two/a", only="two/a") == []
    assert project.build("two/b", only="two/b") == ["two/b"]
    assert project.build("three", only="three") == ["three"]
    assert RESULT.read_text() == "three(two(one))(two(one))"
