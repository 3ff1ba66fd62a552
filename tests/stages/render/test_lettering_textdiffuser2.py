"""TextDiffuser-2: its prompts, and drawing with a tiny pipeline of its layout."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.kinds.diffusion.text.engine import DrawingEngine, draws, text_engine
from lvlmbench.stages.render.kinds.diffusion.text.kinds import textdiffuser2
from lvlmbench.stages.render.kinds.diffusion.text.layout_tokens import (
    ADDED,
    box_of,
    compose,
    extend,
    negated,
)
from lvlmbench.stages.render.renderer import Attempt, Drawn
from support import tiny_diffusion
from support.render_scenes import params, scene, vocabulary


@pytest.fixture(scope="module")
def weights(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny_diffusion.textdiffuser2(tmp_path_factory.mktemp("weights") / "textdiffuser2")


def engine(model: Path | str, size: int = 64, **more: Any) -> DrawingEngine:
    diffusion = {
        "steps": 2, "guidance": 4.0, "device": "cpu", **more,
        "text": {"engine": "textdiffuser2", "model": str(model)},
    }  # fmt: skip
    found = text_engine(params.__wrapped__(size, diffusion=diffusion), vocabulary())
    assert draws(found)
    return found


@pytest.fixture(scope="module")
def drawing(weights: Path) -> DrawingEngine:
    return engine(weights)


def attempt(word: str, seed: int = 5, **more: Any) -> Attempt:
    about = {
        "subtask": "text", "text": word, "prompt": f'a road sign that says "{word}"',
        "negative_prompt": "blur", **more,
    }  # fmt: skip
    return Attempt(scene("carrier", "road sign", seed, **about), 0, seed)


def drawn(engine: DrawingEngine, *attempts: Attempt) -> list[Drawn]:
    return list(engine.draw(attempts))


@pytest.fixture(scope="module")
def tokenizer(weights: Path) -> Any:
    from transformers import CLIPTokenizer

    return CLIPTokenizer.from_pretrained(weights / "tokenizer")


def test_a_prompt_is_caption_box_and_letters(tokenizer: Any) -> None:
    composed = compose(tokenizer, "a sign", "Owl", 77)
    caption = tokenizer("a sign", add_special_tokens=False).input_ids
    start = len(caption) + 1
    begin, end = tokenizer.bos_token_id, tokenizer.eos_token_id
    assert composed.ids[:start] == [begin, *caption]
    left, top, right, bottom = box_of("Owl")
    drawn = (f"l{left}", f"t{top}", f"r{right}", f"b{bottom}", "[O]", "[w]", "[l]")
    # Large letters have tokens of their own, though the tokenizer would make them small.
    ids = [len(tokenizer) - len(ADDED) + ADDED.index(token) for token in drawn]
    assert composed.ids[start : start + 10] == [end, begin, *ids, end]
    assert set(composed.ids[start + 10 :]) == {tokenizer.pad_token_id}
    assert (len(composed.ids), composed.tokens, composed.cut) == (77, len(caption) + 7, 0)


def test_a_long_caption_makes_room_for_the_word(tokenizer: Any) -> None:
    composed = compose(tokenizer, "x" * 100, "river", 77)
    assert len(composed.ids) == 77
    assert composed.cut == 100 - (77 - 4 - 9)
    letter = tokenizer.get_vocab()["[r]"]
    assert composed.ids[-2:] == [letter, tokenizer.eos_token_id]


def test_an_empty_negative_prompt_is_padding_alone(tokenizer: Any) -> None:
    assert set(negated(tokenizer, "", 77).ids) == {tokenizer.pad_token_id}
    some = negated(tokenizer, "blur", 77)
    assert some.ids[0] == tokenizer.bos_token_id
    assert (some.tokens, some.cut) == (4, 0)
    assert negated(tokenizer, "x" * 80, 77).cut == 5


@pytest.mark.parametrize("word", ["a", "go", "river", "responsibility", "x" * 30])
def test_boxes_lie_in_the_middle_third(word: str) -> None:
    left, top, right, bottom = box_of(word)
    assert 0 <= left < right < 128
    assert 128 / 3 - 1 <= top < bottom <= 2 * 128 / 3 + 1
    assert abs(left + right - 128) <= 1


def test_longer_words_get_wider_boxes() -> None:
    widths = [box_of(word)[2] - box_of(word)[0] for word in ("go", "river", "mountain")]
    assert widths == sorted(set(widths))


@pytest.mark.parametrize(
    ("word", "what"), [("naïve", "no token for 'ï'"), ("x" * 74, "is too long")]
)
def test_words_without_tokens_are_one_line(tokenizer: Any, word: str, what: str) -> None:
    with pytest.raises(UserError, match=what):
        compose(tokenizer, "a sign", word, 77)


def test_it_draws(drawing: DrawingEngine) -> None:
    (one,) = drawn(drawing, attempt("owl"))
    assert (one.image.mode, one.image.size) == ("RGB", (64, 64))
    assert one.making.method == "textdiffuser2"
    assert one.making.prompt_tokens == len('aroadsignthatsays"owl"') + 4 + 3
    assert (one.making.exact, one.making.batch, one.making.prompt_tokens_cut) == (True, 1, 0)
    assert drawing.provenance["steps"] == 2


def test_an_image_depends_on_its_attempt_alone(drawing: DrawingEngine) -> None:
    first, second = attempt("owl", 5), attempt("jazz", 6)
    together = [each.image.tobytes() for each in drawn(drawing, first, second)]
    backwards = [each.image.tobytes() for each in drawn(drawing, second, first)]
    assert together == backwards[::-1]
    # Another seed, another word, another negative prompt: another image.
    others = [
        attempt("owl", 7),
        attempt("jazz", 5, prompt=first.scene["prompt"]),
        attempt("owl", 5, negative_prompt="night"),
    ]
    images = {each.image.tobytes() for each in drawn(drawing, first, *others)}
    assert len(images) == 4


def test_batches_when_not_exact(weights: Path) -> None:
    both = drawn(engine(weights, exact=False), attempt("owl", 5), attempt("jazz", 6))
    assert [each.making.batch for each in both] == [2, 2]
    assert not both[0].making.exact


def test_beyond_their_native_size_images_are_scaled_up(
    weights: Path, drawing: DrawingEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(textdiffuser2, "NATIVE", 64)
    large = engine(weights, 136)
    (one,), (other,) = drawn(large, attempt("owl")), drawn(drawing, attempt("owl"))
    assert one.image.size == (136, 136)
    assert np.abs(np.asarray(one.image.resize((64, 64))).astype(int) - other.image).mean() < 8
    assert large.version == drawing.version


def test_the_tokenizer_of_stable_diffusion_gets_the_tokens(tmp_path: Path, drawing: Any) -> None:
    plain = tiny_diffusion.textdiffuser2(tmp_path / "plain", with_tokenizer=False)
    assert drawn(engine(plain), attempt("owl"))[0].image.tobytes() == (
        drawn(drawing, attempt("owl"))[0].image.tobytes()
    )


def test_other_weights_are_one_line(tmp_path: Path, weights: Path) -> None:
    with pytest.raises(UserError, match=r"text: model: there is no folder '.*gone'; give"):
        engine(tmp_path / "gone")
    plain = tiny_diffusion.sd15(tmp_path / "plain")
    with pytest.raises(UserError, match=r"text: model: the tokenizer of .* lacks .*'l0'"):
        engine(plain)
    with pytest.raises(UserError, match=r"text: model: .* is a StableDiffusionXLPipeline"):
        engine(tiny_diffusion.sdxl(tmp_path / "xl"))
    pickled = shutil.copytree(weights, tmp_path / "pickled")
    file = next((pickled / "unet").glob("*.safetensors"))
    file.rename(file.with_suffix(".bin"))
    with pytest.raises(UserError, match=r"text: model: .*unet") as error:
        engine(pickled)
    assert "\n" not in str(error.value)


def test_an_encoder_of_another_size_is_one_line(tokenizer: Any) -> None:
    with pytest.raises(UserError, match=r"has 2689 tokens .* knows 3000"):
        extend(tokenizer, 3000, "render.diffusion.text: model", "folder")
