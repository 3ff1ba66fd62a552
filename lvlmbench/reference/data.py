"""The scenes of the reference models as arrays."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
from PIL import Image

from lvlmbench import tables

Pixels = npt.NDArray[np.uint8]

#: Kinds of images of a training scene: as it is, without its style, its foreground close up.
KINDS = ("image", "plain", "closeup")

_METADATA = [name for name in tables.SCENES.names if name not in ("prompt", "negative_prompt")]


@dataclass(frozen=True)
class Scenes:
    """Scenes of one split.

    Attributes
    ----------
    rows
        What each scene shows (rows of ``tables.SCENES`` without the prompts).
    pixels
        Kind of image -> (scenes, height, width, 3).
    """

    rows: list[dict[str, Any]]
    pixels: dict[str, Pixels]


def _decoded(column: pa.ChunkedArray) -> Pixels:
    images = []
    for value in column.combine_chunks().field("bytes"):
        with Image.open(io.BytesIO(value.as_py())) as image:
            images.append(np.asarray(image.convert("RGB")))
    return np.stack(images)


def read(parts: Sequence[Path], split: str, kinds: Sequence[str]) -> Scenes:
    """The scenes of a split, in the order of the parts' names.

    Raises
    ------
    UserError
        A part is missing or damaged.
    """
    rows: list[dict[str, Any]] = []
    pixels: dict[str, list[Pixels]] = {kind: [] for kind in kinds}
    where = pc.field("split") == split
    for path in sorted(parts):
        table = tables.read([path], tables.REFERENCE_SCENES, [*_METADATA, "split", *kinds], where)
        if not len(table):
            continue
        rows += table.select(_METADATA).to_pylist()
        for kind in kinds:
            pixels[kind].append(_decoded(table[kind]))
    # One kind after the other: together the parts and the whole would take twice the memory.
    return Scenes(rows, {kind: np.concatenate(pixels.pop(kind)) for kind in kinds})
