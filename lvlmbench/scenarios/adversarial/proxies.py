"""Proxies: the image encoders that are attacked, with their own preprocessing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from lvlmbench.config.adversarial import TRANSFORMERS, Adversarial
from lvlmbench.errors import UserError
from lvlmbench.reference.encoder import Encoder, load_folder, load_open_clip
from lvlmbench.reference.folder import NAMES
from lvlmbench.reference.pixels import Preprocessing
from lvlmbench.scenarios.adversarial.carry import F32, F64

#: Images that a reference model is given at once on the CPU: always so many, filled up where there
#: are fewer, as oneDNN chooses its kernels, and with them the last bits, by the batch's shape.
TOGETHER = 16


@dataclass
class Proxy:
    """An image encoder to attack.

    Attributes
    ----------
    name
        ``adversarial.proxy``.
    tower
        The module, in float32, its parameters frozen.
    features
        Normalized pixels (n, 3, height, width) -> what the tower makes of them, (n, d).
    preprocessing
        From a picture to what the tower takes.
    device
        ``cpu`` or ``cuda``.
    batch
        Images at once, always so many (see :data:`TOGETHER`); None: any number.
    text
        A text's unit vector (d,); None for a tower without texts.
    """

    name: str
    tower: torch.nn.Module
    features: Callable[[torch.Tensor], torch.Tensor]
    preprocessing: Preprocessing
    device: str
    batch: int | None
    text: Callable[[str], F64] | None

    @property
    def size(self) -> tuple[int, int]:
        """Height and width of what the tower takes."""
        return self.preprocessing.size

    @property
    def resample(self) -> Image.Resampling:
        """How pictures are resized."""
        bilinear = self.preprocessing.interpolation == "bilinear"
        return Image.Resampling.BILINEAR if bilinear else Image.Resampling.BICUBIC

    @cached_property
    def _as_seen(self) -> Preprocessing:
        return replace(self.preprocessing, mean=(0.0,) * 3, std=(1.0,) * 3)

    def seen(self, picture: Image.Image) -> F32:
        """What the tower sees of a picture before normalization: (3, height, width), 0 to 1."""
        return self._as_seen(picture).astype(np.float32)

    @cached_property
    def _scale(self) -> tuple[torch.Tensor, torch.Tensor]:
        mean, std = (
            torch.tensor(v, dtype=torch.float32, device=self.device).view(1, 3, 1, 1)
            for v in (self.preprocessing.mean, self.preprocessing.std)
        )
        return mean, std

    def vectors(self, pixels: torch.Tensor) -> torch.Tensor:
        """Unit vectors (n, d) of pixels (n, 3, height, width) between 0 and 1; differentiable."""
        mean, std = self._scale
        normal = ((pixels - mean) / std).contiguous(memory_format=torch.channels_last)
        return torch.nn.functional.normalize(self.features(normal), dim=-1)

    def tensor(self, pixels: F32) -> torch.Tensor:
        """Pixels on the proxy's device."""
        return torch.from_numpy(pixels).to(self.device)


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
        return _of_encoder(settings.proxy, load_folder(folder), TOGETHER)
    if settings.proxy.startswith(TRANSFORMERS):
        from lvlmbench.scenarios.adversarial.blip import load_tower

        return load_tower(settings, where)
    engine = load_open_clip(settings.proxy, settings.pretrained, settings.device, where)
    return _of_encoder(settings.proxy, engine, None)


def _of_encoder(name: str, encoder: Encoder, together: int | None) -> Proxy:
    tower = frozen(encoder.image_tower)

    def features(pixels: torch.Tensor) -> torch.Tensor:
        found: Any = tower(pixels)
        out: torch.Tensor = found[0] if isinstance(found, tuple) else found  # (pooled, tokens)
        return out

    def text(words: str) -> F64:
        vector: F64 = encoder.texts([words])[0][0]
        return vector

    alone = 1 if encoder.device == "cpu" else None
    return Proxy(
        name, tower, features, encoder.preprocessing, encoder.device, together or alone, text
    )


def frozen(tower: torch.nn.Module) -> torch.nn.Module:
    """The module for gradients of its input alone, laid out as convolutions are fastest."""
    return tower.float().eval().requires_grad_(False).to(memory_format=torch.channels_last)  # type: ignore[call-overload,no-any-return]
