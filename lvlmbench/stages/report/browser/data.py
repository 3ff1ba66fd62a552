"""What the browser is made of, as the page takes it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

#: Bytes of base64 in a chunk, about.
CHUNK = 1_000_000


@dataclass(frozen=True)
class About:
    """What the section says of itself; ``left_out`` is a sentence, or empty.

    ``pages`` of all scenes lie beside the report; ``shows`` tells whether pictures may be shown.
    """

    shown: int
    available: int
    thumbnail_px: int
    quality: int
    left_out: str
    pages: int = 0
    shows: bool = True


@dataclass(frozen=True)
class Browser:
    """JSON texts that may stand in script elements, and what is in them."""

    head: str
    chunks: tuple[str, ...]
    about: About


def chunked(texts: Iterable[str]) -> list[list[str]]:
    """Texts in groups of about :data:`CHUNK` bytes, in order."""
    out: list[list[str]] = []
    size = CHUNK
    for text in texts:
        if size >= CHUNK:
            out.append([])
            size = 0
        out[-1].append(text)
        size += len(text)
    return out
