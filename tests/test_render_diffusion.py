"""The diffusion renderer on a tiny SDXL with random weights: the real pipeline, no download."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import tiny_diffusion

from lvlmbench.config import validate
from lvlmbench.corpus.vocabulary import Vocabulary
from lvlmbench.errors import UserError
from lvlmbench.render.base import Renderer
from lvlmbench.render.run import make_renderer, png_bytes

pytest.importorskip("diffusers")

NO_VOCABULARY = Vocabulary({}, (), "")


@pytest.fixture(scope="module")
def tiny_sdxl(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an SDXL pipeline of a few thousand parameters."""
    return tiny_diffusion.sdxl(tmp_path_factory.mktemp("sdxl"))


def _renderer(model: Path | str, **more: Any) -> Renderer:
    about = {"model": str(model), "steps": 2, "dtype": "float32"} | more
    return make_renderer(
        validate({"render": {"renderer": "diffusion", "size": 64, "diffusion": about}}),
        NO_VOCABULARY,
    )


def _scene(seed: int, prompt: str = "a red fox on a beach") -> dict[str, Any]:
    return {"scene_id": f"{seed:032x}", "prompt": prompt, "negative_prompt": "blurry", "seed": seed}


def test_the_scene_alone_decides_the_image(tiny_sdxl: Path) -> None:
    renderer = _renderer(tiny_sdxl)
    first = renderer.draw(_scene(11))
    assert first.mode == "RGB" and first.size == (64, 64)
    other = renderer.draw(_scene(12))
    again = _renderer(tiny_sdxl)
    assert png_bytes(again.draw(_scene(11))) == png_bytes(first)
    assert png_bytes(other) != png_bytes(first)
    assert png_bytes(renderer.draw(_scene(11, "a blue mug"))) != png_bytes(first)


def test_parameters_reach_the_pipeline_and_the_version(tiny_sdxl: Path) -> None:
    few, many = _renderer(tiny_sdxl), _renderer(tiny_sdxl, steps=3, guidance=9)
    assert few.draw(_scene(1)).tobytes() != many.draw(_scene(1)).tobytes()
    assert "steps=3 guidance=9" in many.version and "unpinned" in many.version
    assert many.refuses(_scene(1)) is None
    assert many.refuses(_scene(1, "")) == "diffusion needs a prompt"


def test_missing_weights_are_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError) as caught:
        _renderer(tmp_path / "empty")
    message = str(caught.value)
    assert message.startswith("render.diffusion.model: ") and "\n" not in message
    assert "could not be loaded" in message
