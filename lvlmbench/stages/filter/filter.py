"""Filters decide which images may be asked about (Dysca, section 3.3, data clean)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.core.amounts import amount
from lvlmbench.core.blame import check_made, source_of
from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import Kind, Kinds

#: Scenes of this subtask are judged by what is written in them, all others by what they show.
TEXT_SUBTASK = "text"


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
    note
        What a reader of the verdict should know though it removes nothing, e.g. that the text
        was longer than the model reads; the report counts notes, too.
    """

    keep: bool
    reason: str | None = None
    score: float | None = None
    threshold: float | None = None
    note: str | None = None


class Filter(Protocol):
    """Looks at images. The verdict on an image does not depend on the others."""

    name: str

    def judge(self, images: pa.Table, scenes: pa.Table) -> list[Verdict]:
        """One verdict for each row of ``images`` (``tables.IMAGES``), in the same order.

        ``scenes`` (``tables.SCENES``) has in each row the scene of the image in that row.
        """
        ...


class Passes:
    """Keeps the pictures of a user's own: nobody drew them, and none is missing in a score."""

    def __init__(self, name: str) -> None:
        self.name = name

    def judge(self, images: pa.Table, scenes: pa.Table) -> list[Verdict]:
        """Keep each image."""
        return [Verdict(keep=True)] * images.num_rows


#: Name of a reference model -> the folder that holds it.
Weights = Mapping[str, Path]

Factory = Callable[[Params, FilterSpec, Weights], Filter]


@dataclass(frozen=True, kw_only=True)
class FilterKind(Kind):
    """A registered filter; :data:`Factory` is what makes it, of the parameters, its item of
    ``filter.filters`` and the trained reference models.

    ``check`` takes beside parameters, item and place ``early``: whether it is asked while images
    are drawn, before any reference model is ready.

    Attributes
    ----------
    weights
        The reference model that an item looks with, by name; None where it needs none.
    looks_with
        What an item looks with, as readers see it.
    """

    weights: Callable[[FilterSpec], str | None] | None = None
    looks_with: Callable[[FilterSpec], str | None] | None = None


FILTERS: Kinds[FilterKind] = Kinds("filters", "lvlmbench.stages.filter.kinds", FilterKind)


def scenes_of(images: pa.Table, scenes: pa.Table) -> pa.Table:
    """The scene of each image, in the order of the images.

    Raises
    ------
    UserError
        The scene of an image is not among ``scenes``.
    """
    row = {scene_id: i for i, scene_id in enumerate(scenes["scene_id"].to_pylist())}
    wanted = images["scene_id"].to_pylist()
    for scene_id in wanted:
        if scene_id not in row:
            raise UserError(
                "--scenes",
                f"hold no scene {scene_id}, of which there is an image",
                "give the scenes that these images were rendered from",
            )
    return scenes.take(pa.array([row[scene_id] for scene_id in wanted], pa.int64()))


def verdict_rows(judge: Filter, images: pa.Table, scenes: pa.Table) -> list[dict[str, object]]:
    """Rows of ``tables.VERDICTS`` for a table of images; ``scenes`` holds theirs, in any order.

    Raises
    ------
    UserError
        The filter has no name, or gives something else than one verdict an image.
    """
    check_made(judge, "filter", "name", "judge", example="docs/extending.md")
    ids = zip(images["image_id"].to_pylist(), images["scene_id"].to_pylist(), strict=True)
    verdicts = _checked(judge, judge.judge(images, scenes_of(images, scenes)), len(images))
    return [
        {
            "image_id": image_id,
            "scene_id": scene_id,
            "filter": judge.name,
            "score": verdict.score,
            "threshold": verdict.threshold,
            "keep": verdict.keep,
            "reason": verdict.reason,
            "note": verdict.note,
        }
        for (image_id, scene_id), verdict in zip(ids, verdicts, strict=True)
    ]


def _checked(judge: Filter, given: object, images: int) -> Sequence[Verdict]:
    """What a filter has given: a verdict for each image."""
    where = f"{source_of(type(judge))}: {type(judge).__name__}.judge"
    fix = "return a list of one Verdict(keep=...) an image, in the order of the images"
    if not isinstance(given, list | tuple):
        raise UserError(where, f"gives {given!r}, which is no list of verdicts", fix)
    for each in given:
        if not isinstance(each, Verdict):
            raise UserError(where, f"gives {each!r}, which is no verdict", fix)
    if len(given) != images:
        what = f"gives {amount(len(given), 'verdict')} for {amount(images, 'image')}"
        raise UserError(where, what, fix)
    return given
