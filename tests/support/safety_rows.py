"""Images for the safety filter, and what it says of them."""

from __future__ import annotations

import hashlib
import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.core.errors import UserError
from lvlmbench.stages.filter.filter import FILTERS, Verdict


def row(picture: Image.Image | bytes, number: int = 0, renderer: str = "diffusion") -> Any:
    data = picture
    if isinstance(picture, Image.Image):
        out = io.BytesIO()
        picture.save(out, "PNG")
        data = out.getvalue()
    return {
        "image_id": f"i{number}",
        "scene_id": f"s{number}",
        "scenario": "clean",
        "image": {"bytes": data, "path": f"i{number}.png"},
        "width": 8,
        "height": 8,
        "sha256": hashlib.sha256(data).hexdigest(),
        "renderer": renderer,
    }


def judged(judge: Any, rows: list[Any]) -> list[Verdict]:
    images = tables.IMAGES.of(rows)
    return judge.judge(images, tables.SCENES.empty_table())


def made(**safety: Any) -> Any:
    spec = FilterSpec.model_validate({"name": "safety", "safety": safety or None})
    return FILTERS.get("safety", "here")(Params(), spec, {})


def noise(number: int, size: tuple[int, int] = (40, 30)) -> Image.Image:
    random = np.random.default_rng(number)
    coarse = random.integers(0, 256, (4, 4, 3), dtype=np.uint8)
    return Image.fromarray(coarse).resize(size, Image.Resampling.BICUBIC)


def one_line(problem: pytest.ExceptionInfo[UserError], *parts: str) -> None:
    line = str(problem.value)
    assert "\n" not in line and len(line) < 400
    for part in parts:
        assert part in line, line


def in_the_lock(root: Path, command: str, package: str) -> None:
    """The command that a message names installs the package that is missing."""
    group = command.rpartition("setup_env.py ")[2].rstrip("'")
    lock = (root / "requirements.lock").read_text()
    # The group core is part of every installation.
    sections = [
        lock.partition(f"# group: {g} ")[2].partition("# group:")[0] for g in ("core", group)
    ]
    assert any(f"\n{package}==" in section for section in sections)
