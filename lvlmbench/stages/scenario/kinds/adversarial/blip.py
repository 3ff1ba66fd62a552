"""The vision tower of an InstructBLIP or BLIP-2, from a folder or a hub, without its rest."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch

from lvlmbench.core import torchvision_hook
from lvlmbench.core.checkpoints import check_checkpoint, reason
from lvlmbench.core.errors import UserError
from lvlmbench.core.transformers_hush import quiet_transformers
from lvlmbench.stages.reference.loading import pick_device
from lvlmbench.stages.reference.pixels import Preprocessing
from lvlmbench.stages.scenario.kinds.adversarial.proxy import Proxy, frozen
from lvlmbench.stages.scenario.kinds.adversarial.settings import TRANSFORMERS, Adversarial

#: ``model_type`` in config.json -> class of the tower.
TOWERS = {
    "instructblip": "InstructBlipVisionModel",
    "instructblip_vision_model": "InstructBlipVisionModel",
    "blip-2": "Blip2VisionModel",
    "blip_2_vision_model": "Blip2VisionModel",
}

#: What both were trained with (OpenAI's CLIP); for folders without preprocessor_config.json.
_MEAN, _STD = (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711)

#: Pillow's numbers of the ways to resize.
_INTERPOLATIONS = {2: "bilinear", 3: "bicubic"}

_GIVE = (
    "give a folder with config.json and safetensors of an InstructBLIP or BLIP-2, or a hub id that "
    "this machine can reach"
)


def load_tower(settings: Adversarial, where: str) -> Proxy:
    """The tower, in float32; its vector is made of all tokens, each of length one.

    A language model reads all tokens through the Q-Former, not the first alone.

    Raises
    ------
    UserError
        The folder or the hub cannot be read, holds another model, or lacks a weight.
    """
    model, place = settings.proxy.removeprefix(TRANSFORMERS), f"{where}: proxy"
    device = pick_device(settings.device, where)
    torchvision_hook.install()
    try:
        with quiet_transformers():
            config, preprocessor = _configurations(model, place)
            tower = _tower(model, config, place)
    except UserError:
        raise
    # Files that are missing, cut off or of another model end in whatever their readers run into.
    except Exception as error:
        raise UserError(place, f"'{model}' could not be loaded ({reason(error)})", _GIVE) from None
    preprocessing = _preprocessing(preprocessor, int(tower.config.image_size), place)
    tower = frozen(tower).to(device)

    def features(pixels: torch.Tensor) -> torch.Tensor:
        tokens = tower(pixel_values=pixels).last_hidden_state  # (n, tokens, width)
        return torch.nn.functional.normalize(tokens, dim=-1).flatten(1)

    batch = 1 if device == "cpu" else None
    return Proxy(settings.proxy, tower, features, preprocessing, device, batch, None)


def _configurations(model: str, place: str) -> tuple[Any, dict[str, Any]]:
    """The model's configuration and what preprocessor_config.json holds, {} without one."""
    from transformers import AutoConfig
    from transformers.utils.hub import cached_file

    config: Any = AutoConfig.from_pretrained(model)
    if config.model_type not in TOWERS:
        known = ", ".join(name for name in TOWERS if not name.endswith("_model"))
        raise UserError(
            place, f"'{model}' is a {config.model_type}", f"give a model of one of: {known}"
        )
    file = cached_file(
        model, "preprocessor_config.json", _raise_exceptions_for_missing_entries=False
    )
    if file is None:
        return config, {}
    try:
        content = json.loads(Path(file).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(place, f"{file} cannot be read ({reason(error)})", _GIVE) from None
    return config, content


def _tower(model: str, config: Any, place: str) -> Any:
    import transformers

    for file in sorted(Path(model).glob("*.safetensors")):
        check_checkpoint(file, place, "fetch it again")
    architecture: Any = getattr(transformers, TOWERS[config.model_type])
    tower, found = architecture.from_pretrained(
        model,
        config=getattr(config, "vision_config", config),
        key_mapping={r"^vision_model\.": ""},
        output_loading_info=True,
        ignore_mismatched_sizes=True,
        use_safetensors=True,
        dtype=torch.float32,
    )
    # What a checkpoint lacks is filled with random numbers and only mentioned in a warning.
    if found["missing_keys"]:
        missing = min(found["missing_keys"])
        raise UserError(
            place, f"the weights of '{model}' lack {missing} of the vision tower", _GIVE
        )
    if found["mismatched_keys"]:
        name = min(found["mismatched_keys"])[0]
        raise UserError(
            place, f"'{model}' holds {name} of another size than its config.json says", _GIVE
        )
    return tower


def _preprocessing(content: dict[str, Any], side: int, place: str) -> Preprocessing:
    size = content.get("size", side)
    if isinstance(size, dict):
        size = (size.get("height"), size.get("width"))
    resample = content.get("resample", 3)
    pair = (size, size) if isinstance(size, int) else tuple(size)
    if pair != (side, side) or content.get("do_center_crop") or resample not in _INTERPOLATIONS:
        raise UserError(
            place,
            "its preprocessor_config.json does not simply resize images to the "
            f"{side}x{side} pixels that the tower takes",
            "give a model whose preprocessing does, by bilinear or bicubic interpolation",
        )
    return Preprocessing(
        size=(side, side),
        mean=tuple(content.get("image_mean", _MEAN)),
        std=tuple(content.get("image_std", _STD)),
        interpolation=_INTERPOLATIONS[resample],
        resize_mode="squash",
        fill=0,
    )
