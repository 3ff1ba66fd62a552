"""What is checked before a version is pinned: git, DVC, and what they say when they fail."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.engine.stages import Item
from lvlmbench.engine.under_way import note_begun
from lvlmbench.versions import checks, pinning, programs
from lvlmbench.versions.recording import mend, readable
from lvlmbench.versions.remotes import choose_remote

#: A stage as DVC writes it into dvc.lock.
LOCKED = b"""  %s:
    cmd: python scripts/stage.py %s -- 512
    deps:
    - path: data/vocabulary
      hash: md5
      md5: 875d25ab71d2eba96b7b352d691e19e4.dir
      size: 10326
      nfiles: 7
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A git repository with a commit; nobody's own settings."""
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "test")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "test@example.org")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    for level in ("GLOBAL", "SYSTEM"):
        monkeypatch.setenv(f"DVC_{level}_CONFIG_DIR", str(tmp_path / "dvc"))
    folder = tmp_path / "project"
    for name in ("code/a.py", "code/b c.py", "params.yaml", "dvc.yaml", ".dvc/config"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    (folder / ".gitignore").write_text("/large/*\n/.lvlmbench/\n")
    git(folder, "init", "-q", "-b", "main")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", "first")
    monkeypatch.chdir(folder)
    return folder


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, stdin=subprocess.DEVNULL)


def plan(*deps: str) -> Any:
    return SimpleNamespace(stages={"score": Item("score", deps, ("made",), {})})


@pytest.mark.parametrize("name", ["v1", "2026-11", "a_b.c", "V", "x" * 100])
def test_good_names(name: str, project: Path) -> None:
    checks.check_name(name)
    assert not checks.tag_there(project, name)
    git(project, "tag", name)
    assert checks.tag_there(project, name)


BAD = [
    *("", " ", "a b", "../v1", "a/b", ".v1", "v1.", "v1.lock", "a..b", "HEAD", "-v", "v@{1}", "é"),
    *("v1\n", "x" * 101, "$(id)", "v~1", "v:1", "FETCH_HEAD"),
]


@pytest.mark.parametrize("name", BAD)
def test_bad_names(name: str) -> None:
    with pytest.raises(UserError, match="cannot be the name of a version"):
        checks.check_name(name)


def test_name_of_a_branch(project: Path) -> None:
    with pytest.raises(UserError, match="'main': is the name of a branch; take another name"):
        checks.tag_there(project, "main")


def test_only_what_pinning_commits_itself_may_be_changed(project: Path) -> None:
    checks.check_committed(project)
    (project / "data/snapshots").mkdir(parents=True)
    (project / "data/snapshots/v1.json").write_text("{}")
    for name in ("params.yaml", ".dvc/config", "dvc.lock"):
        (project / name).write_text("changed: 1\n")
    git(project, "add", "dvc.lock", "data/snapshots")
    (project / "untracked.txt").write_text("")
    checks.check_committed(project)
    (project / "code/b c.py").write_text("1")
    with pytest.raises(UserError, match=r"^code/b c.py: differs from what git has.*commit it"):
        checks.check_committed(project)
    git(project, "add", "code")
    (project / "dvc.yaml").unlink()
    with pytest.raises(UserError, match=r"^code/b c.py, dvc.yaml: differs"):
        checks.check_committed(project)


def test_project_in_a_folder_of_a_larger_repository(project: Path, tmp_path: Path) -> None:
    inner = project / "inner"
    (inner / "code").mkdir(parents=True)
    for name in ("params.yaml", "code/a.py"):
        (inner / name).write_text("")
    git(project, "add", "-A")
    git(project, "commit", "-q", "-m", "inner")
    (inner / "params.yaml").write_text("a: 1")
    (project / "code/a.py").write_text("elsewhere in the repository")
    checks.check_committed(inner)
    (inner / "code/a.py").write_text("1")
    with pytest.raises(UserError, match=r"^code/a.py: differs"):
        checks.check_committed(inner)
    assert checks.check_given(inner, plan("code")) == []


def test_files_that_stages_read_are_in_git(project: Path) -> None:
    (project / "code/__pycache__").mkdir()
    (project / "code/__pycache__/a.cpython-311.pyc").write_text("")
    assert checks.check_given(project, plan("code", "params.yaml")) == []
    (project / "code/mine.py").write_text("")
    with pytest.raises(UserError, match=r"^code/mine.py: is not in git, and score reads it; 'git"):
        checks.check_given(project, plan("code"))
    with pytest.raises(UserError, match="/elsewhere: lies outside the project, and score reads it"):
        checks.check_given(project, plan("/elsewhere"))


def test_what_git_ignores_is_told_unless_dvc_keeps_it(project: Path) -> None:
    (project / "large/photos").mkdir(parents=True)
    for i in range(5):
        (project / f"large/photos/{i}.png").write_text("")
    (project / "large/one.png").write_text("")
    (note,) = checks.check_given(project, plan("large"))
    assert note.startswith("large/one.png, large/photos/0.png, large/photos/1.png and 3 more: ")
    (project / "large/photos.dvc").write_text("outs: []\n")
    git(project, "add", "-f", "large/photos.dvc")
    (note,) = checks.check_given(project, plan("large"))
    assert note.startswith("large/one.png: neither git nor DVC keeps it")


def test_stale_stages_are_told_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status = {
        "render": SimpleNamespace(valid=False, why=("snapshot changed",)),
        **{f"answer/{i}": SimpleNamespace(valid=False, why=()) for i in range(4)},
        "corpus": SimpleNamespace(valid=True, why=()),
    }
    told = r"^render, answer/0, answer/1 and 2 more: not up to date \(snapshot changed\); run 'make"
    with pytest.raises(UserError, match=told):
        checks.check_pipeline(SimpleNamespace(status=status), Path())  # type: ignore[arg-type]
    note_begun([], {"files": ["params.yaml", "my.yaml"], "config": {}})
    told = r"given more: 'lvlmbench config write my.yaml' writes that into it; run 'make report'"
    with pytest.raises(UserError, match=told):
        checks.check_pipeline(SimpleNamespace(status=status), Path())  # type: ignore[arg-type]
    status = {"corpus": status["corpus"]}
    checks.check_pipeline(SimpleNamespace(status=status), Path())  # type: ignore[arg-type]


def configure(project: Path, text: str, file: str = "config") -> None:
    (project / ".dvc" / file).write_text(text)


FOLDER = "[core]\n    remote = store\n['remote \"store\"']\n    url = /somewhere\n"


def test_remote(project: Path) -> None:
    with pytest.raises(UserError, match=r"no default remote.*dvc remote add --default"):
        choose_remote(project, None)
    configure(project, FOLDER)
    found = choose_remote(project, None)
    assert (found.name, found.shared) == ("store", True)
    with pytest.raises(UserError, match="remote 'other': is not configured"):
        choose_remote(project, "other")
    configure(project, "['remote \"other\"']\n    url = /else\n    password = x\n", "config.local")
    found = choose_remote(project, "other")  # in a file that git ignores, secrets included
    assert (found.name, found.shared) == ("other", False)


@pytest.mark.parametrize(
    ("url", "fix"),
    [
        ("s3://bucket/x", None),
        ("ssh://host/x", None),
        ("http://host/x", None),
        ("gs://bucket/x", "is on gs, and the package dvc-gs is not installed; run 'pip install"),
        ("hdfs://host/x", "the package dvc-hdfs is not installed"),
        ("webdavs://host/x", "the package dvc-webdav is not installed"),
    ],
)
def test_what_speaks_to_the_storage_is_installed(project: Path, url: str, fix: str | None) -> None:
    configure(project, FOLDER.replace("/somewhere", url))
    if fix is None:
        assert choose_remote(project, None).shared
    else:
        with pytest.raises(UserError, match=fix):
            choose_remote(project, None)


def test_set_up_has_what_s3_and_ssh_need(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    configure(project, FOLDER.replace("/somewhere", "s3://bucket/x"))
    monkeypatch.setitem(sys.modules, "dvc_s3", None)
    with pytest.raises(UserError, match="the package dvc-s3 is not installed; run 'make install-r"):
        choose_remote(project, None)


@pytest.mark.parametrize("line", ["secret_access_key = x", "password = x", "url = ssh://a:b@c/d"])
def test_secrets_do_not_go_to_git(project: Path, line: str) -> None:
    configure(project, f"{FOLDER}['remote \"other\"']\n    {line}\n")
    with pytest.raises(UserError, match=r"config: remote.other.\w+: is secret.*--local") as caught:
        choose_remote(project, None)
    assert "= x" not in str(caught.value) and "a:b" not in str(caught.value)


def pin_unpushed(project: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """``lvlmbench snapshot NAME --no-push`` of a project without a stage."""
    nothing = SimpleNamespace(stages={}, status={})
    monkeypatch.setattr(checks, "PROJECT_ROOT", project)
    monkeypatch.setattr(
        pinning, "load_layers", lambda _: SimpleNamespace(suites=(), model_dump=lambda mode: {})
    )
    monkeypatch.setattr(pinning, "pipeline", lambda *_: None)
    monkeypatch.setattr(pinning, "Plan", lambda *_: nothing)
    pinning.pin(name, pushing=False)


def test_secrets_do_not_go_to_git_where_nothing_is_pushed(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    configure(project, f"{FOLDER}['remote \"other\"']\n    url = ssh://a:b@c/d\n")
    with pytest.raises(UserError, match=r"remote.other.url: is secret"):
        pin_unpushed(project, monkeypatch, "v1")
    assert not checks.tag_there(project, "v1")


def test_a_plain_tag_of_the_same_state_is_no_version(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(project, "tag", "release")
    with pytest.raises(UserError, match="'release': is a tag of git, but of no version"):
        pin_unpushed(project, monkeypatch, "release")


def test_what_a_killed_dvc_left_half_written_is_put_back(project: Path) -> None:
    """DVC writes dvc.lock in place: wherever it is cut off, DVC can read it, or we put it back."""
    stages = (LOCKED % (stage, stage) for stage in (b"scenes", b"images", b"questions"))
    whole = b"schema: '2.0'\nstages:\n" + b"".join(stages)
    lock = project / "dvc.lock"
    lock.write_bytes(whole)
    assert readable(lock) and mend(project) == []
    git(project, "add", "dvc.lock")
    git(project, "commit", "-q", "-m", "lock")
    put_back = 0
    for size in range(0, len(whole), 7):
        lock.write_bytes(whole[:size])
        cut = not readable(lock)
        assert mend(project) == (["dvc.lock"] if cut else [])
        assert readable(lock) and (lock.read_bytes() == whole) is cut
        put_back += cut
    assert put_back > 3
    table = project / ".dvc/tmp/rwlock"
    table.parent.mkdir()
    for text, mended in (("", [".dvc/tmp/rwlock"]), ('{"a"', [".dvc/tmp/rwlock"]), ("{}", [])):
        table.write_text(text)
        assert mend(project) == mended
        assert table.exists() is not bool(mended)


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("fatal: bad object\nhint: try again\n", "bad object"),
        (
            "\x1b[31mERROR\x1b[39m: \x1b[31mno such\x1b[39m\n\nHaving any troubles? Ask.\n",
            "no such",
        ),
        ("error: pathspec 'x'\nfatal: exiting\n", "exiting"),
        ("\n", "it said nothing"),
        ("one\rtwo\n", "two"),
    ],
)
def test_the_line_that_says_what_is_wrong(said: str, told: str) -> None:
    assert programs.meaningful(said) == told


def test_mistakes_of_the_programs_are_one_line(project: Path) -> None:
    with pytest.raises(UserError, match=r"^git show: .*unknown revision.*; see 'git status'$"):
        programs.git(project, "show", "nothing")
    with pytest.raises(UserError, match=r"^dvc push: .*; mend it$") as caught:
        programs.dvc(project, "push", "--remote", "nothing", fix="mend it")
    assert "remote 'nothing' doesn't exist" in caught.value.what


def test_not_a_repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match=r"dvc.yaml: is not in this folder"):
        checks.check_project(tmp_path)
    for name in ("dvc.yaml", "params.yaml"):
        (tmp_path / name).write_text("")
    with pytest.raises(UserError, match="is not the checkout whose lvlmbench runs here"):
        checks.check_project(tmp_path)
    monkeypatch.setattr(checks, "PROJECT_ROOT", tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(UserError, match=r"git finds no repository in this folder; .* 'git init'"):
        checks.check_project(tmp_path)
    git(tmp_path, "init", "-q")
    with pytest.raises(UserError, match="git has no commit here; commit"):
        checks.check_project(tmp_path)


def test_git_must_know_who_commits(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before hours of pushing, and not after."""
    monkeypatch.setattr(checks, "PROJECT_ROOT", project)
    checks.check_project(project)
    for name in ("NAME", "EMAIL"):
        monkeypatch.delenv(f"GIT_COMMITTER_{name}")
    monkeypatch.setenv("EMAIL", "")
    git(project, "config", "user.useConfigOnly", "true")
    with pytest.raises(UserError, match=r"^git var: .*; run 'git config user.name NAME'"):
        checks.check_project(project)
