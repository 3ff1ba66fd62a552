"""The diffusion renderer on a tiny SDXL with random weights: the real pipeline, no download."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

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
    from lvlmbench import torchvision_hook

    torchvision_hook.install()
    import torch
    from diffusers import (
        AutoencoderKL,
        EulerDiscreteScheduler,
        StableDiffusionXLPipeline,
        UNet2DConditionModel,
    )
    from transformers import (
        CLIPTextConfig,
        CLIPTextModel,
        CLIPTextModelWithProjection,
        CLIPTokenizer,
    )

    torch.manual_seed(0)
    letters = [chr(c) for c in range(ord("a"), ord("z") + 1)]
    tokens = ["<|startoftext|>", "<|endoftext|>", *letters, *(f"{c}</w>" for c in letters)]
    vocabulary = {token: i for i, token in enumerate(tokens)}
    tokenizer = CLIPTokenizer(vocab=vocabulary, merges=[], model_max_length=77)
    config = CLIPTextConfig(
        vocab_size=len(tokens), hidden_size=32, intermediate_size=37, num_hidden_layers=2,
        num_attention_heads=4, projection_dim=32, bos_token_id=0, eos_token_id=1, pad_token_id=1,
        hidden_act="gelu",
    )  # fmt: skip
    unet = UNet2DConditionModel(
        block_out_channels=(32, 64), layers_per_block=1, sample_size=8, in_channels=4,
        out_channels=4, down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"), attention_head_dim=(2, 4),
        use_linear_projection=True, addition_embed_type="text_time",
        addition_time_embed_dim=8, transformer_layers_per_block=(1, 1),
        projection_class_embeddings_input_dim=6 * 8 + 32, cross_attention_dim=64,
        norm_num_groups=8,
    )  # fmt: skip
    vae = AutoencoderKL(
        block_out_channels=[16, 16, 16, 16], in_channels=3, out_channels=3, latent_channels=4,
        down_block_types=["DownEncoderBlock2D"] * 4, up_block_types=["UpDecoderBlock2D"] * 4,
        sample_size=64, norm_num_groups=8,
    )  # fmt: skip
    pipeline = StableDiffusionXLPipeline(
        vae=vae, text_encoder=CLIPTextModel(config),
        text_encoder_2=CLIPTextModelWithProjection(config), tokenizer=tokenizer,
        tokenizer_2=tokenizer, unet=unet, scheduler=EulerDiscreteScheduler(),
        force_zeros_for_empty_prompt=False, add_watermarker=False,
    )  # fmt: skip
    folder = tmp_path_factory.mktemp("sdxl")
    pipeline.save_pretrained(folder, safe_serialization=True)
    return folder


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
