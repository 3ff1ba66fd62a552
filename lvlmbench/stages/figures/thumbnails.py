"""Small pictures for figures, as pixels."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from PIL import Image

from lvlmbench.analysis import thumbnails
from lvlmbench.core.decoding import picture_of

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    #: Rows, columns, red green blue.
    Pixels: TypeAlias = npt.NDArray[np.uint8]

#: Longest side in pixels: 150 to the inch as figures show them, and small enough to be sent.
SIDE = 256


def pixels(data: bytes, side: int = SIDE) -> Pixels | None:
    """Return an encoded image, shrunk to ``side`` pixels where it is larger; None if it is none."""
    import numpy as np

    image = picture_of(data)
    if image is None:
        return None
    image.thumbnail((side, side), Image.Resampling.BICUBIC, reducing_gap=None)
    return np.asarray(image, dtype=np.uint8)


def of(folder: Path | None, image_ids: set[str], side: int = SIDE) -> Mapping[str, Pixels]:
    """Return images of a folder of shards by id, without those that cannot be decoded."""
    found = ((key, pixels(data, side)) for key, data in thumbnails.image_bytes(folder, image_ids))
    return {key: small for key, small in found if small is not None}
