"""What can be wrong with a pipeline's weights and parameters, and the line that tells it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lvlmbench.config import Params, validate
from lvlmbench.core.errors import UserError
from lvlmbench.engine.preflight.kinds import check_names


def params(folder: Path | str, size: int = 64, **settings: Any) -> Params:
    about = {"model": str(folder), "device": "cpu", "steps": 2} | settings
    answer = {"models": [{"name": "chance", "engine": "chance"}]}
    render = {"renderer": "diffusion", "size": size, "diffusion": about}
    clip = {"name": "clip", "clip": {"engine": "ViT-L-14", "pretrained": "openai"}}
    given = {"render": render, "answer": answer, "filter": {"filters": [clip]}}
    return validate(given | {"scenarios": {"names": ["clean"]}}, "params.yaml")


def line_of(error: UserError) -> str:
    line = str(error)
    assert "\n" not in line and len(line) < 450, line
    return line


def early(given: Params) -> str:
    """The line that a run does not begin with."""
    with pytest.raises(UserError) as caught:
        check_names(given, "mine.yaml")
    line = line_of(caught.value)
    assert line.startswith("mine.yaml: render.")
    return line


def late(given: Params) -> str:
    """The line that a job ends in, where a first sight does not show what is wrong."""
    from lvlmbench.stages.render.kinds.diffusion.loading import load

    check_names(given, "mine.yaml")
    with pytest.raises(UserError) as caught:
        load(given)
    return line_of(caught.value)


def rewrite(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    content = json.loads(path.read_text())
    change(content)
    path.write_text(json.dumps(content))


def unet(folder: Path) -> Path:
    return folder / "unet" / "diffusion_pytorch_model.safetensors"


def of_class(name: Any) -> Callable[[Path], None]:
    return lambda folder: rewrite(
        folder / "model_index.json", lambda index: index.update(_class_name=name)
    )
