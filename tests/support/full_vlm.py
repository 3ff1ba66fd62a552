"""A vision-language model in full size with random weights, for timing where none can be fetched.

The networks are those of LLaVA 1.5 with seven billion numbers. The tokenizer is the tests': a
letter is a token.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lvlmbench.core import torchvision_hook
from support import tiny_vlm

#: Numbers in it, as published.
PARAMETERS = 7_063_427_072

_PATCH, _SIDE = 14, 336


def config(image_token: int) -> Any:
    """What the published model's config.json says, but for where an image stands."""
    import transformers

    return transformers.LlavaConfig(
        vision_config={
            "model_type": "clip_vision_model", "hidden_size": 1024, "intermediate_size": 4096,
            "num_hidden_layers": 24, "num_attention_heads": 16, "image_size": _SIDE,
            "patch_size": _PATCH, "projection_dim": 768,
        },
        text_config={
            "model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008,
            "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 32,
            "vocab_size": 32064, "max_position_embeddings": 4096, "rms_norm_eps": 1e-5,
            "bos_token_id": 1, "eos_token_id": 2, "pad_token_id": 0,
        },
        image_token_index=image_token, tie_word_embeddings=False,
    )  # fmt: skip


def processor() -> Any:
    """Cuts a square of 336 pixels out of an image, which stands for 576 tokens."""
    import transformers

    library: Any = transformers
    tiny = tiny_vlm.processor("llava")
    return library.LlavaProcessor(
        library.CLIPImageProcessor(
            size={"shortest_edge": _SIDE}, crop_size={"height": _SIDE, "width": _SIDE}
        ),
        tiny.tokenizer,
        patch_size=_PATCH,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=tiny.chat_template,
    )


def save(folder: Path, device: str = "cuda") -> Path:
    """Writes the model in bfloat16 (14 GB), made on a device that is fast at it; the folder."""
    torchvision_hook.install()
    import torch
    import transformers

    reads = processor()
    about = config(reads.tokenizer.convert_tokens_to_ids("<image>"))
    torch.manual_seed(0)
    precision = torch.get_default_dtype()
    torch.set_default_dtype(torch.bfloat16)
    try:
        with torch.device(device):
            made = transformers.LlavaForConditionalGeneration(about)
    finally:
        torch.set_default_dtype(precision)
    made.save_pretrained(folder)
    reads.save_pretrained(folder)
    return folder
