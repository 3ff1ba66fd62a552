"""Decoding the image of a row, the same way in every filter."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from lvlmbench.core.decoding import picture_of

if TYPE_CHECKING:
    from PIL import Image

#: The reason every filter gives for an image that no decoder reads to its end.
UNDECODABLE = "undecodable"


def encoded(row: Mapping[str, Any]) -> bytes:
    """The image file in a row of ``tables.IMAGES``; empty where there is none."""
    return (row["image"] or {}).get("bytes") or b""


def decoded(row: Mapping[str, Any]) -> Image.Image | None:
    """The image in a row of ``tables.IMAGES``, in RGB; None where it cannot be decoded."""
    return picture_of(encoded(row))
