"""From a picture to what an image tower takes, as the model's own configuration declares it.

The same steps as open_clip's transforms for inference, with Pillow's resampling on 8-bit pixels
(exact on every machine) and the arithmetic after it in float64.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image


def _pair(size: int | Sequence[int]) -> tuple[int, int]:
    if isinstance(size, int):
        return size, size
    return (int(size[0]), int(size[-1]))


def _centered(picture: Image.Image, height: int, width: int, fill: int) -> Image.Image:
    """The middle of the picture, on a ground of ``fill`` where the picture is smaller."""
    pad_left, pad_top = max(0, width - picture.width) // 2, max(0, height - picture.height) // 2
    left = round((picture.width - width) / 2) if picture.width > width else 0
    top = round((picture.height - height) / 2) if picture.height > height else 0
    part = picture.crop(
        (left, top, left + min(width, picture.width), top + min(height, picture.height))
    )
    if part.size == (width, height):
        return part
    ground = Image.new("RGB", (width, height), (fill, fill, fill))
    ground.paste(part, (pad_left, pad_top))
    return ground


@dataclass(frozen=True)
class Preprocessing:
    """What open_clip calls ``preprocess_cfg``: size (height, width), resizing, normalization."""

    size: tuple[int, int]
    mean: tuple[float, ...]
    std: tuple[float, ...]
    interpolation: str
    resize_mode: str
    fill: int

    @classmethod
    def declared(cls, config: Mapping[str, Any]) -> Preprocessing:
        """From the configuration that a model of open_clip carries.

        Raises
        ------
        ValueError
            The configuration asks for what inference in open_clip does not know either.
        """
        mode = config["resize_mode"] or "shortest"
        if mode not in ("shortest", "longest", "squash"):
            raise ValueError(f"there is no resize_mode '{mode}'")
        return cls(
            size=_pair(config["size"]),
            mean=tuple(np.broadcast_to(np.asarray(config["mean"], np.float64), 3).tolist()),
            std=tuple(np.broadcast_to(np.asarray(config["std"], np.float64), 3).tolist()),
            interpolation=config["interpolation"] or "bicubic",
            resize_mode=mode,
            fill=int(config.get("fill_color") or 0),
        )

    def _resized(self, picture: Image.Image) -> Image.Image:
        height, width = self.size
        filter_ = Image.Resampling.BICUBIC
        if self.interpolation == "bilinear":
            filter_ = Image.Resampling.BILINEAR
        if self.resize_mode == "squash":
            return picture.resize((width, height), filter_)
        if self.resize_mode == "shortest" and height == width:
            short, long = sorted(picture.size)
            other = int(width * long / short)
            portrait = picture.width <= picture.height
            return picture.resize((width, other) if portrait else (other, width), filter_)
        by_height, by_width = picture.height / height, picture.width / width
        if self.resize_mode == "shortest":
            # open_clip passes no interpolation on here and so always takes the bicubic one.
            filter_, ratio = Image.Resampling.BICUBIC, min(by_height, by_width)
        else:
            ratio = max(by_height, by_width)
        return picture.resize(
            (round(picture.width / ratio), round(picture.height / ratio)), filter_
        )

    def __call__(self, picture: Image.Image) -> NDArray[np.float64]:
        """The picture as (3, height, width), normalized."""
        fitted = _centered(self._resized(picture.convert("RGB")), *self.size, self.fill)
        values = np.asarray(fitted, np.float64) / 255
        normal = (values - np.asarray(self.mean)) / np.asarray(self.std)
        return np.ascontiguousarray(normal.transpose(2, 0, 1))
