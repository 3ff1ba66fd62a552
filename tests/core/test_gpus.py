"""Which GPUs a process may use, and one for each process, on a machine that need have none."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lvlmbench.config.identity import PROJECT_ROOT as ROOT
from lvlmbench.core import gpus

#: Prints the GPU that it has taken, then holds it until it is killed or its input ends.
_JOB = """
import os, sys
from lvlmbench.core import gpus
gpu = gpus.take(gpus.visible(), lambda: print("waiting", flush=True))
assert gpus.take(gpus.visible(), lambda: None) == gpu
print(gpu.lock, os.environ["CUDA_VISIBLE_DEVICES"], flush=True)
sys.stdin.read()
"""


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine with three GPUs, one of them old, by what its driver's tool says."""
    tool = tmp_path / "bin" / "nvidia-smi"
    tool.parent.mkdir()
    tool.write_text(
        "#!/bin/sh\necho 'GPU-11aa, 9.0'\necho 'GPU-22bb, 7.5'\necho 'GPU-23cc, [N/A]'\n"
    )
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tool.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv(gpus.VISIBLE, raising=False)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    return tmp_path


def seen(value: str | None) -> list[tuple[str, str]]:
    environment = {} if value is None else {gpus.VISIBLE: value}
    return [(gpu.name, gpu.lock) for gpu in gpus.visible(environment)]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, [("GPU-11aa", "GPU-11aa"), ("GPU-22bb", "GPU-22bb"), ("GPU-23cc", "GPU-23cc")]),
        ("2,0", [("2", "GPU-23cc"), ("0", "GPU-11aa")]),
        (" 1 , GPU-11aa", [("1", "GPU-22bb"), ("GPU-11aa", "GPU-11aa")]),
        ("GPU-23", [("GPU-23", "GPU-23cc")]),
        ("0,GPU-11aa,0", [("0", "GPU-11aa")]),
        ("1,7,0", [("1", "GPU-22bb")]),
        ("0,-1,1", [("0", "GPU-11aa")]),
        ("MIG-1,MIG-2", [("MIG-1", "MIG-1"), ("MIG-2", "MIG-2")]),
        ("", []),
        ("-1", []),
    ],
)
def test_what_cuda_would_show(
    machine: Path, value: str | None, expected: list[tuple[str, str]]
) -> None:
    assert seen(value) == expected


def test_capabilities_are_told_where_known(machine: Path) -> None:
    assert [gpu.capability for gpu in gpus.visible({})] == [(9, 0), (7, 5), None]


def test_without_the_drivers_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert seen("1,GPU-x") == [("1", "1"), ("GPU-x", "GPU-x")]
    assert gpus.visible({}, ask_torch=False) == ()
    monkeypatch.setattr(gpus, "_COUNT", "print(2)")
    monkeypatch.setattr(gpus, "_DEVICES", (str(tmp_path / "none"),))
    assert seen(None) == [], "no device, so torch is not asked"
    monkeypatch.setattr(gpus, "_DEVICES", (str(tmp_path),))
    assert seen(None) == [("0", "0"), ("1", "1")]
    monkeypatch.setattr(gpus, "_COUNT", "raise SystemExit(1)")
    assert seen(None) == []


class Job:
    """A process that takes a GPU."""

    def __init__(self, visible: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", _JOB],
            env=os.environ | {"PYTHONPATH": str(ROOT), gpus.VISIBLE: visible},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def says(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.communicate()


def test_each_job_has_its_own_until_it_dies(machine: Path) -> None:
    jobs = [Job("0,1")]
    try:
        assert jobs[0].says() == "GPU-11aa 0"
        jobs.append(Job("GPU-11,GPU-22bb"))  # the same two, by other names
        assert jobs[1].says() == "GPU-22bb GPU-22bb"
        jobs.append(Job("1,0"))
        assert jobs[2].says() == "waiting"
        time.sleep(0.2)
        assert jobs[2].process.poll() is None
        jobs[1].kill()
        assert jobs[2].says() == "GPU-22bb 1"
    finally:
        for job in jobs:
            job.kill()
    folder = next(machine.glob("lvlmbench-gpus-*"))
    assert folder.stat().st_mode & 0o777 == 0o700


def test_there_must_be_one() -> None:
    with pytest.raises(ValueError, match="no GPU"):
        gpus.take((), lambda: None)
