"""Looking at a snapshot in a folder, at a revision, at the remote; every mistake is one line."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from lvlmbench import tables
from lvlmbench.core.errors import UserError
from lvlmbench.snapshot.place import Place, commit_of
from lvlmbench.versions.manifest import manifest_at

ROWS = [{"image_id": f"i{n}", "scene_id": f"s{n}", "filter": "f", "keep": True} for n in range(9)]
TABLE = "data/verdicts/f"


def run(folder: Path, *command: str) -> None:
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def write(folder: Path) -> None:
    (folder / "params.yaml").write_text("snapshot: {name: small}\n")
    for shard in range(2):
        rows = [{name: row.get(name) for name in tables.VERDICTS.names} for row in ROWS]
        part = folder / TABLE / tables.part_name(shard)
        tables.write_rows(rows[shard * 5 :][:5], part, tables.VERDICTS, "id")


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A git repository whose tag ``v1`` holds a table that DVC tracks and its remote has."""
    base = tmp_path_factory.mktemp("view")
    with pytest.MonkeyPatch.context() as patch:
        for variable in ("DVC_GLOBAL_CONFIG_DIR", "DVC_SYSTEM_CONFIG_DIR", "DVC_SITE_CACHE_DIR"):
            patch.setenv(variable, str(base / "home"))
        patch.setenv("DVC_NO_ANALYTICS", "1")
        for who in ("AUTHOR", "COMMITTER"):
            patch.setenv(f"GIT_{who}_NAME", "test")
            patch.setenv(f"GIT_{who}_EMAIL", "test@example.org")
        folder = base / "project"
        folder.mkdir()
        run(folder, "git", "init", "-q")
        run(folder, "dvc", "init", "-q")
        (folder / "params.yaml").write_text("snapshot: {name: earlier}\n")
        run(folder, "git", "add", "-A")
        run(folder, "git", "commit", "-qm", "no data yet")
        write(folder)
        run(folder, "dvc", "remote", "add", "-q", "-d", "store", str(base / "remote"))
        run(folder, "dvc", "add", "-q", TABLE)
        run(folder, "dvc", "push", "-q")
        run(folder, "git", "add", "-A")
        run(folder, "git", "commit", "-qm", "data")
        run(folder, "git", "tag", "v1")
        yield folder


def ids(view: Place) -> list[str]:
    return [
        i
        for batch in view.batches(tables.VERDICTS, ["image_id"], filter="f")
        for i in batch["image_id"].to_pylist()
    ]


def test_folder_and_revision_hold_the_same(project: Path) -> None:
    for name in (str(project), "v1", "HEAD", f"{project}@v1"):
        view = Place.open(name, project)
        assert ids(view) == [row["image_id"] for row in ROWS], name
        assert view.params == {"snapshot": {"name": "small"}}
        assert view.files(TABLE) == [f"{TABLE}/{tables.part_name(n)}" for n in range(2)]
        assert manifest_at(view) is None
        assert not view.exists("data/nothing") and view.files("data/nothing") == []


def test_folder_elsewhere_without_git(project: Path, tmp_path: Path) -> None:
    write(tmp_path)
    assert len(ids(Place.open(str(tmp_path), tmp_path))) == len(ROWS)


def test_revision_without_data_has_none(project: Path) -> None:
    view = Place.open("HEAD~1", project)
    assert view.params == {"snapshot": {"name": "earlier"}}
    assert view.files("data") == [] and not ids(view)


@pytest.mark.parametrize(
    "name", ["v2", "", "--help", "-q", "HEAD~9", "params.yaml", "data", "a\0b", "v1:params.yaml"]
)
def test_what_is_no_revision_is_said_in_one_line(project: Path, name: str) -> None:
    assert commit_of(name, project) is None
    with pytest.raises(UserError, match="and no revision of git here"):
        Place.open(name, project)


def test_outside_of_git(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="git finds no repository in this folder; work in a clone"):
        Place.open("v1", tmp_path)


def test_a_repository_of_another_user_is_named_so(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As root finds one that a container mounts: git knows no name in it, and says why."""
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    with pytest.raises(UserError, match=r"which another user owns; run 'git config --global --add"):
        Place.open("HEAD", project)


@pytest.mark.parametrize("name", ["{}@v2", "{}-gone@v1"])
def test_repository_or_revision_elsewhere_that_is_not_there(project: Path, name: str) -> None:
    with pytest.raises(UserError, match="cannot be looked at"):
        Place.open(name.format(project), project)


def clone(project: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A clone in which nothing was pulled, on a machine that has never seen the data."""
    run(folder, "git", "clone", "-q", str(project), "clone")
    monkeypatch.setenv("DVC_SITE_CACHE_DIR", str(folder / "site"))
    return folder / "clone"


def test_a_fresh_clone_reads_from_the_remote(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = clone(project, tmp_path, monkeypatch)
    assert len(ids(Place.open("v1", fresh))) == len(ROWS)
    assert not (fresh / TABLE).exists()


def test_without_the_remote_nothing_passes_for_an_empty_table(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = clone(project, tmp_path, monkeypatch)
    with (fresh / ".dvc/config.local").open("w") as f:
        f.write(f"['remote \"store\"']\n    url = {tmp_path / 'gone'}\n")
    view = Place.open("v1", fresh)
    with pytest.raises(UserError, match=r"v1: data/verdicts.* is missing, here and at the remote"):
        ids(view)
    with pytest.raises(UserError, match=r"v1: .*part-00000.parquet: is missing"):
        view.read(f"{TABLE}/{tables.part_name(0)}")


@pytest.mark.parametrize("how", ["flipped", "truncated", "empty", "no Parquet"])
def test_damaged_shard_is_named(tmp_path: Path, how: str) -> None:
    write(tmp_path)
    part = tmp_path / TABLE / tables.part_name(1)
    data = bytearray(part.read_bytes())
    if how == "flipped":
        data[60] ^= 1
    told = {"truncated": data[:200], "empty": b"", "no Parquet": b"#" * 500}
    part.write_bytes(told.get(how, data))
    view = Place.open(str(tmp_path), tmp_path)
    with pytest.raises(UserError, match=r"part-00001.parquet: cannot be read as Parquet"):
        ids(view)


def test_missing_column_is_named(tmp_path: Path) -> None:
    write(tmp_path)
    view = Place.open(str(tmp_path), tmp_path)
    with pytest.raises(UserError, match="has no column 'verdict'"):
        list(view.batches(tables.VERDICTS, ["image_id", "verdict"], filter="f"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: [", "is not valid YAML"),
        ("\x00", "is not valid YAML"),
        ("a: 2020-13-45", "is no YAML"),
        ("{" * 5000, "32 deep"),
        ("a: &a\n  b: *a", "stands inside of what it means"),
        ("a: [{2020-01-01: 3}]", "keys must be str"),
    ],
)
def test_params_that_are_no_yaml(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "params.yaml").write_text(text)
    with pytest.raises(UserError, match=said):
        _ = Place.open(str(tmp_path), tmp_path).params


def test_damaged_manifest(project: Path, tmp_path: Path) -> None:
    shutil.copytree(project, tmp_path / "copy")
    folder = tmp_path / "copy"
    (folder / "data/snapshots").mkdir()
    (folder / "data/snapshots/bad.json").write_text("{")
    run(folder, "git", "add", "-A")
    run(folder, "git", "commit", "-qm", "damaged")
    run(folder, "git", "tag", "bad")
    with pytest.raises(UserError, match="is no manifest"):
        manifest_at(Place.open("bad", folder))
