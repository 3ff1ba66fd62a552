"""The profile for Kubernetes: jobs that share nothing with the run but a bucket make what it would.

The bucket is moto's, an S3 server in this process. The cluster is a stand-in, see e2e/cluster.py;
Snakemake, its executor plugin and its storage plugin are the real ones.
"""

from __future__ import annotations

import os
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from e2e.clone import CLUSTERS, EVERYTHING, Clone, jobs
from e2e.cluster import Cluster

pytestmark = pytest.mark.e2e

#: What no log, table, command or object of the bucket may show.
_SECRET = "xyzzy-4711-secret"

_PREFIX = "s3://bench/some/run"


class Bucket:
    """A bucket of an S3 server, and what a shell must say to reach it."""

    def __init__(self, endpoint: str) -> None:
        import boto3

        keys = {"aws_access_key_id": "someone", "aws_secret_access_key": _SECRET}
        self._client: Any = boto3.client(
            "s3", endpoint_url=endpoint, region_name="us-east-1", **keys
        )
        self._client.create_bucket(Bucket="bench")
        self.environment = {
            "SNAKEMAKE_STORAGE_S3_ENDPOINT_URL": endpoint,
            "SNAKEMAKE_STORAGE_S3_ACCESS_KEY": "someone",
            "SNAKEMAKE_STORAGE_S3_SECRET_KEY": _SECRET,
        }

    def keys(self) -> list[str]:
        """Names of the objects below the prefix of the run, without it."""
        found = self._client.list_objects_v2(Bucket="bench").get("Contents", [])
        return [each["Key"].removeprefix("some/run/") for each in found]

    def read(self, key: str) -> bytes:
        """Bytes of an object below the prefix of the run."""
        body: bytes = self._client.get_object(Bucket="bench", Key=f"some/run/{key}")["Body"].read()
        return body


@pytest.fixture
def bucket() -> Iterator[Bucket]:
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    url = f"http://{host}:{port}"
    # Servers of one process share what they hold.
    urllib.request.urlopen(f"{url}/moto-api/reset", data=b"").close()
    try:
        yield Bucket(url)
    finally:
        server.stop()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder = tmp_path / "cluster"
    folder.mkdir()
    with Cluster(folder) as cluster:
        yield cluster


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.MonkeyPatch:
    """The environment that commands of clones get; of the user's own credentials nothing."""
    for name in [n for n in os.environ if n.startswith(("AWS_", "SNAKEMAKE_", "KUBE"))]:
        monkeypatch.delenv(name)
    for name in ("AWS_CONFIG_FILE", "AWS_SHARED_CREDENTIALS_FILE"):
        monkeypatch.setenv(name, str(tmp_path / "none"))
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv(CLUSTERS, "1")
    return monkeypatch


def profile(*more: str, prefix: str = _PREFIX) -> list[str]:
    where = ["--default-storage-prefix", prefix] if prefix else []
    return ["--workflow-profile", "profiles/kubernetes", *where, *more]


def pooled(jobs: dict[str, int]) -> dict[str, int]:
    """Jobs of a run with a storage: each names all its tables, so that no mark stands for them."""
    return {rule: count for rule, count in jobs.items() if not rule.endswith("_tables")}


@pytest.mark.long
def test_a_dry_run_plans_what_a_local_one_plans(
    tmp_path: Path, origin: Clone, bucket: Bucket, shell: pytest.MonkeyPatch
) -> None:
    clone = origin.fresh(tmp_path / "clone")
    for name, value in bucket.environment.items():
        shell.setenv(name, value)
    said = clone.run("snakemake", "-n", *profile())
    assert jobs(said) == pooled(EVERYTHING)
    assert "offer" not in said
    assert bucket.keys() == []
    assert _SECRET not in said
    assert not (clone.path / "data" / "seals").exists()


@pytest.mark.long
def test_mistakes_are_one_line(
    tmp_path: Path, made: Clone, bucket: Bucket, shell: pytest.MonkeyPatch
) -> None:
    clone = made.copy(tmp_path / "clone")
    clone.set("statistics", resamples=150)

    def line(prefix: str = _PREFIX, stage: str = "") -> str:
        asked = ("env", f"LVLMBENCH_STAGE={stage}") if stage else ()
        said = clone.run(*asked, "snakemake", "-n", *profile(prefix=prefix), code=2)
        (only,) = [
            each
            for each in said.splitlines()
            if not each.startswith(("Using workflow specific profile", "to do: "))
        ]
        return only

    assert line(prefix="") == (
        "--default-storage-prefix: is not given; "
        "for S3: --default-storage-prefix s3://BUCKET/FOLDER"
    )
    assert "names no place in the storage 's3'" in line("bench")
    endpoint = bucket.environment["SNAKEMAKE_STORAGE_S3_ENDPOINT_URL"]
    shell.setenv("SNAKEMAKE_STORAGE_S3_ENDPOINT_URL", endpoint)
    assert "cannot be reached: Unable to locate credentials; see docs/clusters.md" in line()
    for name, value in bucket.environment.items():
        shell.setenv(name, value)
    assert "s3://else/run: there is no such bucket" in line("s3://else/run")
    new = clone.path / "lvlmbench/stages/score/new.py"
    new.write_text("")
    assert line().startswith("lvlmbench/stages/score/new.py: is unknown to git")
    new.unlink()
    assert line(stage="metrics").startswith("stage 'metrics': DVC asks for its seal alone; run")
    assert bucket.keys() == []


@pytest.mark.long
@pytest.mark.parametrize("begun", [False, True], ids=["from nothing", "what follows from a change"])
def test_pods_make_the_same_bytes_from_the_bucket_alone(
    begun: bool,
    tmp_path: Path,
    origin: Clone,
    made: Clone,
    bucket: Bucket,
    cluster: Cluster,
    shell: pytest.MonkeyPatch,
) -> None:
    begin = made.copy if begun else origin.fresh
    here, there = begin(tmp_path / "here"), begin(tmp_path / "there")
    for clone in (here, there):
        clone.set("statistics", resamples=200)
        clone.set("figures", names=["funnel"])
        clone.set("validity", kmmd={"permutations": 99})
        clone.commit("another number of resamples")
    planned = here.snakemake("--cores", "2")
    before = there.artifacts()

    for name, value in bucket.environment.items():
        shell.setenv(name, value)
    shell.setenv("KUBECONFIG", str(cluster.config))
    more = ("--container-image", "lvlmbench:1", "--seconds-between-status-checks", "1")
    said = there.run("snakemake", *profile(*more))
    ran = jobs(said)
    offered = ran.pop("offer", 0)
    assert ran == pooled(planned)
    at_home = {"export", "exports_index", "report"}
    assert len(cluster.pods) == sum(n for rule, n in ran.items() if rule not in at_home)

    assert there.artifacts() == here.artifacts() != before
    # What was up to date was put there once, and only what the pods read.
    keys = bucket.keys()
    assert len([key for key in keys if key.startswith(".lvlmbench/offered/")]) == offered
    assert not [key for key in keys if not key.startswith(".lvlmbench/")], "sources left behind"
    if begun:
        assert offered > 5
        assert not [key for key in keys if "/data/dysca/images/" in key and "/build/" in key]
    # Nothing is left to do, whoever looks.
    assert there.snakemake("-n") == {}
    assert there.snakemake("-n", *profile()) == {}
    assert there.run("git", "status", "--short") == ""

    # Credentials went through a Secret, which is gone.
    assert cluster.secrets == {}
    assert _SECRET not in said + str(cluster.pods) + cluster.logs()
    assert all(_SECRET.encode() not in bucket.read(key) for key in keys)
    kept = [f for f in there.path.rglob("*") if f.is_file() and ".git" not in f.parts]
    assert all(_SECRET.encode() not in file.read_bytes() for file in kept)


@pytest.mark.long
def test_failed_pods_are_told_and_asked_for_a_gpu(
    tmp_path: Path, made: Clone, bucket: Bucket, cluster: Cluster, shell: pytest.MonkeyPatch
) -> None:
    clone = made.copy(tmp_path / "clone")
    local = {"engine": "transformers_vlm", "transformers": {"model": "owner/name"}}
    clone.set(
        "answer", models=[{"name": "chance", "engine": "chance"}, {"name": "weights", **local}]
    )
    clone.commit("another model")
    before = clone.artifacts()
    for name, value in bucket.environment.items():
        shell.setenv(name, value)
    shell.setenv("KUBECONFIG", str(cluster.config))
    broken = cluster.bin / "python"
    broken.write_text("#!/bin/sh\necho 'no python in this image' >&2\nexit 1\n")
    more = ("--container-image", "lvlmbench:1", "--seconds-between-status-checks", "1")
    said = clone.run("snakemake", *profile(*more), code=1)
    assert "Traceback" not in said
    assert f"what jobs said lies in {_PREFIX}/.lvlmbench/build/*/log/; see docs" in said
    assert clone.artifacts() == before
    assert cluster.secrets == {}
    assert bucket.keys(), "the plugin would have removed the bucket"

    assert cluster.pods
    for job in cluster.pods.values():
        spec = job["spec"]["template"]["spec"]
        wants = spec["containers"][0]["resources"]
        assert wants["limits"]["nvidia.com/gpu"] == wants["requests"]["nvidia.com/gpu"] == "1"
        assert wants["limits"]["memory"] == wants["requests"]["memory"]
        assert wants["requests"]["ephemeral-storage"] == "4000M"
        assert [each["key"] for each in spec["tolerations"]] == ["nvidia.com/gpu"]
