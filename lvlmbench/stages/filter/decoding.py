"""Decoding the image of a row, the same way in every filter."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image

#: The reason every filter gives for an image that no decoder reads to its end.
UNDECODABLE = "undecodable"


def encoded(row: Mapping[str, Any]) -> bytes:
    """The image file in a row of ``tables.IMAGES``; empty where there is none."""
    return (row["image"] or {}).get("bytes") or b""


def decoded(row: Mapping[str, Any]) -> Image.Image | None:
    """The image in a row of ``tables.IMAGES``, in RGB; None where it cannot be decoded."""
    from PIL import Image

    try:
        with Image.open(io.BytesIO(encoded(row))) as image:
            return image.convert("RGB")
    # Decoders raise whatever their format's code runs into on damaged input (OSError, SyntaxError,
    # ValueError, struct.error ...): each of them means that the image cannot be read.
    except Exception:
        return None
