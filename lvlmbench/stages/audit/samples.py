"""Which samples are wrong, by which source, and what of the vocabulary each shows.

A sample is a rendered image with its questions. It is wrong where a filter rejects it, or the
consensus drops a question about it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.core.errors import UserError
from lvlmbench.scene.graph import Graph

#: An entry of the vocabulary: its list and its label.
Entry = tuple[str, str]
STYLE = "style"


@dataclass(frozen=True)
class Sample:
    """One rendered image.

    Attributes
    ----------
    entries
        What it shows, each once, in order.
    judged
        Whether anybody looked at it: a filter or the consensus.
    rejected_by
        Filters that rejected it.
    dropped
        Whether the consensus dropped a question about it.
    """

    entries: tuple[Entry, ...]
    judged: bool
    rejected_by: frozenset[str]
    dropped: bool

    @property
    def wrong(self) -> bool:
        """Whether it is a wrong sample."""
        return bool(self.rejected_by) or self.dropped


def shown(scene: Mapping[str, object]) -> tuple[Entry, ...]:
    """Return what a scene shows of the vocabulary, each entry once.

    Words are left out: there are many, and each is in few images. What makes text unreadable is
    to be seen in the styles and in what carries it.
    """
    return tuple(sorted({entry for entry in Graph.of(scene).entries() if entry[0] != "text"}))


def _complete(name: str, wanted: set[str], found: set[str]) -> None:
    """Refuse verdicts with gaps: an image that nobody judged would count as accepted."""
    missing = wanted - found
    if missing:
        raise UserError(
            f"verdicts of filter '{name}'",
            f"hold none for scene {min(missing)}",
            "give the verdicts of the renderer and of all filters, all shards",
        )


def samples_of(
    scenes: pa.Table,
    verdicts: pa.Table,
    consensus: pa.Table,
    *,
    filters: Sequence[str],
) -> dict[str, Sample]:
    """Return the sample of each scene that was drawn.

    Parameters
    ----------
    scenes, verdicts, consensus
        Rows of the tables of these names; verdicts of the renderer and of all filters.
    filters
        Names of the filters that judged the images.

    Raises
    ------
    UserError
        A verdict is missing.
    """
    ids = set(scenes["scene_id"].to_pylist())
    by: dict[str, dict[str, bool]] = {name: {} for name in ("render", *filters)}
    columns = (verdicts[name].to_pylist() for name in ("scene_id", "filter", "keep"))
    for scene, name, keep in zip(*columns, strict=True):
        if name in by:
            by[name][scene] = bool(keep)
    _complete("render", ids, by["render"].keys() & ids)
    drawn = {scene for scene, keep in by["render"].items() if keep and scene in ids}
    for name in filters:
        _complete(name, drawn, set(by[name]))
    asked = set(consensus["scene_id"].to_pylist())
    lost = set(consensus.filter(pc.invert(consensus["keep"]))["scene_id"].to_pylist())
    found: dict[str, Sample] = {}
    for batch in scenes.to_batches(max_chunksize=4096):
        for scene in batch.to_pylist():
            key = scene["scene_id"]
            if key in drawn:
                found[key] = Sample(
                    shown(scene),
                    bool(filters) or key in asked,
                    frozenset(name for name in filters if not by[name][key]),
                    key in lost,
                )
    return found
