"""A version that one clone pins is, in another one, the same bytes, and nothing runs there.

Each test prints what it saw; run with ``pytest -s``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from e2e.clone import Clone
from lvlmbench.versions.facts import file_facts, table_facts
from lvlmbench.versions.manifest import Manifest, manifest_path, read_manifest
from lvlmbench.versions.remotes import Remote, push

pytestmark = pytest.mark.e2e

NOTHING: dict[str, int] = {}
SNAPSHOT = ("python", "-m", "lvlmbench.commands.main", "snapshot")
REPORT = "results/report.html"
QUESTIONS = "data/dysca/questions"


def manifest(clone: Clone, name: str) -> Manifest:
    return read_manifest(clone.path / manifest_path(name))


def tags(clone: Clone) -> list[str]:
    return clone.run("git", "tag", "--list").split()


def same_as_pinned(clone: Clone, name: str) -> None:
    """Every byte and every row is what the manifest says, and there is nothing to do."""
    said = manifest(clone, name)
    assert {REPORT, "data/seals/report.json"} < said.files.keys() and len(said.tables) == 31
    for path, facts in said.files.items():
        assert file_facts(clone.path / path) == facts, path
    for folder, rows in said.tables.items():
        assert table_facts(clone.path / folder) == rows, folder
    assert clone.snakemake("-n") == NOTHING
    assert clone.run("git", "status", "--short") == ""


def pulled(source: Clone, name: str, path: Path) -> Clone:
    """What a colleague types."""
    clone = source.fresh(path)
    clone.run("git", "checkout", "-q", name)
    clone.run("dvc", "pull")
    return clone


def with_remote(made: Clone, path: Path, url: str, **options: str) -> Clone:
    """A copy of the made clone with an empty remote of its own, shared by git."""
    clone = made.copy(path)
    clone.run("dvc", "remote", "add", "--force", "--default", "own", url)
    for key, value in options.items():
        clone.run("dvc", "remote", "modify", "own", key, value)
    return clone


@pytest.fixture(scope="module")
def pinned(made: Clone, tmp_path_factory: pytest.TempPathFactory) -> Clone:
    """A clone in which v1 was pinned; its remote is a folder."""
    folder = tmp_path_factory.mktemp("pinned")
    clone = with_remote(made, folder / "clone", str(folder / "remote"))
    said = clone.run(*SNAPSHOT, "v1")
    print(said)
    assert "version v1 is pinned: commit" in said and "git push origin HEAD v1" in said
    assert tags(clone) == ["v1"]
    assert clone.run("git", "status", "--short") == ""
    return clone


@pytest.mark.long
def test_colleague_pulls_the_same_bytes_and_nothing_runs(pinned: Clone, tmp_path: Path) -> None:
    second = pulled(pinned, "v1", tmp_path / "second")
    same_as_pinned(second, "v1")
    assert second.snakemake() == NOTHING
    assert second.dvc_repro() == NOTHING
    assert second.artifacts() == pinned.artifacts()
    assert REPORT in second.artifacts()


@pytest.mark.long
def test_same_name_again(pinned: Clone) -> None:
    """The same state is pinned already; what the remote has lost since is sent again."""
    remote = pinned.path.parent / "remote"
    listed = {path: path.read_bytes() for path in remote.rglob("*") if path.is_file()}
    lost = min(path for path in listed if path.suffix != ".dir")
    lost.unlink()
    before = pinned.run("git", "rev-parse", "HEAD", "v1")
    said = pinned.run(*SNAPSHOT, "v1")
    assert "version v1 was pinned already" in said
    assert pinned.run("git", "rev-parse", "HEAD", "v1") == before
    assert {path: path.read_bytes() for path in remote.rglob("*") if path.is_file()} == listed


@pytest.mark.long
def test_two_versions_and_back(pinned: Clone, tmp_path: Path) -> None:
    clone = pinned.copy(tmp_path / "clone")
    before = clone.artifacts()
    clone.set("report", items=2)
    said = clone.run(*SNAPSHOT, "v2", code=2)
    assert re.fullmatch(r"report: not up to date \(report changed\); run 'make report'.*\n", said)
    assert clone.snakemake() == {"report": 1}
    # The same name stands for one state for ever.
    said = clone.run(*SNAPSHOT, "v1", code=2)
    assert "'v1': is the tag of another version already; take another name" in said.splitlines()[-1]
    clone.run(*SNAPSHOT, "v2", "--message", "Two items")
    assert clone.run("git", "tag", "--list", "--format=%(subject)", "v2").strip() == "Two items"
    one, two = manifest(clone, "v1"), manifest(clone, "v2")
    changed = {path for path in one.files if one.files[path] != two.files[path]}
    assert changed == {REPORT, "data/seals/report.json"}
    assert one.tables == two.tables and one.environment == two.environment
    assert one.params["report"]["items"] == 4 and two.params["report"]["items"] == 2

    clone.run("git", "checkout", "-q", "v1")
    clone.run("dvc", "checkout")
    assert clone.artifacts() == before
    same_as_pinned(clone, "v1")

    # The data alone, from a repository that holds none: it comes from the remote.
    clone.run("git", "clone", "-q", "--bare", ".", str(tmp_path / "hub.git"))
    out = tmp_path / "questions"
    command = ("dvc", "get", str(tmp_path / "hub.git"), QUESTIONS, "--rev", "v1", "-o", str(out))
    clone.run(*command)
    assert table_facts(out) == one.tables[QUESTIONS]


@pytest.mark.long
def test_killed_at_any_point_the_same_command_finishes(made: Clone, tmp_path: Path) -> None:
    """``kill -9`` between and within the steps; a tag only ever names data that was pushed."""
    remote = tmp_path / "remote"
    clone = with_remote(made, tmp_path / "clone", str(remote))
    lock = clone.path / "dvc.lock"
    lock.write_text(lock.read_text() + "\n")  # for DVC to write anew
    start, moves = lock.read_bytes(), clone.path / ".git/logs/HEAD"
    commits = len(moves.read_text().splitlines())
    points = {
        "DVC has recorded": lambda: lock.read_bytes() != start,
        "some is pushed": lambda: any(remote.rglob("*")),
        "git has committed": lambda: len(moves.read_text().splitlines()) > commits,
    }
    for point, reached in points.items():
        assert clone.killed(*SNAPSHOT, "v1", once=reached), f"ended before: {point}"
        assert tags(clone) == [] or point == "git has committed", point
        print(f"  killed once {point}")
    said = clone.run(*SNAPSHOT, "v1")
    assert "pushed: the remote 'own' has all of it" in said
    assert len(moves.read_text().splitlines()) == commits + 1
    same_as_pinned(pulled(clone, "v1", tmp_path / "second"), "v1")


@pytest.mark.long
def test_a_push_that_was_cut_is_mended_by_the_next(made: Clone, tmp_path: Path) -> None:
    """DVC writes a folder's list of files in place: a kill may leave it empty at the remote."""
    remote = tmp_path / "remote"
    clone = with_remote(made, tmp_path / "clone", str(remote))
    (clone.path / "dvc.lock").write_text((clone.path / "dvc.lock").read_text() + "\n")
    clone.run("dvc", "push")
    lists = sorted(remote.rglob("*.dir"))
    whole = lists[0].read_bytes()
    lists[0].chmod(0o644)
    lists[0].write_bytes(b"")
    said = clone.run(*SNAPSHOT, "v1")
    assert "pushed: the remote 'own' has all of it" in said
    assert lists[0].read_bytes() == whole
    cached = next((clone.path / ".dvc/cache").rglob(lists[0].name))
    cached.chmod(0o644)
    cached.write_bytes(b"[]")  # the one that is damaged is here
    push(clone.path, Remote("own", shared=True))
    assert lists[0].read_bytes() == whole


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server that speaks S3, with a bucket; keys come from the environment."""
    import boto3
    from moto.server import ThreadedMotoServer

    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "testing")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "testing")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    for name in ("AWS_PROFILE", "AWS_SESSION_TOKEN", "AWS_ENDPOINT_URL"):
        monkeypatch.delenv(name, raising=False)
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        url = f"http://{host}:{port}"
        boto3.client("s3", endpoint_url=url).create_bucket(Bucket="versions")
        yield url
    finally:
        server.stop()


@pytest.mark.long
def test_round_trip_over_s3(made: Clone, bucket: str, tmp_path: Path) -> None:
    clone = with_remote(made, tmp_path / "clone", "s3://versions/dvc", endpointurl=bucket)
    said = clone.run(*SNAPSHOT, "v1")
    assert "pushed: the remote 'own' has all of it" in said
    assert "testing" not in (clone.path / ".dvc/config").read_text()
    second = pulled(clone, "v1", tmp_path / "second")
    same_as_pinned(second, "v1")
    assert second.artifacts() == clone.artifacts()
