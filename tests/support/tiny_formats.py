"""Tiny models that are asked in a named format: random weights, a tokenizer of letters, and no
chat template.

Their weights are spread so wide that what they say depends on image and prompt.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from lvlmbench.core import torchvision_hook
from support.tiny_vlm import _SPREAD, _TEXT, _VISION

#: Query tokens of the Q-Formers, and the side of all images.
QUERIES, SIDE = 3, 24

_TOKENS = ("<pad>", "<s>", "</s>", "<unk>", "<image>")
_CLIP = {"model_type": "clip_vision_model", **_VISION, "image_size": SIDE, "patch_size": 8}
_EYES = {**_VISION, "image_size": SIDE, "patch_size": 8}
_QFORMER: dict[str, Any] = {
    "hidden_size": 16,
    "intermediate_size": 16,
    "num_hidden_layers": 2,
    "num_attention_heads": 2,
    "encoder_hidden_size": 16,
    "cross_attention_frequency": 1,
    "max_position_embeddings": 1024,
    "initializer_range": _SPREAD,
}
_OPT: dict[str, Any] = {
    "model_type": "opt",
    "hidden_size": 32,
    "ffn_dim": 48,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "word_embed_proj_dim": 32,
    "max_position_embeddings": 1024,
    "init_std": _SPREAD,
    "bos_token_id": 1,
    "eos_token_id": 2,
    "pad_token_id": 0,
}
_T5: dict[str, Any] = {
    "model_type": "t5",
    "d_model": 32,
    "d_kv": 8,
    "d_ff": 48,
    "num_layers": 2,
    "num_heads": 4,
    "feed_forward_proj": "gated-gelu",
    "tie_word_embeddings": False,
    "initializer_factor": 2.0,
    "decoder_start_token_id": 0,
    "eos_token_id": 2,
    "pad_token_id": 0,
}
_MISTRAL = {"model_type": "mistral", **_TEXT}
_LLAMA = {"model_type": "llama", **_TEXT}

#: Name of a tiny model -> (family, language model).
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "llava": ("llava", _LLAMA),
    "llava_next_vicuna": ("llava_next", _LLAMA),
    "llava_next_mistral": ("llava_next", _MISTRAL),
    "blip2_opt": ("blip-2", _OPT),
    "blip2_t5": ("blip-2", _T5),
    "instructblip_vicuna": ("instructblip", _LLAMA),
    "instructblip_t5": ("instructblip", _T5),
    "paligemma": ("paligemma", {"model_type": "gemma", **_TEXT, "head_dim": 8}),
}


def tokenizer(*, t5: bool) -> Any:
    """One token a byte; T5's puts ``</s>`` behind a text, the others ``<s>`` before it."""
    import tokenizers
    from tokenizers import decoders, models, pre_tokenizers, processors
    from transformers import PreTrainedTokenizerFast

    words = [*_TOKENS, *sorted(pre_tokenizers.ByteLevel.alphabet())]
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
    made.post_processor = processors.TemplateProcessing(
        single="$A </s>" if t5 else "<s> $A", special_tokens=[("<s>", 1), ("</s>", 2)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=made,
        bos_token="<s>",
        eos_token="</s>",
        pad_token="<pad>",
        unk_token="<unk>",
        additional_special_tokens=["<image>"],
    )


def _processor(family: str, words: Any) -> Any:
    import transformers

    library: Any = transformers
    square = {"height": SIDE, "width": SIDE}
    if family in ("blip-2", "instructblip"):
        eyes = library.BlipImageProcessor(size=square)
        if family == "blip-2":
            return library.Blip2Processor(eyes, words, num_query_tokens=QUERIES)
        return library.InstructBlipProcessor(
            eyes, words, tokenizer(t5=False), num_query_tokens=QUERIES
        )
    if family == "paligemma":
        eyes = library.SiglipImageProcessor(size=square)
        eyes.image_seq_length = (SIDE // 8) ** 2
        return library.PaliGemmaProcessor(eyes, words)
    size: dict[str, Any] = {"size": {"shortest_edge": SIDE}, "crop_size": square}
    how: dict[str, Any] = {
        "patch_size": 8,
        "vision_feature_select_strategy": "default",
        "num_additional_image_tokens": 1,
    }
    if family == "llava":
        return library.LlavaProcessor(library.CLIPImageProcessor(**size), words, **how)
    grids = [[SIDE, 2 * SIDE], [2 * SIDE, SIDE], [2 * SIDE, 2 * SIDE]]
    eyes = library.LlavaNextImageProcessor(**size, image_grid_pinpoints=grids)
    return library.LlavaNextProcessor(eyes, words, **how)


def _model(family: str, text: dict[str, Any], words: Any) -> Any:
    import transformers

    library: Any = transformers
    image, text = words.convert_tokens_to_ids("<image>"), {**text, "vocab_size": len(words)}
    if family == "paligemma":
        config = library.PaliGemmaConfig(
            vision_config={"model_type": "siglip_vision_model", **_EYES, "vision_use_head": False},
            text_config=text,
            image_token_index=image,
            projection_dim=32,
            hidden_size=32,
            vocab_size=len(words),
        )
        return library.PaliGemmaForConditionalGeneration(config)
    if family == "llava":
        config = library.LlavaConfig(vision_config=_CLIP, text_config=text, image_token_index=image)
        return library.LlavaForConditionalGeneration(config)
    if family == "llava_next":
        config = library.LlavaNextConfig(
            vision_config=_CLIP,
            text_config=text,
            image_token_index=image,
            image_grid_pinpoints=[[SIDE, 2 * SIDE], [2 * SIDE, SIDE], [2 * SIDE, 2 * SIDE]],
        )
        return library.LlavaNextForConditionalGeneration(config)
    settings: dict[str, Any] = {
        "vision_config": _EYES,
        "qformer_config": {**_QFORMER, "vocab_size": len(words)},
        "text_config": text,
        "num_query_tokens": QUERIES,
        "image_token_index": image,
        "initializer_range": _SPREAD,
    }
    if family == "blip-2":
        return library.Blip2ForConditionalGeneration(library.Blip2Config(**settings))
    return library.InstructBlipForConditionalGeneration(library.InstructBlipConfig(**settings))


def ends(words: Any) -> list[int]:
    """The tokens that end an answer: so many that some are shorter than others."""
    return [2, *range(5, len(words), 7)]


def save(folder: Path, name: str, seed: int = 0) -> Path:
    """A folder as ``save_pretrained`` of model and processor leaves it."""
    torchvision_hook.install()
    import torch

    family, text = MODELS[name]
    words = tokenizer(t5=text is _T5)
    torch.manual_seed(seed)
    processor = _processor(family, words)  # some add words
    made = _model(family, text, words)
    if hasattr(made, "query_tokens"):  # made of zeros
        torch.nn.init.normal_(made.query_tokens, std=1.0)
    # What it ends with is the language model's own affair where that speaks for itself.
    made.generation_config.update(do_sample=True, temperature=0.7, repetition_penalty=1.5)
    if family in ("blip-2", "instructblip"):
        made.config.text_config.eos_token_id = ends(words)
    else:
        made.generation_config.eos_token_id = ends(words)
    made.save_pretrained(folder)
    processor.save_pretrained(folder)
    return folder
