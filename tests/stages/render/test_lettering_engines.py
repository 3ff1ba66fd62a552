"""Engines that put words into images: prompts, pictures, names, errors."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from PIL import Image

from lvlmbench.core.errors import UserError
from lvlmbench.stages.filter.kinds.ocr import Ocr, OcrFilter
from lvlmbench.stages.filter.ocr.kinds.rapidocr import RapidOcr
from lvlmbench.stages.render.kinds.diffusion.text.blanks import NO_WRITING, blank
from lvlmbench.stages.render.kinds.diffusion.text.engine import (
    TEXT_ENGINES,
    TextEngine,
    draws,
    text_engine,
)
from lvlmbench.stages.render.renderer import Attempt, Scene
from support.lettering_scenes import SIGNS, sign
from support.render_scenes import params, scene, vocabulary

CARRIERS = vocabulary().lists["carrier"].by_label
STYLES = vocabulary().lists["style"].by_label


def engine(name: str) -> TextEngine:
    # Not kept, as the parameters of other tests are: dictionaries cannot be.
    made = params.__wrapped__(512, diffusion={"text": {"engine": name}})
    found = text_engine(made, vocabulary())
    assert not draws(found)
    return found


@pytest.fixture(scope="module")
def composite() -> TextEngine:
    return engine("composite")


def said(label: str, word: str = "owl", style: str = "oil painting") -> Scene:
    """A planned scene with a word on this carrier."""
    subject = CARRIERS[label].extra["phrase"].replace("{text}", f'"{word}"')
    about = STYLES[style].extra
    return scene(
        "carrier", label, subtask="text", text=word, style=style, background="beach",
        prompt=about["prompt"].replace("{subject}", f"{subject} on a sandy beach by the sea"),
        negative_prompt=about.get("negative_prompt", ""),
    )  # fmt: skip


@pytest.mark.parametrize("label", CARRIERS)
def test_the_prompt_asks_for_an_empty_carrier(composite: TextEngine, label: str) -> None:
    prompt, negative = composite.prompts(said(label))
    assert '"' not in prompt
    assert "owl" not in prompt
    assert prompt == f"oil painting of {blank(label)} on a sandy beach by the sea, thick visible " \
        "brush strokes, rich color on canvas"  # fmt: skip
    assert any(word in prompt for word in ("blank", "empty", "plain", "clean"))
    assert negative == f"photograph, pencil, flat fills, digital, {NO_WRITING}"


@pytest.mark.parametrize("style", STYLES)
def test_the_prompt_keeps_the_style(composite: TextEngine, style: str) -> None:
    prompt, negative = composite.prompts(said("road sign", "sign", style))
    before, after = STYLES[style].extra["prompt"].split("{subject}")
    assert prompt.startswith(before)
    assert prompt.endswith(after)
    assert '"' not in prompt
    assert negative.endswith(NO_WRITING)


def test_a_scene_of_another_vocabulary_loses_its_quoted_word(composite: TextEngine) -> None:
    other = dict(said("road sign")) | {"foreground": "kite", "prompt": 'a kite that says "owl"'}
    assert composite.prompts(other)[0] == "a kite that says nothing"
    assert composite.prompts(dict(other) | {"negative_prompt": None})[1] == NO_WRITING


def test_a_pipeline_that_writes_gets_the_prompt_as_it_is() -> None:
    writer, written = engine("prompt"), said("mug")
    assert writer.prompts(written) == (written["prompt"], written["negative_prompt"])
    picture = Image.new("RGB", (64, 64), "gray")
    assert writer.finish(Attempt(written, 0, 5), picture) == (picture, "text-to-image")


def test_words_can_be_read_back(composite: TextEngine) -> None:
    judge = OcrFilter("ocr", Ocr(), RapidOcr(None, "filters"))
    shown = [("from the left", "harvest"), ("turned", "owl")]
    colors = [(235, 230, 220), (30, 80, 160)]
    for (name, word), color in zip(shown, colors, strict=True):
        picture = Image.fromarray(sign(SIGNS[name], color, light=(0.8, 1.1), grain=5))
        attempt = Attempt(said("road sign", word), 0, 5)
        image, method = composite.finish(attempt, picture)
        assert method == "composited"
        assert (image.mode, image.size) == ("RGB", picture.size)
        assert judge.look(image, word).keep, word


def test_the_same_attempt_gives_the_same_bytes_in_any_thread(composite: TextEngine) -> None:
    pictures = [Image.fromarray(sign(SIGNS[name], size=256)) for name in SIGNS]
    attempts = [Attempt(said("road sign", word), 0, 5) for word in ("owl", "river", "go", "jazz")]

    def finished(i: int) -> bytes:
        return composite.finish(attempts[i % 4], pictures[i % 4])[0].tobytes()

    alone = [finished(i) for i in range(4)]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(finished, range(12))) == alone * 3


def test_another_attempt_may_be_set_in_another_typeface(composite: TextEngine) -> None:
    picture = Image.fromarray(sign(SIGNS["straight"], size=256))
    written = said("road sign")
    images = {composite.finish(Attempt(written, 0, n), picture)[0].tobytes() for n in range(8)}
    assert len(images) > 1


def test_another_mode_and_a_small_picture_will_do(composite: TextEngine) -> None:
    picture = Image.fromarray(sign(SIGNS["straight"], size=64)).convert("RGBA")
    image, _ = composite.finish(Attempt(said("road sign"), 0, 5), picture)
    assert (image.mode, image.size) == ("RGB", (64, 64))
    assert np.asarray(image).std() > 0


def test_engines_are_found_by_name() -> None:
    assert TEXT_ENGINES.names() == ["composite", "prompt", "textdiffuser2"]
    with pytest.raises(UserError, match="'anytext' is not known; use one of: composite"):
        engine("anytext")


def test_importing_engines_imports_nothing_heavy(run_python) -> None:  # type: ignore[no-untyped-def]
    code = (
        "import sys; "
        "from lvlmbench.stages.render.kinds.diffusion.text.engine import TEXT_ENGINES as engines; "
        "engines.names(); print([m for m in ('cv2', 'torch', 'diffusers') if m in sys.modules])"
    )
    assert run_python("-c", code).stdout.strip() == "[]"
