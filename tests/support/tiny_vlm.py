"""Tiny vision-language models for tests: random weights, a tokenizer of letters, a chat template.

Three ways to put an image among tokens: ``llava`` has as many tokens for every image, ``qwen2_vl``
as many as its pixels ask for, with positions in three dimensions, ``idefics3`` cuts it into tiles.
"""

from __future__ import annotations

import hashlib
import io
import string
from pathlib import Path
from typing import Any, Literal

import numpy as np
from PIL import Image

from lvlmbench.core import torchvision_hook
from lvlmbench.scene.templates import load_templates
from lvlmbench.stages.answer.engine import Item
from lvlmbench.suites.instructions import prompt_for

Family = Literal["llava", "qwen2_vl", "idefics3"]
FAMILIES: tuple[Family, ...] = ("llava", "qwen2_vl", "idefics3")

_SPECIAL = ("<pad>", "<s>", "</s>", "<|user|>", "<|assistant|>", "<image>")
_EXTRA: dict[Family, tuple[str, ...]] = {
    "llava": (),
    "qwen2_vl": ("<|image_pad|>", "<|video_pad|>", "<|vision_start|>", "<|vision_end|>"),
    "idefics3": (
        "<fake_token_around_image>",
        "<end_of_utterance>",
        "<global-img>",
        *(f"<row_{i + 1}_col_{j + 1}>" for i in range(6) for j in range(6)),
    ),
}
_IMAGE: dict[Family, str] = {
    "llava": "<image>",
    "qwen2_vl": "<|vision_start|><|image_pad|><|vision_end|>",
    "idefics3": "<image>",
}
_TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}<|{{ message.role }}|>"
    "{% for part in message.content %}"
    "{% if part.type == 'image' %}IMAGE{% else %}{{ part.text }}{% endif %}"
    "{% endfor %}{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}"
)

#: Wide enough for answers to differ from image to image, though the weights say nothing.
_SPREAD = 0.3
_VISION: dict[str, Any] = {
    "hidden_size": 16,
    "intermediate_size": 24,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "initializer_range": _SPREAD,
}
_TEXT: dict[str, Any] = {
    "hidden_size": 32,
    "intermediate_size": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "num_key_value_heads": 2,
    "max_position_embeddings": 2048,
    "initializer_range": _SPREAD,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}


def tokenizer(family: Family) -> Any:
    """One token a byte, and one for each capital letter behind a space."""
    import tokenizers
    from tokenizers import decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = [*_SPECIAL, *_EXTRA[family], *sorted(pre_tokenizers.ByteLevel.alphabet())]
    letters = [chr(ord("A") + i) for i in range(26)]
    words += [f"Ġ{letter}" for letter in letters]
    made = tokenizers.Tokenizer(
        models.BPE(
            vocab={word: i for i, word in enumerate(words)},
            merges=[("Ġ", letter) for letter in letters],
        )
    )
    made.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    made.decoder = decoders.ByteLevel()
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        additional_special_tokens=[*_SPECIAL[3:], *_EXTRA[family]],
    )


def processor(family: Family) -> Any:
    """Tokenizer, image processor and chat template in one."""
    torchvision_hook.install()
    import transformers

    library: Any = transformers
    template = _TEMPLATE.replace("IMAGE", _IMAGE[family])
    words = tokenizer(family)
    if family == "llava":
        return library.LlavaProcessor(
            library.CLIPImageProcessor(
                size={"shortest_edge": 24}, crop_size={"height": 24, "width": 24}
            ),
            words,
            patch_size=8,
            vision_feature_select_strategy="default",
            num_additional_image_tokens=1,
            chat_template=template,
        )
    if family == "qwen2_vl":
        pixels: dict[str, Any] = {
            "patch_size": 8,
            "merge_size": 2,
            "min_pixels": 16 * 16,
            "max_pixels": 64 * 64,
        }
        return library.Qwen2VLProcessor(
            library.Qwen2VLImageProcessor(**pixels),
            words,
            library.Qwen2VLVideoProcessor(**pixels),
            chat_template=template,
        )
    return library.Idefics3Processor(
        library.Idefics3ImageProcessor(
            size={"longest_edge": 64}, max_image_size={"longest_edge": 32}
        ),
        words,
        image_seq_len=4,
        chat_template=template,
    )


def _qwen(words: Any) -> Any:
    """A Qwen2-VL that has these words."""
    import transformers

    named = {
        f"{key}_token_id": words.convert_tokens_to_ids(f"<|{token}|>")
        for key, token in (
            ("image", "image_pad"),
            ("video", "video_pad"),
            ("vision_start", "vision_start"),
            ("vision_end", "vision_end"),
        )
    }
    return transformers.Qwen2VLForConditionalGeneration(
        transformers.Qwen2VLConfig(
            vision_config={
                "embed_dim": 16,
                "hidden_size": 32,
                "depth": 2,
                "num_heads": 2,
                "mlp_ratio": 2,
                "patch_size": 8,
                "spatial_merge_size": 2,
                "initializer_range": _SPREAD,
            },
            text_config={
                **_TEXT,
                "vocab_size": len(words),
                "rope_parameters": {
                    "rope_type": "default",
                    "rope_theta": 10000.0,
                    "mrope_section": [1, 1, 2],
                },
            },
            **named,
        )
    )


def model(family: Family, seed: int) -> Any:
    """The model, as it comes from this seed."""
    torchvision_hook.install()
    import torch
    import transformers

    words = tokenizer(family)
    size = len(words)
    torch.manual_seed(seed)
    if family == "llava":
        return transformers.LlavaForConditionalGeneration(
            transformers.LlavaConfig(
                vision_config={
                    "model_type": "clip_vision_model",
                    **_VISION,
                    "image_size": 24,
                    "patch_size": 8,
                },
                text_config={"model_type": "llama", **_TEXT, "vocab_size": size},
                image_token_index=words.convert_tokens_to_ids("<image>"),
            )
        )
    if family == "qwen2_vl":
        return _qwen(words)
    return transformers.Idefics3ForConditionalGeneration(
        transformers.Idefics3Config(
            vision_config={**_VISION, "image_size": 32, "patch_size": 8},
            text_config={"model_type": "llama", **_TEXT, "vocab_size": size},
            image_token_id=words.convert_tokens_to_ids("<image>"),
            scale_factor=2,
        )
    )


def save(folder: Path, family: Family, seed: int = 0) -> Path:
    """A folder as ``save_pretrained`` of model and processor leaves it.

    Its generation settings ask for sampling, as those of most published models do, and small
    letters end its answers, so that some are shorter than others.
    """
    words = tokenizer(family)
    made = model(family, seed)
    made.generation_config.update(
        do_sample=True,
        temperature=0.7,
        top_k=20,
        repetition_penalty=1.5,
        eos_token_id=[2, *words.convert_tokens_to_ids(list(string.ascii_lowercase))],
    )
    made.save_pretrained(folder)
    processor(family).save_pretrained(folder)
    return folder


def items(n: int, seed: int = 0) -> list[Item]:
    """Questions of all types and many lengths about images of three sizes; some have no image."""
    draw = np.random.default_rng(seed)
    sides = ((48, 48), (64, 40), (48, 96))
    made = []
    for i in range(n):
        options = tuple(f"thing {j}" * (1 + i % 3) for j in range(2 + i % 3)) if i % 5 else ()
        kind = "multiple_choice" if options else "free_form"
        question = "What is there? " * (1 + i % 4)
        image = None
        if i % 4 != 3:
            shape = (*sides[i % 3], 3)
            buffer = io.BytesIO()
            Image.fromarray(draw.integers(0, 256, shape, dtype=np.uint8)).save(buffer, "PNG")
            image = buffer.getvalue()
        made.append(
            Item(
                question_id=f"q{i:03}",
                scene_id=f"s{i:03}",
                subtask="animal",
                question_type=kind,
                question=question,
                options=options,
                prompt=prompt_for(load_templates().instructions, kind, question, options),
                image=image,
                image_id=None if image is None else f"i{i:03}",
                image_sha256=None if image is None else hashlib.sha256(image).hexdigest(),
            )
        )
    return made
