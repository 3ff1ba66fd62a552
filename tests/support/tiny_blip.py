"""Tiny InstructBLIP and BLIP-2 for tests: random weights, whole or the vision tower alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from lvlmbench.core import torchvision_hook

Family = Literal["instructblip", "blip-2"]
FAMILIES: tuple[Family, ...] = ("instructblip", "blip-2")

#: What both families normalize with.
MEAN_STD = ((0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711))

#: Side of the images that they read.
SIDE = 32

_VISION: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "image_size": SIDE,
    "patch_size": 8,
    "initializer_range": 0.2,  # as much as trained weights spread
}
_QFORMER: dict[str, Any] = {
    "vocab_size": 30,
    "hidden_size": 16,
    "intermediate_size": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "encoder_hidden_size": 32,
}
_TEXT: dict[str, Any] = {
    "model_type": "opt",
    "vocab_size": 40,
    "hidden_size": 16,
    "ffn_dim": 16,
    "num_hidden_layers": 1,
    "num_attention_heads": 2,
    "word_embed_proj_dim": 16,
    "max_position_embeddings": 20,
}


def model(family: Family, seed: int) -> Any:
    """The whole model, as it comes from this seed."""
    torchvision_hook.install()
    import torch
    import transformers

    if family == "instructblip":
        config: Any = transformers.InstructBlipConfig
        architecture: Any = transformers.InstructBlipForConditionalGeneration
    else:
        config = transformers.Blip2Config
        architecture = transformers.Blip2ForConditionalGeneration
    torch.manual_seed(seed)
    return architecture(
        config(
            vision_config=dict(_VISION),
            qformer_config=dict(_QFORMER),
            text_config=dict(_TEXT),
            num_query_tokens=2,
        )
    )


def save(folder: Path, family: Family, *, whole: bool = True, seed: int = 0) -> Path:
    """A folder as ``save_pretrained`` leaves it, of the whole model or its vision tower."""
    made = model(family, seed)
    (made if whole else made.vision_model).save_pretrained(folder)
    return folder
