"""Versions found, laid out and refused, and manifests that no program of ours wrote."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.core.exactness import Exactness
from lvlmbench.versions.manifest import Manifest, manifest_path, parse_manifest, write_manifest
from lvlmbench.versions.remaking import makers
from lvlmbench.versions.verifying import check_pins
from lvlmbench.versions.versions import Version, aside, find_version, lay_out
from support.one_line import assert_one_line
from support.versions_project import make_project, stage


@pytest.fixture
def project(tmp_path: Path) -> tuple[Path, Manifest]:
    return make_project(tmp_path)


def git(folder: Path, *arguments: str) -> None:
    author = ("-c", "user.name=test", "-c", "user.email=test@example.org")
    subprocess.run(["git", *author, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(project: tuple[Path, Manifest]) -> tuple[Path, Manifest]:
    """... in git, the manifest committed and tagged."""
    folder, manifest = project
    write_manifest(folder / manifest_path("v1"), manifest)
    git(folder, "init", "-q")
    git(folder, "add", "data/snapshots")
    git(folder, "commit", "-qm", "v1")
    git(folder, "tag", "v1")
    return folder, manifest


def test_a_version_is_found_by_its_tag(repository: tuple[Path, Manifest]) -> None:
    folder, manifest = repository
    (folder / manifest_path("v1")).write_text("not what was tagged")
    found = find_version("v1", folder)
    assert found.manifest == manifest and found.commit is not None
    git(folder, "checkout", "-q", "data/snapshots")
    git(folder, "tag", "-d", "v1")
    assert find_version("v1", folder) == Version("v1", manifest, None)
    git(folder, "tag", "plain")
    with pytest.raises(UserError, match=r"'plain': is a tag without data/snapshots/plain.json"):
        find_version("plain", folder)


@pytest.mark.parametrize("name", ["v2", "", "--help", "../v1", "v1/..", "HEAD", "a\0b", "a/b"])
def test_what_is_no_version(repository: tuple[Path, Manifest], name: str) -> None:
    git(repository[0], "tag", "a/b")
    with pytest.raises(UserError, match=r"is no version: git has no such tag; .* here are: v1"):
        find_version(name, repository[0])


def test_what_a_killed_command_left_goes_first(repository: tuple[Path, Manifest]) -> None:
    folder, _ = repository
    left = folder / ".lvlmbench/verify"
    git(folder, "worktree", "add", "-q", "--detach", str(left / "version"), "v1")
    (left / "again").mkdir()
    with aside(folder) as path:
        assert path == left.resolve() and not any(path.iterdir())
        with pytest.raises(UserError, match="another run is at work"), aside(folder):
            pass
        git(folder, "worktree", "add", "-q", "--detach", str(path / "version"), "v1")
    assert not left.exists()
    listed = subprocess.check_output(["git", "worktree", "list"], cwd=folder, text=True)
    assert len(listed.splitlines()) == 1


def test_another_versions_manifest(repository: tuple[Path, Manifest]) -> None:
    folder, manifest = repository
    write_manifest(folder / manifest_path("v2"), manifest)
    git(folder, "add", "data/snapshots")
    git(folder, "commit", "-qm", "v2")
    for _ in ("by the file", "by the tag"):
        with pytest.raises(UserError, match=r"v2\.json: is the manifest of 'v1'"):
            find_version("v2", folder)
        git(folder, "tag", "--force", "v2")


OLD = Path(__file__).parents[1] / "data" / "manifest_format_1.json"


@pytest.mark.parametrize("command", [("verify", "v1"), ("diff", "v1", "v1")])
def test_a_version_pinned_before_suites_names_its_reader(
    repository: tuple[Path, Manifest],
    command: tuple[str, ...],
) -> None:
    """The manifest is one that the code before suites has written."""
    folder, _ = repository
    (folder / manifest_path("v1")).write_bytes(OLD.read_bytes())
    (folder / "params.yaml").write_text("{}\n")
    git(folder, "add", "params.yaml", "data/snapshots")
    git(folder, "commit", "-qm", "old")
    git(folder, "tag", "--force", "v1")
    called = [sys.executable, "-m", "lvlmbench.commands.main", *command]
    done = subprocess.run(called, cwd=folder, capture_output=True, text=True)
    line = assert_one_line(done, "v1.json: was pinned before projects held suites")
    assert "git worktree add ../v1 v1" in line


@pytest.mark.parametrize("path", ["../x", "data/../../x", "/etc/passwd", "-rf", "data/\x1b[31m"])
@pytest.mark.parametrize("part", ["files", "tables", "outs", "code", "inputs", "locks"])
def test_no_path_of_a_manifest_leaves_the_project(
    project: tuple[Path, Manifest], part: str, path: str
) -> None:
    told = project[1].model_dump(mode="json")
    facts = told["stages"]["render"] if part in ("outs", "code", "inputs") else told
    value = next(iter(told[part].values()), "0") if part in ("files", "tables") else "0"
    facts[part][path] = value
    with pytest.raises(UserError, match=rf"is no manifest: .*{part}.*is no path in the project"):
        parse_manifest(json.dumps(told).encode(), "v1.json")
    facts[part]["data/x"] = facts[part].pop(path)
    parse_manifest(json.dumps(told).encode(), "v1.json")


def test_manifests_that_no_program_wrote(project: tuple[Path, Manifest]) -> None:
    with pytest.raises(UserError, match="is no manifest"):
        parse_manifest(b"[" * 100_000, "v1.json")
    folder, manifest = project
    circle = {
        "a": stage(Exactness.EVERYWHERE, ["data/b"], ["data/a"]),
        "b": stage(Exactness.EVERYWHERE, ["data/a"], ["data/b"]),
    }
    with pytest.raises(UserError, match="read each other's files"):
        makers(manifest.model_copy(update={"stages": circle}))
    (folder / "data/vocabulary").mkdir()
    (folder / "data/vocabulary/a.yaml").write_text("")
    odd = manifest.model_copy(update={"params": {"corpus": 3}})
    assert check_pins(folder, odd) == ["data/vocabulary is not the one that the manifest names"]
    (folder / "data/templates/default").mkdir(parents=True)
    (folder / "data/templates/default/a.yaml").write_text("")
    asks = stage(Exactness.EVERYWHERE, [], []).model_copy(
        update={"code": {"data/templates/default": "0"}}
    )
    words = odd.model_copy(update={"stages": {"questions": asks}})
    assert check_pins(folder, words)[-1] == (
        "data/templates/default is not the one that the manifest names"
    )
    (folder / "dvc.lock").write_text("")  # the manifest tells of none
    assert check_pins(folder, odd)[0] == "dvc.lock is not the one that the manifest names"


def test_a_version_laid_out_has_the_remotes_of_the_project(
    repository: tuple[Path, Manifest], monkeypatch: pytest.MonkeyPatch
) -> None:
    """DVC keeps a folder by its path from the configuration, which is elsewhere there."""
    from dvc.config import Config

    folder, _ = repository
    for level in ("GLOBAL_CONFIG", "SYSTEM_CONFIG", "SITE_CACHE"):
        monkeypatch.setenv(f"DVC_{level}_DIR", str(folder.parent / "dvc"))
    git(folder, "config", "core.hooksPath", "/dev/null")
    (folder / ".dvc").mkdir()
    (folder / ".dvc/config").write_text("['remote \"store\"']\n    url = ../../store\n")
    (folder / ".dvc/.gitignore").write_text("/config.local\n")
    (folder / ".dvc/config.local").write_text("['remote \"own\"']\n    url = ../own\n")
    git(folder, "add", ".dvc")
    git(folder, "commit", "-qm", "remote")
    git(folder, "tag", "--force", "v1")
    with aside(folder) as path:
        tree = lay_out(find_version("v1", folder), folder, path)
        found = Config(str(tree / ".dvc"))
        urls = {name: remote["url"] for name, remote in found["remote"].items()}
    assert urls == {"store": str(folder.parent / "store"), "own": str(folder / "own")}
    assert found["cache"]["dir"] == str(folder / ".dvc/cache")


@pytest.mark.parametrize("locale", [{}, {"LC_ALL": "C"}, {"LC_ALL": "POSIX"}])
def test_folders_and_remotes_may_have_any_letters(tmp_path: Path, locale: dict[str, str]) -> None:
    """DVC writes a configuration in ASCII alone, and reads others."""
    folder, manifest = make_project(tmp_path / "Grüße 日本")
    write_manifest(folder / manifest_path("v1"), manifest)
    (folder / ".dvc").mkdir()
    (folder / ".dvc/.gitignore").write_text("/config.local\n")
    remote = "['remote \"store\"']\n    url = ../../Speicher für alle\n"
    (folder / ".dvc/config").write_text(remote, encoding="utf-8")
    local = "['remote \"own\"']\n    url = s3://bucket/Größe  # the usual one\n"
    (folder / ".dvc/config.local").write_text(local, encoding="utf-8")
    git(folder, "init", "-q")
    git(folder, "add", ".dvc", "data/snapshots")
    git(folder, "commit", "-qm", "first")
    git(folder, "tag", "v1")
    script = (
        "import sys; from pathlib import Path; from dvc.config import Config\n"
        "from lvlmbench.versions.versions import aside, find_version, lay_out\n"
        "with aside(here := Path(sys.argv[1])) as path:\n"
        "    tree = lay_out(find_version('v1', here), here, path)\n"
        "    found = Config(str(tree / '.dvc'))\n"
        "    told = [found['cache']['dir'], found['remote']['store'], found['remote']['own']]\n"
        "    sys.stdout.buffer.write(repr(told).encode())\n"
    )
    own = {
        f"DVC_{level}_DIR": str(tmp_path / "dvc") for level in ("GLOBAL_CONFIG", "SYSTEM_CONFIG")
    }
    done = subprocess.run(
        [sys.executable, "-c", script, str(folder)],
        env=os.environ | own | locale, capture_output=True, encoding="utf-8",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    cache, store, other = ast.literal_eval(done.stdout)
    assert cache == str(folder / ".dvc/cache") and other["url"] == "s3://bucket/Größe"
    assert store["url"] == str(folder.parent / "Speicher für alle")


def test_mistakes_are_one_line(
    repository: tuple[Path, Manifest], lvlmbench: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    folder, _ = repository
    assert_one_line(lvlmbench("verify", "v2", cwd=folder), "'v2'", "is no version")
    assert_one_line(lvlmbench("verify", "v1", "--stage", "x", cwd=folder), "--stage x", "use: ")
    assert_one_line(lvlmbench("verify", cwd=folder), "NAME")
    (folder / manifest_path("v1")).write_text("{}")
    git(folder, "tag", "-d", "v1")
    assert_one_line(lvlmbench("verify", "v1", cwd=folder), "v1.json", "is no manifest")
