"""Words survive corruption: an OCR engine, worse at it than a person, still reads them."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

from lvlmbench.stages.filter.ocr.kinds.rapidocr import RapidOcr
from lvlmbench.stages.filter.ocr.matching import distance
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.stages.scenario.kinds.corruption.kind import CORRUPTIONS, corrupt
from support.render_scenes import drawable, params, scene, vocabulary


@pytest.fixture(scope="module")
def engine() -> RapidOcr:
    return RapidOcr(None, "test")


@pytest.mark.parametrize("kind", CORRUPTIONS.names())
def test_a_plain_word_can_be_read_at_the_highest_severity(kind: str, engine: RapidOcr) -> None:
    word, label = "harbor", drawable("carrier")[0]
    renderer = PictographRenderer(params(512), vocabulary())
    pixels = np.asarray(renderer.draw(scene("carrier", label, 3, text=word)).image)
    rng = np.random.Generator(np.random.Philox(1))
    found, _ = corrupt(pixels, kind, 5, rng)  # type: ignore[arg-type]
    assert distance(word, engine.read(Image.fromarray(found))) == 0
