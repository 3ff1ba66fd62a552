"""Bytes that are given out for pictures."""

from __future__ import annotations

import io
import struct
import zlib
from functools import cache

from PIL import Image

from fuzz.case import Rng


def _png(width: int, height: int, data: bytes = b"") -> bytes:
    """A PNG that claims a size, whatever it holds."""

    def chunk(kind: bytes, body: bytes) -> bytes:
        head = struct.pack(">I", len(body)) + kind + body
        return head + struct.pack(">I", zlib.crc32(kind + body))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(data or b"\0" * 1000, 9)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")
    )


@cache
def _saved(form: str, mode: str, width: int, height: int) -> bytes:
    out = io.BytesIO()
    Image.new(mode, (width, height)).save(out, form)
    return out.getvalue()


@cache
def _bomb() -> bytes:
    """A PNG of few bytes that takes 600 MB of memory."""
    width = height = 14_000
    deflate = zlib.compressobj(9)
    row = b"\0" * (1 + 3 * width)
    data = b"".join(deflate.compress(row) for _ in range(height)) + deflate.flush()
    small = _png(width, height)
    at = small.index(b"IDAT") - 4
    body = struct.pack(">I", len(data)) + b"IDAT" + data
    return small[:at] + body + struct.pack(">I", zlib.crc32(b"IDAT" + data)) + small[-12:]


def bad(rng: Rng, raw: bytes) -> tuple[str, bytes | None]:
    """What it is, and the bytes."""
    ways = {
        "null": None,
        "empty": b"",
        "text": b"not a picture",
        "page": b"<html><script>alert(1)</script></html>",
        "drawing": b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
        "cut off": raw[: len(raw) // 2],
        "head alone": raw[:33],
        "flipped": bytes(b ^ 1 if i == len(raw) // 2 else b for i, b in enumerate(raw)),
        "huge": _png(65_000, 65_000),
        "bomb": _bomb() if rng.random() < 0.3 else _png(20_000, 20_000),
        "no width": _png(0, 9),
        "one pixel": _saved("PNG", "RGB", 1, 1),
        "a line": _saved("PNG", "RGB", 3000, 1),
        "palette": _saved("PNG", "P", 64, 64),
        "grey": _saved("PNG", "L", 64, 64),
        "bits": _saved("PNG", "1", 64, 64),
        "deep grey": _saved("PNG", "I;16", 64, 64),
        "see-through": _saved("PNG", "RGBA", 64, 64),
        "CMYK": _saved("JPEG", "CMYK", 64, 64),
        "GIF": _saved("GIF", "P", 64, 64),
        "TIFF": _saved("TIFF", "F", 64, 64),
        "another size": _saved("PNG", "RGB", 200, 100),
    }
    way = rng.choice(sorted(ways))
    return way, ways[way]
