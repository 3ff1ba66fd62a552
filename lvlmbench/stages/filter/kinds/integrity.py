"""Filter ``integrity``: the image is there, whole, of the declared size, and shows something."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.filter.decoding import UNDECODABLE, decoded, encoded
from lvlmbench.stages.filter.filter import FILTERS, Verdict, Weights

OTHER_BYTES = "other bytes"
OTHER_SIZE = "other size"
CONSTANT = "constant"


def defect(row: Mapping[str, Any]) -> str | None:
    """What is wrong with one image, a row of ``tables.IMAGES``; None where nothing is."""
    picture = decoded(row)
    if picture is None:
        return UNDECODABLE
    if hashlib.sha256(encoded(row)).hexdigest() != row["sha256"]:
        return OTHER_BYTES
    if picture.size != (row["width"], row["height"]):
        return OTHER_SIZE
    if all(band.getextrema()[0] == band.getextrema()[1] for band in picture.split()):
        return CONSTANT
    return None


class Integrity:
    """Keeps an image unless :func:`defect` names one."""

    def __init__(self, name: str) -> None:
        self.name = name

    def judge(self, images: pa.Table, scenes: pa.Table) -> list[Verdict]:
        """One verdict an image."""
        verdicts = []
        for batch in images.to_batches(max_chunksize=64):  # bytes of few images at a time
            for row in batch.to_pylist():
                reason = defect(row)
                verdicts.append(Verdict(keep=reason is None, reason=reason))
        return verdicts


@FILTERS.register(
    "integrity",
    vocabulary=False,
    place=1,
    defaults={10: {"name": "integrity"}},
    exactness=(Promise(Exactness.EVERYWHERE, "compares and counts"),),
)
def make(params: Params, spec: FilterSpec, weights: Weights) -> Integrity:
    """The filter; it takes no parameters."""
    return Integrity(spec.name)
