"""A proxy: the image encoder that is attacked, with its own preprocessing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import torch
from PIL import Image

from lvlmbench.stages.reference.pixels import Preprocessing
from lvlmbench.stages.scenario.kinds.adversarial.carry import F64


@dataclass
class Proxy:
    """An image encoder to attack.

    Attributes
    ----------
    name
        ``adversarial.proxy``.
    tower
        The module, its parameters frozen: reference models in float64, in which what processors
        and batches change lies far behind what is decided and stored; others in float32.
    features
        Normalized pixels (n, 3, height, width) -> what the tower makes of them, (n, d).
    preprocessing
        From a picture to what the tower takes.
    device
        ``cpu`` or ``cuda``.
    batch
        Images at once; None: as many as the settings say.
    texts
        Unit vectors (n, d) of n texts; None for a tower without texts.
    dtype
        Of the tower.
    """

    name: str
    tower: torch.nn.Module
    features: Callable[[torch.Tensor], torch.Tensor]
    preprocessing: Preprocessing
    device: str
    batch: int | None
    texts: Callable[[Sequence[str]], F64] | None
    dtype: torch.dtype = torch.float32

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

    def seen(self, picture: Image.Image) -> F64:
        """What the tower sees of a picture before normalization: (3, height, width), 0 to 1."""
        return self._as_seen(picture)

    @cached_property
    def _scale(self) -> tuple[torch.Tensor, torch.Tensor]:
        mean, std = (
            torch.tensor(v, dtype=self.dtype, device=self.device).view(1, 3, 1, 1)
            for v in (self.preprocessing.mean, self.preprocessing.std)
        )
        return mean, std

    def vectors(self, pixels: torch.Tensor) -> torch.Tensor:
        """Unit vectors (n, d) of pixels (n, 3, height, width) between 0 and 1; differentiable."""
        mean, std = self._scale
        normal = ((pixels - mean) / std).contiguous(memory_format=torch.channels_last)
        return torch.nn.functional.normalize(self.features(normal), dim=-1)

    def tensor(self, pixels: F64) -> torch.Tensor:
        """Pixels on the proxy's device, of its type."""
        return torch.from_numpy(pixels).to(self.device, self.dtype)


def frozen(tower: torch.nn.Module, dtype: torch.dtype = torch.float32) -> torch.nn.Module:
    """The module for gradients of its input alone, laid out as convolutions are fastest."""
    return tower.to(dtype).eval().requires_grad_(False).to(memory_format=torch.channels_last)  # type: ignore[call-overload,no-any-return]
