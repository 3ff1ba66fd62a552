"""Which GPUs are found, and that a process sees the one that it has taken."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from lvlmbench.core import devices, gpus

TAKE = """
import sys
from pathlib import Path
from lvlmbench.core import gpus
gpus.lock_folder = lambda: Path(sys.argv[1])
taken = gpus.take(gpus.visible(), lambda: None)
import torch
print(taken.name, torch.cuda.device_count(), torch.cuda.get_device_capability(0))
"""


def test_the_drivers_tool_names_what_torch_sees() -> None:
    import torch

    found = gpus.visible()
    assert len(found) == torch.cuda.device_count()
    for number, gpu in enumerate(found):
        uuid = str(torch.cuda.get_device_properties(number).uuid)
        assert gpu.lock == f"GPU-{uuid}" and gpu.capability == torch.cuda.get_device_capability(
            number
        )


@pytest.mark.parametrize("visible", ["", None, "0", "GPU-"])
def test_torch_sees_the_gpu_that_is_taken(tmp_path: object, visible: str | None) -> None:
    environment = {name: value for name, value in os.environ.items() if name != gpus.VISIBLE}
    if visible == "":
        assert gpus.visible(environment | {gpus.VISIBLE: ""}) == ()
        return
    first = gpus.visible(environment)[0]
    if visible is not None:
        environment[gpus.VISIBLE] = first.lock[:12] if visible == "GPU-" else visible
    done = subprocess.run(
        [sys.executable, "-c", TAKE, str(tmp_path)],
        capture_output=True, text=True, check=True, env=environment,
    )  # fmt: skip
    name, count, capability = done.stdout.strip().split(" ", 2)
    assert count == "1" and capability == str(first.capability)
    assert name == environment.get(gpus.VISIBLE, first.lock)


def test_precision_is_that_of_the_gpu() -> None:
    able = all((gpu.capability or (0, 0)) >= (8, 0) for gpu in gpus.visible())
    place = devices.choose_place("auto", "auto", "here", lambda: None)
    assert place == devices.Place("cuda", "bfloat16" if able else "float32")
