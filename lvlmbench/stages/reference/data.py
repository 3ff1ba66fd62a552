"""The scenes of the reference models as arrays."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow.compute as pc
from PIL import Image

from lvlmbench import tables

Pixels = npt.NDArray[np.uint8]

#: Kinds of images of a training scene: as it is, and its foreground close up without and with its
#: style.
KINDS = ("image", "plain", "closeup")

_WORDS = ("prompt", "negative_prompt")
_METADATA = [
    name
    for name in tables.REFERENCE_SCENES.names
    if name in tables.SCENES.names and name not in _WORDS
]


class Pictures:
    """Images of one kind, kept as the files they are and decoded when they are asked for.

    Decoded, the images of the default scenes would take half a gigabyte.
    """

    def __init__(self, files: Sequence[bytes]) -> None:
        self._files = files

    def __len__(self) -> int:
        return len(self._files)

    def __getitem__(self, number: int) -> Pixels:
        """Pixels of one image, (height, width, 3)."""
        with Image.open(io.BytesIO(self._files[number])) as image:
            return np.asarray(image.convert("RGB"))

    def batches(self, size: int) -> Iterator[Pixels]:
        """All images in their order, (at most size, height, width, 3) at a time."""
        for start in range(0, len(self), size):
            yield np.stack([self[i] for i in range(start, min(start + size, len(self)))])


@dataclass(frozen=True)
class Scenes:
    """Scenes of one split.

    Attributes
    ----------
    rows
        What each scene shows (rows of ``tables.SCENES`` without the prompts).
    pictures
        Kind of image -> the images of that kind.
    """

    rows: list[dict[str, Any]]
    pictures: dict[str, Pictures]


def read(parts: Sequence[Path], split: str, kinds: Sequence[str]) -> Scenes:
    """The scenes of a split, in the order of the parts' names.

    Raises
    ------
    UserError
        A part is missing or damaged.
    """
    rows: list[dict[str, Any]] = []
    files: dict[str, list[bytes]] = {kind: [] for kind in kinds}
    where = pc.field("split") == split
    for path in sorted(parts):
        table = tables.read([path], tables.REFERENCE_SCENES, [*_METADATA, "split", *kinds], where)
        if not len(table):
            continue
        rows += table.select(_METADATA).to_pylist()
        for kind in kinds:
            files[kind] += table[kind].combine_chunks().field("bytes").to_pylist()
    return Scenes(rows, {kind: Pictures(found) for kind, found in files.items()})
