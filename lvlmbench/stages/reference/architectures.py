"""What the reference models are made of, as open_clip's configurations.

Both have the same small text tower. Their image towers are of different families, so that an
attack on one tells something about transfer to the other.
"""

from __future__ import annotations

from typing import Any

from lvlmbench.core.errors import UserError
from lvlmbench.stages.reference.tokenizer import CONTEXT

#: Length of the vectors that images and texts are put into.
DIMENSIONS = 192

#: Mean and spread of the pixels of pictographs, a channel, of values from 0 to 1.
MEAN, STD = (0.48, 0.46, 0.41), (0.26, 0.25, 0.26)

_VISION: dict[str, dict[str, Any]] = {
    # OpenAI's ResNet for CLIP: antialiased strides, attention in place of a mean (Radford et al.,
    # 2021), here with one block a stage.
    "reference_a": {"layers": [1, 1, 1, 1], "width": 32, "head_width": 64},
    # timm's ResNet of ten layers with a tiered stem, and a mean over places.
    "reference_b": {
        "timm_model_name": "resnet10t",
        "timm_model_pretrained": False,
        "timm_pool": "avg",
        "timm_proj": "linear",
    },
}


def config(name: str, pixels: int, tokens: int) -> dict[str, Any]:
    """What open_clip_config.json holds for a model of this name.

    Raises
    ------
    UserError
        There is no such architecture.
    """
    if name not in _VISION:
        raise UserError(
            f"params.yaml: reference.models: {name}",
            "is not an architecture of ours",
            f"use some of: {', '.join(_VISION)}",
        )
    return {
        "model_cfg": {
            "embed_dim": DIMENSIONS,
            "vision_cfg": {**_VISION[name], "image_size": pixels},
            "text_cfg": {
                "context_length": CONTEXT,
                "vocab_size": tokens,
                "width": 128,
                "heads": 4,
                "layers": 2,
                "hf_tokenizer_name": "tokenizer.json",
            },
        },
        "preprocess_cfg": {
            "mean": MEAN,
            "std": STD,
            "interpolation": "bicubic",
            "resize_mode": "squash",
        },
    }
