"""Read images, whatever is wrong with their bytes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from PIL import Image


def picture_of(data: bytes) -> Image.Image | None:
    """Return the picture in RGB; None where it cannot be decoded to its end."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(data)) as image:
            return image.convert("RGB")
    # Decoders raise whatever their format's code runs into on damaged input (OSError, SyntaxError,
    # ValueError, struct.error ...): each of them means that the image cannot be read.
    except Exception:
        return None
