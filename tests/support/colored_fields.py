"""What support/server/images_server.py draws."""

from __future__ import annotations

import hashlib
import io

from PIL import Image


def picture(prompt: str, seed: int | None, side: int, kind: str = "PNG") -> bytes:
    """Four fields of colors that follow from prompt and seed."""
    colors = hashlib.sha256(f"{seed}|{prompt}".encode()).digest()
    small = Image.frombytes("RGB", (2, 2), colors[:12])
    sink = io.BytesIO()
    small.resize((side, side), Image.Resampling.NEAREST).save(sink, kind, lossless=True)
    return sink.getvalue()
