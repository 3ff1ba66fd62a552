"""A suite of a user's own data: not in params.yaml, not pinned, not exported, not shown unasked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from lvlmbench.analysis.thumbnails import folder_of, image_bytes
from lvlmbench.config import Params, validate_project
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.private import check_apart, notices
from lvlmbench.engine.preflight.project import check_files, read_project
from lvlmbench.engine.setup import Dag
from lvlmbench.engine.storage import Storage
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.exports.export import EXPORTS, MANIFEST, Source
from lvlmbench.stages.exports.run import write, write_index
from lvlmbench.suites.suite import SUITES
from lvlmbench.versions.checks import check_shared
from support import own_copy

ROOT = Path(__file__).parents[2]
#: Kinds of suites that are made of a user's own files.
OWN = ["touchstone_bench", "valor_bench"]


def suites(folder: Path) -> dict[str, Any]:
    corpus = {"scenes_per_subtask": 2, "valor_bench": {"folder": str(folder)}}
    return {"mine": {"kind": "valor_bench", "corpus": corpus}}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return own_copy.write(tmp_path / "copy")


def test_kinds_of_users_data_are_private(folder: Path) -> None:
    assert [kind.name for kind in SUITES.ordered() if kind.make.private] == OWN
    assert own_copy.params(folder).private and not Params().private


def test_dvc_never_hears_of_it(folder: Path, tmp_path: Path) -> None:
    """What params.yaml names, DVC would keep and push: a private suite lies over it."""
    root = tmp_path / "root"
    root.mkdir()
    (root / "data").symlink_to(ROOT / "data")
    (root / "params.yaml").write_text("snapshot: {name: x}\n")
    project, _ = read_project(root, {"suites": suites(folder)})
    assert "mine" in project.suites
    (root / "params.yaml").write_text(json.dumps({"suites": suites(folder)}))
    with pytest.raises(UserError) as told:
        read_project(root, {})
    assert str(told.value).startswith("params.yaml: suites.mine: is of a user's own data")
    assert "CONFIG=FILE" in str(told.value)


def test_others_may_stand_in_params_yaml() -> None:
    base = {"suites": {"dysca": {}}}
    check_apart(validate_project(base), base)
    check_apart(validate_project({}), None)


class _Bucket(Storage):
    """A storage of which nobody asks more than whether it is one."""

    def __init__(self) -> None:
        self.prefix, self.away = "s3://bucket", False


def test_no_storage_holds_it(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit):
        Dag.open(ROOT, {"suites": suites(folder)}, None, _Bucket)
    *_, said = capsys.readouterr().err.splitlines()
    assert "suites.mine: is of a user's own data, and the storage of this run" in said


def test_it_is_not_pinned(folder: Path) -> None:
    check_shared(validate_project({}))
    with pytest.raises(UserError, match=r"suites\.mine: is of a user's own data, which no version"):
        check_shared(validate_project({"suites": suites(folder)}))


@pytest.mark.parametrize("name", ["huggingface", "documents"])
def test_nothing_of_it_is_exported(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    assert EXPORTS.find(name) is not None
    out = tmp_path / "out" / name
    write(name, Source(own_copy.params(folder), tmp_path / "no tables"), out)
    assert [path.name for path in out.iterdir()] == [MANIFEST]
    manifest = json.loads((out / MANIFEST).read_text())
    assert (manifest["rows"], manifest["files"]) == ({}, [])
    assert "nothing is written of the suite mine" in capsys.readouterr().out
    write_index([out / MANIFEST], tmp_path / "index.json")
    assert json.loads((tmp_path / "index.json").read_text()) == {"exports": []}


def test_its_pictures_are_shown_where_that_is_asked_for(folder: Path, tmp_path: Path) -> None:
    shown = own_copy.params(folder, report={"private": True})
    assert folder_of(Snapshot(shown, tmp_path), "clean") == tmp_path / "images/clean"
    assert folder_of(Snapshot(own_copy.params(folder), tmp_path), "clean") is None
    assert list(image_bytes(None, {"any"})) == []
    assert folder_of(Snapshot(Params(), tmp_path), "clean") == tmp_path / "images/clean"


def test_a_run_says_what_stays_and_what_is_sent(folder: Path) -> None:
    endpoint = {"engine": "openai_chat", "endpoint": {"model": "m"}}
    models = [{"name": "chance", "engine": "chance"}, {"name": "gpt", **endpoint}]
    plain = own_copy.params(folder)
    assert list(notices(plain)) == [
        "suite mine: a user's own data: not pinned, and no exports are made; results/report.html "
        "holds its annotation and answers: do not commit or push it, or run elsewhere "
        "(--directory ../own)"
    ]
    asked = own_copy.params(
        folder,
        answer={"models": models},
        judge={"judges": [{"name": "eye", **endpoint}]},
        report={"private": True},
    )
    assert list(notices(asked)) == [
        "suite mine: a user's own data: not pinned, and no exports are made; results/report.html "
        "holds its pictures (report.private), annotation and answers: do not commit or push it, "
        "or run elsewhere (--directory ../own)",
        "suite mine: its pictures are sent to gpt (answer.models)",
        "suite mine: its annotation is sent to eye (judge.judges)",
    ]
    assert list(notices(Params())) == []


def test_params_yaml_leaves_no_suite_out_with_null(tmp_path: Path, root: Path) -> None:
    said = yaml.safe_load((root / "params.yaml").read_text())
    said["suites"]["composed"] = None
    (tmp_path / "params.yaml").write_text(yaml.safe_dump(said))
    with pytest.raises(UserError, match=r"params.yaml: suites.composed: is null, .* take this key"):
        read_project(tmp_path, {})
    with pytest.raises(UserError, match=r"params.yaml: suites.composed: is null"):
        check_files([tmp_path / "params.yaml"])
    # A file laid over it may: DVC does not read that one.
    assert "composed" not in read_project(root, {"suites": {"composed": None}})[0].suites


def test_a_check_does_not_call_such_pictures_drawn(folder: Path, tmp_path: Path) -> None:
    base, own = tmp_path / "params.yaml", tmp_path / "own.yaml"
    base.write_text("suites: {dysca: {}}\n")
    own.write_text(json.dumps({"suites": suites(folder)}))
    assert "drawn by pictograph" in check_files([base, own]), "those of the other suite are"
    own.write_text(json.dumps({"suites": {"dysca": None, **suites(folder)}}))
    said = check_files([base, own])
    assert "drawn" not in said and "of a user's own pictures" in said
