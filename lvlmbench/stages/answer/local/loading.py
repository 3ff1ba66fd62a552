"""A vision-language model of transformers, ready to be asked: where it runs, in which precision."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from lvlmbench.core import devices, gpus, torchvision_hook
from lvlmbench.core.checkpoints import check_checkpoint, reason
from lvlmbench.core.devices import Place, out_of_memory
from lvlmbench.core.errors import UserError
from lvlmbench.core.weights import hub_error
from lvlmbench.stages.answer.local import files
from lvlmbench.stages.answer.local.files import GIVE, check_place, folder_of
from lvlmbench.stages.answer.local.format import FormatKind, check_name, choose, may_need_one
from lvlmbench.stages.answer.local.prompting import Prompting, Said, prompting
from lvlmbench.stages.answer.local.settings import LocalWeights

_NEWER = (
    "fetch the repository's newest revision, whose processor_config.json fits transformers 5, or "
    "save the processor anew (save_pretrained) with what it lacks"
)


@dataclass(frozen=True)
class Loaded:
    """A model and its processor, on the device, and how it is asked."""

    model: Any
    processor: Any
    place: Place
    prompting: Prompting


def is_encoder_decoder(config: Any) -> bool:
    """Return whether a model's language model reads with one half and speaks with the other."""
    text = config.get_text_config(decoder=True)
    return bool(config.is_encoder_decoder or text.is_encoder_decoder)


def _check_attention(settings: LocalWeights, place: Place, where: str) -> None:
    if settings.attention != "flash_attention_2":
        return
    key = f"{where}: attention"
    if place.device == "cpu" or place.dtype == "float32":
        what = "flash_attention_2 computes on GPUs in bfloat16 or float16 alone"
        raise UserError(key, what, "write 'sdpa' or 'auto'")
    from transformers.utils.import_utils import is_flash_attn_2_available

    if not is_flash_attn_2_available():
        fix = "run 'pip install flash-attn --no-build-isolation', or write 'sdpa'"
        raise UserError(key, "the package flash-attn is not installed", fix)


def _check_weights(folder: Path, place: Place, where: str) -> None:
    """The files are whole, and what they hold has room in memory."""
    from safetensors import safe_open

    numbers = 0
    for file in sorted(folder.glob("*.safetensors")):
        check_checkpoint(file, f"{where}: model", "fetch it again")
        with safe_open(file, framework="pt") as opened:
            names = opened.keys()
            numbers += sum(math.prod(opened.get_slice(name).get_shape()) for name in names)
    needed, free = numbers * devices.BYTES[place.dtype], devices.free_memory()
    if place.device == "cpu" and free is not None and needed > free:
        raise UserError(
            f"{where}: model",
            f"its weights take {needed / 2**30:.1f} GiB in {place.dtype}, and "
            f"{free / 2**30:.1f} GiB of memory are free",
            "write 'dtype: bfloat16', free some memory, or take a smaller model",
        )


def load(
    settings: LocalWeights,
    commit: str | None,
    place: Place,
    where: str,
    waiting: Callable[[], None],
) -> Loaded:
    """Model and processor, from safetensors alone and without code of the repository.

    Parameters
    ----------
    commit
        Commit of the hub's repository; None for a folder.
    waiting
        Called before it waits for a GPU.

    Raises
    ------
    UserError
        The weights or the processor cannot be found or read, are of another kind, lack something
        or have no room in memory.
    """
    check_place(settings, where)
    _check_attention(settings, place, where)
    folder = folder_of(settings)
    if folder is not None:
        _check_weights(folder, place, where)
    if place.device == "cuda":
        import torch

        gpus.take(gpus.visible(), waiting)
        torch.backends.cudnn.allow_tf32 = False  # float32 is to be float32
        torch.backends.cudnn.deterministic = True
    with _reading(settings, where):
        config = _config(settings, commit, where)
        processor = _processor(settings, commit, where)
        kind = choose(settings.format, settings.model, config, _has_template(processor), where)
        _set_padding(processor.tokenizer, config)
        asked = prompting(processor, kind)
        if kind is None:
            _check_template(processor, settings, where)
        _check_image(asked, kind, config, settings, where)
        model = _model(settings, commit, config, place, where)
    return Loaded(model, processor, place, asked)


def format_of(settings: LocalWeights, commit: str | None, where: str) -> FormatKind | None:
    """Return the format in which a model is asked; None: its chat template is used, if any.

    Only what it needs for this is read, and of most models that is ``config.json`` alone.

    Raises
    ------
    UserError
        There is no such format, or the model's files cannot be read.
    """
    named = check_name(settings.format, where)
    if named is not None:
        return named
    with _reading(settings, where):
        if not may_need_one(files.model_type(settings, commit)):
            return None
        config = _config(settings, commit, where)
        has_template = _has_template(_processor(settings, commit, where))
        return choose(settings.format, settings.model, config, has_template, where)


@contextmanager
def _reading(settings: LocalWeights, where: str) -> Iterator[None]:
    """What a model's files run into is one line."""
    torchvision_hook.install()
    # The hub would be asked for a copy of a repository's pickles, of another commit.
    os.environ.setdefault("DISABLE_SAFETENSORS_CONVERSION", "1")
    from lvlmbench.core.transformers_hush import quiet_transformers

    try:
        with quiet_transformers():
            yield
    except UserError:
        raise
    # Files that are missing, cut off or of another model end in whatever their readers run into.
    except Exception as error:
        raise _reading_error(settings, where, error) from None


def _source(settings: LocalWeights, commit: str | None) -> tuple[str, dict[str, Any]]:
    """What ``from_pretrained`` is to read, and how."""
    if (folder := folder_of(settings)) is not None:
        return str(folder), {"trust_remote_code": False, "local_files_only": True}
    return settings.model, {"trust_remote_code": False, "revision": commit}


def _processor(settings: LocalWeights, commit: str | None, where: str) -> Any:
    """Image processor and tokenizer in one; its chat template may be the tokenizer's."""
    import transformers

    name, options = _source(settings, commit)
    auto: Any = transformers.AutoProcessor
    processor = auto.from_pretrained(name, **options)
    # Where a folder holds but one of the two, that is what comes.
    for part, needed in (
        ("image_processor", "preprocessor_config.json or processor_config.json"),
        ("tokenizer", "tokenizer.json and tokenizer_config.json"),
    ):
        if getattr(processor, part, None) is None:
            what = f"'{settings.model}' holds no {part.replace('_', ' ')}"
            raise UserError(f"{where}: model", what, f"put the model's {needed} there")
    if not _has_template(processor):
        processor.chat_template = processor.tokenizer.chat_template
    return processor


def _has_template(processor: Any) -> bool:
    return getattr(processor, "chat_template", None) is not None


def _set_padding(tokenizer: Any, config: Any) -> None:
    # What is generated follows the prompt without a gap; an encoder reads from the first place.
    tokenizer.padding_side = "right" if is_encoder_decoder(config) else "left"
    if tokenizer.pad_token_id is None:
        tokenizer.pad_token = tokenizer.eos_token


def _check_template(processor: Any, settings: LocalWeights, where: str) -> None:
    """An image leaves a mark in what the chat template makes of a conversation."""
    text = {"type": "text", "text": "What is this?"}
    try:
        with_it, without = (
            processor.apply_chat_template(
                [{"role": "user", "content": content}], add_generation_prompt=True, tokenize=False
            )
            for content in ([{"type": "image"}, text], [text])
        )
    except Exception:  # templates are programs, and raise what they like
        with_it = without = ""
    if with_it == without or "What is this?" not in with_it:
        raise UserError(
            f"{where}: model",
            f"the chat template of '{settings.model}' has no place for an image",
            "put the one it was trained with there as chat_template.jinja, or give another model",
        )


def _check_image(
    asked: Prompting, kind: FormatKind | None, config: Any, settings: LocalWeights, where: str
) -> None:
    """The processor reads an image, and gives it as many places as the model fills."""
    try:
        ids = asked.inputs([Said("What is this?")], [[Image.new("RGB", (64, 64))]])["input_ids"]
    except Exception as error:  # of a processor that lacks what newer ones have
        what = f"the processor of '{settings.model}' cannot read an image ({reason(error)})"
        raise UserError(f"{where}: model", what, _NEWER) from None
    if kind is None:
        return
    token = getattr(config, "image_token_id", None)
    places = 0 if token is None else int((ids == token).sum())
    needed = getattr(config, "num_query_tokens", places)
    if not places or places != needed:
        raise UserError(
            f"{where}: model",
            f"the processor of '{settings.model}' gives an image {places} places among the tokens"
            f"{f', and the model fills {needed}' if needed else ''}",
            _NEWER,
        )


def _config(settings: LocalWeights, commit: str | None, where: str) -> Any:
    """The configuration of a model that this engine can run."""
    import transformers

    name, options = _source(settings, commit)
    config: Any = transformers.AutoConfig.from_pretrained(name, **options)
    auto: Any = transformers.AutoModelForImageTextToText
    if type(config) not in auto._model_mapping:
        raise UserError(
            f"{where}: model",
            f"'{settings.model}' is a {config.model_type}, which transformers does not know as a "
            "model that answers in text about images",
            "give a vision-language model, or serve it and use the engine openai_chat",
        )
    if getattr(config, "quantization_config", None) is not None:
        raise UserError(
            f"{where}: model",
            f"the weights of '{settings.model}' are quantized, which this engine does not read",
            "give those it was made from, or serve it (vLLM) and use the engine openai_chat",
        )
    return config


def _model(
    settings: LocalWeights, commit: str | None, config: Any, place: Place, where: str
) -> Any:
    import torch
    import transformers

    name, options = _source(settings, commit)
    auto: Any = transformers.AutoModelForImageTextToText
    if settings.attention != "auto":
        options["attn_implementation"] = settings.attention
    model, found = auto.from_pretrained(
        name,
        config=config,
        dtype=getattr(torch, place.dtype),
        use_safetensors=True,
        output_loading_info=True,
        ignore_mismatched_sizes=True,
        **options,
    )
    # What a checkpoint lacks is filled with random numbers and only mentioned in a warning.
    if found["missing_keys"]:
        what = f"the weights of '{settings.model}' lack {min(found['missing_keys'])}"
        raise UserError(f"{where}: model", what, GIVE)
    if found["mismatched_keys"]:
        key = min(found["mismatched_keys"])[0]
        what = f"'{settings.model}' holds {key} of another size than its config.json says"
        raise UserError(f"{where}: model", what, GIVE)
    return model.to(place.device).eval()


def _reading_error(settings: LocalWeights, where: str, error: Exception) -> UserError:
    key, text = f"{where}: model", str(error)
    if out_of_memory(error):
        what = f"'{settings.model}' has no room in memory ({reason(error)})"
        return UserError(key, what, "take a smaller model or a GPU with more memory")
    if "trust_remote_code" in text:
        what = f"'{settings.model}' brings code of its own, which is not run"
        fix = "give a model that transformers knows, or serve it and use the engine openai_chat"
        return UserError(key, what, fix)
    if "attn_implementation" in text or "attention implementation" in text:
        what = f"'{settings.model}' cannot use {settings.attention} ({reason(error)})"
        return UserError(f"{where}: attention", what, "write 'auto'")
    if folder_of(settings) is None:
        return hub_error(settings.model, where, error, GIVE)
    return UserError(key, f"'{settings.model}' could not be loaded ({reason(error)})", GIVE)
