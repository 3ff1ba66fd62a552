"""Stable Diffusion XL in its full size with random weights, for timing where none can be fetched.

The networks are those of stable-diffusion-xl-base-1.0. The tokenizers are not: a letter is a
token, so that prompts of up to 75 letters take what prompts of ordinary length take there.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lvlmbench.core import torchvision_hook
from support import tiny_diffusion

#: Numbers in each network, as published.
PARAMETERS = {
    "unet": 2_567_463_684,
    "text_encoder": 123_060_480,
    "text_encoder_2": 694_659_840,
    "vae": 83_653_863,
}


def sdxl_parts() -> dict[str, Any]:
    """The networks, on torch's default device and in its default precision."""
    torchvision_hook.install()
    from diffusers import AutoencoderKL, UNet2DConditionModel
    from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection

    ids = {"vocab_size": 49408, "bos_token_id": 0, "eos_token_id": 1, "pad_token_id": 1}
    large = CLIPTextConfig(
        hidden_size=768, intermediate_size=3072, num_hidden_layers=12, num_attention_heads=12,
        projection_dim=768, hidden_act="quick_gelu", **ids,
    )  # fmt: skip
    big_g = CLIPTextConfig(
        hidden_size=1280, intermediate_size=5120, num_hidden_layers=32, num_attention_heads=20,
        projection_dim=1280, hidden_act="gelu", **ids,
    )  # fmt: skip
    unet = UNet2DConditionModel(
        sample_size=128, in_channels=4, out_channels=4, block_out_channels=(320, 640, 1280),
        layers_per_block=2,
        down_block_types=("DownBlock2D", "CrossAttnDownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "CrossAttnUpBlock2D", "UpBlock2D"),
        transformer_layers_per_block=(1, 2, 10), attention_head_dim=(5, 10, 20),
        cross_attention_dim=2048, use_linear_projection=True, addition_embed_type="text_time",
        addition_time_embed_dim=256, projection_class_embeddings_input_dim=2816,
    )  # fmt: skip
    vae = AutoencoderKL(
        block_out_channels=(128, 256, 512, 512), layers_per_block=2, latent_channels=4,
        down_block_types=("DownEncoderBlock2D",) * 4, up_block_types=("UpDecoderBlock2D",) * 4,
        sample_size=1024, scaling_factor=0.13025, force_upcast=True,
    )  # fmt: skip
    return {
        "unet": unet,
        "text_encoder": CLIPTextModel(large),
        "text_encoder_2": CLIPTextModelWithProjection(big_g),
        "vae": vae,
    }


def sdxl(folder: Path, device: str = "cuda") -> Path:
    """Writes the pipeline in float16 (7 GB), made on a device that is fast at it; the folder."""
    import torch

    torch.manual_seed(0)
    precision = torch.get_default_dtype()
    torch.set_default_dtype(torch.float16)
    try:
        with torch.device(device):
            parts = sdxl_parts()
    finally:
        torch.set_default_dtype(precision)
    from diffusers import EulerDiscreteScheduler, StableDiffusionXLPipeline

    tokenizer = tiny_diffusion.clip_tokenizer()
    scheduler = EulerDiscreteScheduler(
        beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear", steps_offset=1,
        timestep_spacing="leading",
    )  # fmt: skip
    pipeline = StableDiffusionXLPipeline(
        **parts, tokenizer=tokenizer, tokenizer_2=tokenizer, scheduler=scheduler,
        add_watermarker=False,
    )  # fmt: skip
    pipeline.save_pretrained(folder, safe_serialization=True)
    return folder
