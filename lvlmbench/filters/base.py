"""Filters decide which images may be asked about (Dysca, section 3.3, data clean)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.registry import Registry


@dataclass(frozen=True)
class Verdict:
    """What a filter says about one image.

    Attributes
    ----------
    keep
        Whether the image may be asked about.
    reason
        Why not, in a word or two that the report counts; None where it is kept.
    score, threshold
        What was measured and the limit it was held against, where the filter measures.
    """

    keep: bool
    reason: str | None = None
    score: float | None = None
    threshold: float | None = None


class Filter(Protocol):
    """Looks at images. The verdict on an image does not depend on the others."""

    name: str

    def judge(self, images: pa.Table) -> list[Verdict]:
        """One verdict for each row of ``images`` (``tables.IMAGES``), in the same order."""
        ...


Factory = Callable[[Params], Filter]

#: Filter name -> factory(params).
FILTERS: Registry[Factory] = Registry("filters", "lvlmbench.filters")


def verdict_rows(judge: Filter, images: pa.Table) -> list[dict[str, object]]:
    """Rows of ``tables.VERDICTS`` for a table of images."""
    ids = zip(images["image_id"].to_pylist(), images["scene_id"].to_pylist(), strict=True)
    return [
        {
            "image_id": image_id,
            "scene_id": scene_id,
            "filter": judge.name,
            "score": verdict.score,
            "threshold": verdict.threshold,
            "keep": verdict.keep,
            "reason": verdict.reason,
        }
        for (image_id, scene_id), verdict in zip(ids, judge.judge(images), strict=True)
    ]
