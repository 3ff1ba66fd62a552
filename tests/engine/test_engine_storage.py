"""What jobs are told that share no disk with their run, and the folder through which files pass."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.engine.plan import Plan
from lvlmbench.engine.stages import Item, Pipeline
from lvlmbench.engine.storage import HANDED, Storage, check_sources, hand, handed

PIPELINE = Pipeline(
    {
        "one": Item("one", ("one.py",), ("data/one",), {"first": 1}),
        "two": Item("two", ("data/one", "two.py"), ("data/two",), {"second": 2}),
        "three": Item("three", ("data/one", "data/two", "three.py"), ("results/three.txt",), {}),
    }
)


def project(root: Path) -> Path:
    root.mkdir()
    for name in ("one", "two", "three"):
        (root / f"{name}.py").write_text(name)
    return root


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project in which stage one is up to date, and the folder of a pod to go to."""
    root = project(tmp_path / "home")
    monkeypatch.chdir(root)
    monkeypatch.setenv(HANDED, "")
    Path("data/one").mkdir(parents=True)
    Path("data/one/part").write_text("made")
    seal = Plan(root, PIPELINE).status["one"].seal
    Path("data/seals").mkdir()
    Path("data/seals/one.json").write_text(json.dumps(seal))
    (tmp_path / "pod").mkdir()
    return root


def test_a_pod_finds_the_same_build_folders(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Plan(home, PIPELINE)
    assert [name for name in here.status if here.stale(name)] == ["two", "three"]
    pod = project(tmp_path / "code")
    monkeypatch.chdir(tmp_path / "pod")
    hand(here.facts())
    there = Plan(pod, PIPELINE, facts=handed())
    for name in ("two", "three"):
        assert there.status[name].build == here.status[name].build
        reads = ["data/one/part"] if name == "two" else ["data/one/part", "data/two/part"]
        assert there.given(name, reads, offered=True) == here.given(name, reads, offered=True)
    (offered,) = there.given("two", ["data/one/part"], offered=True)
    value = here.status["one"].seal["outs"]["data/one"]
    assert offered == f".lvlmbench/offered/{value}/data/one/part"
    # Jobs that read whole folders find them there, too.
    there.write()
    link = Path(there.status["three"].build, "above", "data/one")
    where = os.path.normpath(link.parent / link.readlink())
    assert where == str(Path(offered).parent)
    there.write()  # a pod that plans twice


def test_a_pod_with_other_code_finds_others(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = Plan(home, PIPELINE)
    hand(here.facts())
    pod = project(tmp_path / "code")
    (pod / "two.py").write_text("an edit since")
    monkeypatch.chdir(tmp_path / "pod")
    there = Plan(pod, PIPELINE, facts=handed())
    for name in ("two", "three"):
        assert there.status[name].build != here.status[name].build


def test_nothing_handed_on_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    for value in ("", "no such thing", "{}"):
        monkeypatch.setenv(HANDED, value)
        with pytest.raises(UserError, match=f"{HANDED}: is not set on this machine"):
            handed()
    monkeypatch.delenv(HANDED)
    with pytest.raises(UserError, match="is not set"):
        handed()


def test_what_fits_in_no_variable_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(HANDED, "")
    many = {"outs": {f"data/{i}": os.urandom(16).hex() for i in range(2000)}, "stale": []}
    hand(many)
    assert handed() == many
    subprocess.run(["true"], check=True)  # it starts with such an environment
    many["outs"] |= {f"more/{i}": os.urandom(16).hex() for i in range(20000)}
    with pytest.raises(UserError, match="too many to hand on"):
        hand(many)


class Item:
    """An object of the storage."""

    def __init__(self, query: str, error: Exception | None = None, bucket: bool = True) -> None:
        self.query, self.error, self.bucket = query, error, bucket

    def local_path(self) -> Path:
        return Path(".snakemake/storage/s3", self.query.removeprefix("s3://"))

    def exists(self) -> bool:
        if self.error is not None:
            raise self.error
        return False

    def bucket_exists(self) -> bool:
        return self.bucket


def storage(prefix: str, **kinds: Any) -> Storage:
    return Storage(prefix, lambda query: Item(query, **kinds), away=False, local=str)


def test_what_is_fetched_lies_where_it_lies_at_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data").mkdir()
    for prefix in (
        "s3://bench",
        "s3://bench/some",
        "s3://bench/some/run",
        "s3://bench",
        "s3://b/c",
    ):
        pool = storage(prefix)
        for _ in range(2):
            pool.link()
            assert Path(pool.folder).resolve() == tmp_path
    assert {path.name for path in Path().iterdir()} == {".snakemake", "data"}
    assert not any(Path("data").iterdir()), "no link inside the project"


def test_a_storage_that_cannot_be_reached_is_one_line() -> None:
    storage("s3://bench/run").check()
    with pytest.raises(UserError, match="there is no such bucket"):
        storage("s3://bench/run", bucket=False).check()
    with pytest.raises(UserError, match="cannot be reached: refused; see docs/clusters"):
        storage("s3://bench/run", error=ConnectionError("refused")).check()


def test_what_git_does_not_know_is_named(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UserError, match="git does not list its files"):
        check_sources(home, ["one.py"])
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "add", "one.py"], check=True)
    check_sources(home, ["one.py"])
    with pytest.raises(UserError, match=r"two\.py: is unknown to git.*git add -f two\.py"):
        check_sources(home, ["one.py", "two.py"])
    with Path("one.py").open("r+b") as f:
        f.truncate(10_000_001)
    with pytest.raises(UserError, match="larger than the 10 MB"):
        check_sources(home, ["one.py"])
    monkeypatch.chdir(home.parent)
    with pytest.raises(UserError, match="is where a run with a storage must be started"):
        check_sources(home, ["one.py"])
