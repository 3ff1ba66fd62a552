"""Pictures that hold their prompt in their pixels, so that a scripted validator can read it."""

from __future__ import annotations

import hashlib
import io

import numpy as np
from PIL import Image

#: What a spoiled picture shows in the place of the first thing of its prompt.
SPOILED = "a rusty thurible"


def written(prompt: str, seed: int, side: int = 64) -> Image.Image:
    """A square picture: noise from prompt and seed below, the prompt as bytes above."""
    text = prompt.encode()
    pixels = np.frombuffer(
        hashlib.shake_256(f"{seed} {prompt}".encode()).digest(side * side * 3), np.uint8
    ).copy()
    head = np.frombuffer(len(text).to_bytes(3, "big") + text, np.uint8)
    pixels[: len(head)] = head
    return Image.fromarray(pixels.reshape(side, side, 3))


def read(file: bytes) -> str:
    """The prompt that a picture was made from."""
    with Image.open(io.BytesIO(file)) as image:
        pixels = np.asarray(image.convert("RGB")).reshape(-1).tobytes()
    size = int.from_bytes(pixels[:3], "big")
    return pixels[3 : 3 + size].decode()


def spoiled(prompt: str) -> str:
    """A prompt whose first statement is about another thing."""
    first, _, rest = prompt.partition(". ")
    return f"There is {SPOILED}. {rest}" if rest and first else prompt
