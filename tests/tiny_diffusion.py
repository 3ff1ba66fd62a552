"""Pipelines of diffusers with random weights, small enough to be made by a test."""

from __future__ import annotations

from pathlib import Path


def sdxl(folder: Path) -> Path:
    """Writes an SDXL of a few thousand parameters, which draws 64 pixels and more; the folder."""
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
    pipeline.save_pretrained(folder, safe_serialization=True)
    return folder
