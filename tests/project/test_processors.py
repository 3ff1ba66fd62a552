"""What stages compute is the same bytes under settings of the processor's features."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from benchmarks.harness.processors import (
    SETTINGS,
    differing,
    environment,
    evidence,
    possible,
)
from support import adversarial_shards

STAGES = Path(__file__).parents[1] / "support" / "processor_stages.py"
BASE, *OTHERS = possible()


def made(setting: str, folder: Path) -> dict[str, str]:
    """Hashes by stage of what a process under a setting makes."""
    command = [sys.executable, str(STAGES), str(folder)]
    done = subprocess.run(command, env=environment(setting), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.fixture(scope="module")
def reference(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small reference model, one for all settings."""
    return adversarial_shards.save_reference(tmp_path_factory.mktemp("weights") / "reference_a")


@pytest.fixture(scope="module")
def expected(reference: Path) -> dict[str, str]:
    """What is made with all that the processor can do."""
    return made(BASE, reference)


@pytest.mark.long
@pytest.mark.parametrize("setting", OTHERS)
def test_stages_make_the_same_bytes(
    setting: str, reference: Path, expected: dict[str, str]
) -> None:
    assert made(setting, reference) == expected


@pytest.mark.parametrize(
    ("has", "lacks"),
    [((), ("avx2", "avx512")), (("AVX2",), ("avx512",)), (("AVX2", "AVX512_SKX"), ())],
)
def test_a_processor_is_asked_for_no_more_than_it_has(
    has: tuple[str, ...], lacks: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Instructions that it lacks end a process with a signal, which says nothing of stages."""
    features = import_module("numpy._core._multiarray_umath")
    found = {name: name in has for name in features.__cpu_features__}
    monkeypatch.setattr(features, "__cpu_features__", found)
    assert set(possible()) == set(SETTINGS) - set(lacks)


def test_what_is_possible_runs_here() -> None:
    for setting in set(possible()) - {BASE, "sse"}:
        assert evidence(setting)["torch_dot"]


@pytest.mark.long
def test_the_settings_change_what_libraries_compute() -> None:
    """Else the comparison would show nothing."""
    plain, sse = evidence(BASE), evidence("sse")
    assert (sse["numpy"], sse["torch"], sse["arrow"]) == ("SSE3", "DEFAULT", "none")
    assert plain["torch_dot32"] != sse["torch_dot32"] and plain["numpy_dot"] != sse["numpy_dot"]


def test_a_difference_is_told_with_its_size(tmp_path: Path) -> None:
    for name, value in (("one", 1.0), ("two", 1.25)):
        folder = tmp_path / name / "data/scores"
        folder.mkdir(parents=True)
        pq.write_table(pa.table({"a": [2.0, value], "b": [0, 1]}), folder / "part.parquet")
        (folder / "same.json").write_text("{}")
        (folder / "provenance.json").write_text(name)
    (tmp_path / "two/results").mkdir()
    (tmp_path / "two/results/more.csv").write_text("")
    assert dict(differing(tmp_path / "one", tmp_path / "two")) == {
        "data/scores/part.parquet": "a: 1 of 2 rows, by 0.25 at most",
        "results/more.csv": "is only in the second",
    }


@pytest.mark.long
def test_a_whole_run_is_the_same(tmp_path: Path, root: Path) -> None:
    command = [sys.executable, "scripts/processors.py", "--configfile", "tests/configs/tiny.yaml"]
    done = subprocess.run(
        [*command, "--folder", str(tmp_path)],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert set(json.loads(done.stdout.splitlines()[-1])["different"].values()) == {0}
