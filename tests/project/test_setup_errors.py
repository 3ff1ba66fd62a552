"""Mistakes as a user of Snakemake meets them: one line, an exit code, nothing half-written."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from e2e.clone import WITHOUT_CLUSTERS
from support.one_line import assert_one_line, vocabulary_without_label

pytestmark = pytest.mark.e2e

#: What Snakemake itself says at its start and end; the mistake is what stands between.
OWN_WORDS = (
    "Using workflow specific profile",
    "to do: ",
    "Assuming unrestricted shared filesystem",
    "Exiting because a job execution failed",
    "Shutting down, this might take some time",
)

Snakemake = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def snakemake(root: Path, tmp_path: Path) -> Snakemake:
    """Runs Snakemake in an empty folder with a parameter file of this text."""

    def run(
        text: str | None, *arguments: str, environment: Sequence[tuple[str, str]] = ()
    ) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "snakemake", "--snakefile", str(root / "Snakefile")]
        if text is not None:
            (tmp_path / "mine.yaml").write_text(text)
            command += ["--configfile", "mine.yaml"]
        result = subprocess.run(
            [*command, "--cores", "1", *arguments],
            cwd=tmp_path, timeout=600,
            env={**os.environ, "PYTHONPATH": WITHOUT_CLUSTERS, **dict(environment)},
            stdin=subprocess.DEVNULL, capture_output=True, text=True,
        )  # fmt: skip
        lines = [x for x in result.stderr.splitlines() if x.strip()]
        result.stderr = "\n".join(x for x in lines if not x.startswith(OWN_WORDS))
        return result

    return run


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("render: {sise: 512}", ["render.sise: is not a known key", "did you mean 'size'?"]),
        ("renders: {}", ["renders: is not a known key", "did you mean 'render'?"]),
        ("suites: {dysca: {corpus: {subtasks: [cats]}}}", ["'cats' is not a subtask"]),
        ("render: {size: 0}", ["render.size", "(got 0)"]),
        (
            "suites: {dysca: {corpus: {scenes_per_subtask: 0}}}",
            ["corpus.scenes_per_subtask", "(got 0)"],
        ),
        ("vocabulary: {folder: data/nowhere}", ["vocabulary.folder", "is not a folder"]),
        (
            "suites: {dysca: {scenarios: {names: [fog], noisy: [{name: fog}]}}}",
            ["scenarios.noisy: fog: 'fog' is not known", "blind"],
        ),
        (
            "validity: {rankings: data/nowhere}",
            ["validity.rankings", "'data/nowhere' is no folder"],
        ),
        ("validity: {image_sets: nowhere}", ["validity.image_sets", "'nowhere' is no folder"]),
        ("labels: {folder: nowhere}", ["labels.folder", "'nowhere' is no folder"]),
        ("figures: {names: [funel]}", ["figures.names: 'funel' is not known", "funnel"]),
        ("figures: {names: [leaderboard]}", ["use one of: ", " more (docs/gallery.md shows them)"]),
        ("exports: {formats: [croissant]}", ["'croissant' refers to 'huggingface'", "add"]),
    ],
)
def test_wrong_parameters_end_before_there_is_a_dag(
    snakemake: Snakemake, tmp_path: Path, text: str, parts: list[str]
) -> None:
    result = snakemake(text, "--dry-run")
    assert_one_line(result, *parts)
    assert not (tmp_path / "data").exists() and not (tmp_path / "results").exists()


def test_a_package_that_cannot_be_imported_ends_before_there_is_a_dag(
    snakemake: Snakemake, root: Path, tmp_path: Path
) -> None:
    info = tmp_path / "theirs-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: theirs\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[lvlmbench.figures]\none = not_there.one\n")
    path = os.pathsep.join([str(root), str(tmp_path), WITHOUT_CLUSTERS])
    result = snakemake(None, "--dry-run", environment=[("PYTHONPATH", path)])
    assert_one_line(result, "package theirs: entry point 'one'", "No module named 'not_there'")


def test_an_entry_without_label_is_found_before_there_is_a_dag(
    snakemake: Snakemake, root: Path, tmp_path: Path
) -> None:
    folder, line = vocabulary_without_label(tmp_path, root, "name")
    result = snakemake(f"vocabulary: {{folder: {folder}}}", "--dry-run")
    assert_one_line(result, f"animal.yaml:{line}", "label")


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "suites: {dysca: {scenarios: {names: [clean, foggy]}}}",
            ["there is no scenario 'foggy'", "clean"],
        ),
        (
            "filter: {filters: [{name: sieve}]}",
            ["filter.filters: sieve: 'sieve' is not known", "integrity"],
        ),
        ("answer: {models: [{name: a, engine: oracle}]}", ["a: engine: 'oracle'", "chance"]),
    ],
)
def test_what_this_version_cannot_run_ends_before_anything_is_made(
    snakemake: Snakemake, tmp_path: Path, text: str, parts: list[str]
) -> None:
    result = snakemake(text)
    lines = [x for x in result.stderr.splitlines() if all(part in x for part in parts)]
    assert len(lines) == 1 and result.returncode != 0, result.stderr
    assert "Traceback" not in result.stdout + result.stderr
    assert not (tmp_path / "data").exists()
    assert not list(tmp_path.rglob("part-*"))


SMALL = """
suites:
  composed: null
  autodavis: null
  valor: null
  touchstone: null
  dysca:
    corpus: {scenes_per_subtask: 2, subtasks: [animal]}
    scenarios: {names: [clean], noisy: []}
render: {size: 64}
reference: {models: [], scenes: {training: 64, validation: 64, pixels: 32}}
validity: {kmmd: {encoder: null}}
filter: {filters: [{name: integrity}]}
answer:
  models:
    - name: served
      engine: openai_chat
      endpoint: {base_url: "http://127.0.0.1:%d/v1", model: m, api_key_env: %s, retries: 0}
"""


def closed_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.long
@pytest.mark.parametrize(
    ("variable", "parts"),
    [
        ("LVLMBENCH_NO_SUCH_KEY", ["LVLMBENCH_NO_SUCH_KEY: is not set"]),
        ("null", ["127.0.0.1"]),
    ],
    ids=["missing key", "endpoint refuses"],
)
def test_a_model_that_cannot_be_asked(
    snakemake: Snakemake, tmp_path: Path, variable: str, parts: list[str]
) -> None:
    result = snakemake(SMALL % (closed_port(), variable), "results/report.html")
    lines = [x for x in result.stderr.splitlines() if all(part in x for part in parts)]
    assert len(lines) == 1 and result.returncode != 0, result.stderr
    assert "Traceback" not in result.stdout + result.stderr
    assert not (tmp_path / "results").exists()
    assert not list((tmp_path / "data").glob("*/answers/**/*.parquet"))
    assert not [p for p in tmp_path.rglob("*.tmp") if p.is_file()]
