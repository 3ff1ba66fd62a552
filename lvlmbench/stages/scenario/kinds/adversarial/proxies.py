"""Load the proxy that the settings of the attack name."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import torch

from lvlmbench.core.errors import UserError
from lvlmbench.stages.reference.encoder import Encoder, load_folder, load_open_clip
from lvlmbench.stages.reference.folder import NAMES
from lvlmbench.stages.scenario.kinds.adversarial.blip import load_tower
from lvlmbench.stages.scenario.kinds.adversarial.carry import F64
from lvlmbench.stages.scenario.kinds.adversarial.proxy import Proxy, frozen
from lvlmbench.stages.scenario.kinds.adversarial.settings import TRANSFORMERS, Adversarial

#: Images that a reference model is given at once.
TOGETHER = 16


def load_proxy(settings: Adversarial, weights: Mapping[str, Path], where: str) -> Proxy:
    """The proxy that the settings name.

    Raises
    ------
    UserError
        Its weights cannot be had, or it does not fit the settings.
    """
    torch.set_num_threads(1)  # sums are always taken in one order
    if settings.proxy in NAMES:
        folder = weights.get(settings.proxy)
        if folder is None:
            raise UserError(
                "--weights", f"hold no {settings.proxy}", "give the files of its folder"
            )
        return _of_encoder(settings.proxy, load_folder(folder), torch.float64)
    if settings.proxy.startswith(TRANSFORMERS):
        return load_tower(settings, where)
    engine = load_open_clip(settings.proxy, settings.pretrained, settings.device, where)
    return _of_encoder(settings.proxy, engine, torch.float32)


def _of_encoder(name: str, encoder: Encoder, dtype: torch.dtype) -> Proxy:
    tower = frozen(encoder.image_tower, dtype)

    def features(pixels: torch.Tensor) -> torch.Tensor:
        found: Any = tower(pixels)
        out: torch.Tensor = found[0] if isinstance(found, tuple) else found  # (pooled, tokens)
        return out

    def texts(words: Sequence[str]) -> F64:
        return encoder.texts(words)[0]

    batch = 1 if encoder.device == "cpu" else None
    if dtype is torch.float64:
        batch = TOGETHER
    preprocessing, device = encoder.preprocessing, encoder.device
    return Proxy(name, tower, features, preprocessing, device, batch, texts, dtype)
