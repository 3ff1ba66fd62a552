"""Pipelines of diffusers with random weights, small enough to be made by a test.

Each writes a folder that ``AutoPipelineForText2Image`` (or the img2img one, for the refiner)
loads, in well under a second, and draws 64 pixels and more. Their tokenizers know every byte, so
that different texts give different images; a letter is a token.
"""

from __future__ import annotations

import string
from pathlib import Path
from typing import Any

_BEGIN, _END = "<|startoftext|>", "<|endoftext|>"


def _modules() -> tuple[Any, Any, Any]:
    """torch, diffusers and transformers, with the random numbers at their start."""
    from lvlmbench.core import torchvision_hook

    torchvision_hook.install()
    import diffusers
    import torch
    import transformers

    torch.manual_seed(0)
    return torch, diffusers, transformers


def clip_tokenizer() -> Any:
    """CLIP's tokenizer without merges: a token for each byte, alone or at the end of a word."""
    from tokenizers.pre_tokenizers import ByteLevel
    from transformers import CLIPTokenizer

    letters = sorted(ByteLevel.alphabet())
    tokens = [_BEGIN, _END, *letters, *(f"{letter}</w>" for letter in letters)]
    vocabulary = {token: i for i, token in enumerate(tokens)}
    return CLIPTokenizer(vocab=vocabulary, merges=[], model_max_length=77)


def t5_tokenizer() -> Any:
    """T5's tokenizer with a piece for each printable character."""
    from transformers import T5Tokenizer

    pieces = [("<pad>", 0.0), ("</s>", 0.0), ("<unk>", 0.0), ("▁", -2.0)]
    letters = [c for c in string.printable if not c.isspace()]
    pieces += [(letter, -3.0) for letter in letters]
    return T5Tokenizer(vocab=pieces, extra_ids=0, model_max_length=512)


def _clip(with_projection: bool) -> Any:
    """A CLIP text encoder of width 32."""
    from transformers import CLIPTextConfig, CLIPTextModel, CLIPTextModelWithProjection

    config = CLIPTextConfig(
        vocab_size=514, hidden_size=32, intermediate_size=37, num_hidden_layers=2,
        num_attention_heads=4, projection_dim=32, bos_token_id=0, eos_token_id=1, pad_token_id=1,
        hidden_act="gelu",
    )  # fmt: skip
    return (CLIPTextModelWithProjection if with_projection else CLIPTextModel)(config)


def _t5(width: int) -> Any:
    from transformers import T5Config, T5EncoderModel

    config = T5Config(
        vocab_size=128, d_model=width, d_kv=8, d_ff=37, num_layers=2, num_heads=4,
        feed_forward_proj="gated-gelu", pad_token_id=0, eos_token_id=1,
    )  # fmt: skip
    return T5EncoderModel(config)


def _vae(**options: Any) -> Any:
    _, diffusers, _ = _modules()
    return diffusers.AutoencoderKL(
        block_out_channels=[16, 16, 16, 16], in_channels=3, out_channels=3, latent_channels=4,
        down_block_types=["DownEncoderBlock2D"] * 4, up_block_types=["UpDecoderBlock2D"] * 4,
        sample_size=64, norm_num_groups=8, **options,
    )  # fmt: skip


def _unet(**options: Any) -> Any:
    _, diffusers, _ = _modules()
    return diffusers.UNet2DConditionModel(
        block_out_channels=(32, 64), layers_per_block=1, sample_size=8, in_channels=4,
        out_channels=4, down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
        up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"), norm_num_groups=8, **options,
    )  # fmt: skip


def _xl_unet(time_ids: int, cross_attention: int) -> Any:
    return _unet(
        attention_head_dim=(2, 4), use_linear_projection=True, addition_embed_type="text_time",
        addition_time_embed_dim=8, transformer_layers_per_block=(1, 1),
        projection_class_embeddings_input_dim=time_ids * 8 + 32,
        cross_attention_dim=cross_attention,
    )  # fmt: skip


def sdxl(folder: Path, **options: Any) -> Path:
    """Writes an SDXL base; `options` are the pipeline's. The folder."""
    _, diffusers, _ = _modules()
    tokenizer = clip_tokenizer()
    pipeline = diffusers.StableDiffusionXLPipeline(
        vae=_vae(), text_encoder=_clip(False), text_encoder_2=_clip(True), tokenizer=tokenizer,
        tokenizer_2=tokenizer, unet=_xl_unet(6, 64),
        scheduler=diffusers.EulerDiscreteScheduler(),
        **{"force_zeros_for_empty_prompt": False, "add_watermarker": False, **options},
    )  # fmt: skip
    pipeline.save_pretrained(folder, safe_serialization=True)
    return folder


def sdxl_refiner(folder: Path) -> Path:
    """Writes an SDXL refiner: the second text encoder alone, aesthetic score; the folder."""
    _, diffusers, _ = _modules()
    pipeline = diffusers.StableDiffusionXLImg2ImgPipeline(
        vae=_vae(), text_encoder=None, text_encoder_2=_clip(True), tokenizer=None,
        tokenizer_2=clip_tokenizer(), unet=_xl_unet(5, 32),
        scheduler=diffusers.EulerDiscreteScheduler(), requires_aesthetics_score=True,
        force_zeros_for_empty_prompt=False, add_watermarker=False,
    )  # fmt: skip
    pipeline.save_pretrained(folder, safe_serialization=True)
    return folder


def sd15(folder: Path, **unet: Any) -> Path:
    """Writes a Stable Diffusion 1.5 without safety checker; the folder."""
    _, diffusers, _ = _modules()
    pipeline = diffusers.StableDiffusionPipeline(
        vae=_vae(), text_encoder=_clip(False), tokenizer=clip_tokenizer(),
        unet=_unet(attention_head_dim=4, cross_attention_dim=32, **unet),
        scheduler=diffusers.DDIMScheduler(
            beta_start=0.00085, beta_end=0.012, beta_schedule="scaled_linear",
            clip_sample=False, set_alpha_to_one=False, steps_offset=1,
        ),
        safety_checker=None, feature_extractor=None, requires_safety_checker=False,
    )  # fmt: skip
    pipeline.save_pretrained(folder, safe_serialization=True)
    return folder


def textdiffuser2(folder: Path, with_tokenizer: bool = True) -> Path:
    """Writes a TextDiffuser-2: its encoder, and maybe its tokenizer, knows the added tokens."""
    sd15(folder)
    from transformers import CLIPTextModel, CLIPTokenizer

    from lvlmbench.stages.render.kinds.diffusion.text.layout_tokens import ADDED

    tokenizer = CLIPTokenizer.from_pretrained(folder / "tokenizer")
    tokenizer.add_tokens(list(ADDED))
    encoder = CLIPTextModel.from_pretrained(folder / "text_encoder")
    encoder.resize_token_embeddings(len(tokenizer))
    encoder.save_pretrained(folder / "text_encoder")
    if with_tokenizer:
        tokenizer.save_pretrained(folder / "tokenizer")
    return folder


def sd3(folder: Path, t5: bool = True) -> Path:
    """Writes a Stable Diffusion 3; the folder.

    Without its third text encoder it loads with ``text_encoder_3=None, tokenizer_3=None``.
    """
    _, diffusers, _ = _modules()
    tokenizer = clip_tokenizer()
    pipeline = diffusers.StableDiffusion3Pipeline(
        transformer=diffusers.SD3Transformer2DModel(
            sample_size=8, patch_size=2, in_channels=4, out_channels=4, num_layers=1,
            attention_head_dim=8, num_attention_heads=4, joint_attention_dim=64,
            caption_projection_dim=32, pooled_projection_dim=64,
        ),
        scheduler=diffusers.FlowMatchEulerDiscreteScheduler(shift=3.0),
        vae=_vae(shift_factor=0.0609, scaling_factor=1.5305),
        text_encoder=_clip(True), tokenizer=tokenizer,
        text_encoder_2=_clip(True), tokenizer_2=tokenizer,
        text_encoder_3=_t5(64) if t5 else None, tokenizer_3=t5_tokenizer() if t5 else None,
    )  # fmt: skip
    pipeline.save_pretrained(folder, safe_serialization=True)
    return folder


def flux(folder: Path, guidance_embeds: bool = True) -> Path:
    """Writes a FLUX, with embedded guidance (dev) or without (schnell); the folder."""
    _, diffusers, _ = _modules()
    pipeline = diffusers.FluxPipeline(
        transformer=diffusers.FluxTransformer2DModel(
            patch_size=1, in_channels=16, num_layers=1, num_single_layers=1,
            attention_head_dim=16, num_attention_heads=2, joint_attention_dim=32,
            pooled_projection_dim=32, axes_dims_rope=(4, 4, 8), guidance_embeds=guidance_embeds,
        ),
        scheduler=diffusers.FlowMatchEulerDiscreteScheduler(
            shift=3.0, use_dynamic_shifting=True
        ),
        vae=_vae(shift_factor=0.1159, scaling_factor=0.3611),
        text_encoder=_clip(False), tokenizer=clip_tokenizer(),
        text_encoder_2=_t5(32), tokenizer_2=t5_tokenizer(),
    )  # fmt: skip
    pipeline.save_pretrained(folder, safe_serialization=True)
    return folder
