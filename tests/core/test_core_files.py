"""Files below a folder, those in linked folders among them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from lvlmbench.core.files import linked_below
from lvlmbench.core.weights import sha256s
from lvlmbench.engine.hashing import source_digests
from lvlmbench.suites.given.pictures import Pictures


@pytest.fixture
def linked(tmp_path: Path) -> Path:
    """A folder with a file of its own and one in a folder that is linked into it."""
    folder, far = tmp_path / "folder", tmp_path / "far"
    (folder / "own").mkdir(parents=True)
    (folder / "own/a.safetensors").write_text("a")
    (far / "deep").mkdir(parents=True)
    (far / "deep/b.safetensors").write_text("b")
    (far / "deep/b.png").write_text("b")
    (folder / "link").symlink_to(far)
    return folder


def names(folder: Path) -> list[str]:
    return [path.relative_to(folder).as_posix() for path in linked_below(folder)]


def test_links_are_followed(linked: Path, tmp_path: Path) -> None:
    assert names(linked) == ["link/deep/b.png", "link/deep/b.safetensors", "own/a.safetensors"]
    top = tmp_path / "top"
    top.symlink_to(linked)
    assert names(top) == names(linked)
    assert linked_below(tmp_path / "missing") == []


def test_links_in_a_circle_end(linked: Path) -> None:
    before = names(linked)
    (linked / "link/deep/up").symlink_to(linked)
    (linked / "a_second_name").symlink_to(linked / "own")
    assert names(linked) == before, "each folder once, by the name that it has itself"


def test_a_link_to_nowhere_is_a_file(linked: Path) -> None:
    (linked / "nowhere").symlink_to("missing")
    assert "nowhere" in names(linked)


def test_who_reads_and_who_hashes_sees_the_same(linked: Path, tmp_path: Path) -> None:
    """What lies behind a link is read, and a change of it is a change."""
    assert len(Pictures(linked, tmp_path)) == 1
    assert [*sha256s(linked)] == ["link/deep/b.safetensors", "own/a.safetensors"]
    before = source_digests(tmp_path, ["folder"])
    (tmp_path / "far/deep/b.png").write_text("another")
    assert source_digests(tmp_path, ["folder"]) != before
    copy = tmp_path / "copy"
    shutil.copytree(linked, copy)  # follows links
    assert (
        source_digests(tmp_path, ["copy"])["copy"] == source_digests(tmp_path, ["folder"])["folder"]
    )
