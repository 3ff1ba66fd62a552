"""What each filter did: with what it judged, the scores it gave, its notes, and examples."""

from __future__ import annotations

import bisect
from collections import Counter
from dataclasses import dataclass
from statistics import median
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis import thumbnails
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.untrusted import Excerpt, excerpt
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import attempts
from lvlmbench.stages.report.examples import Pair, Ruling, pairs

#: Side of the example images in pixels, at most.
THUMBNAIL = 160
#: Columns of a histogram.
BINS = 40
#: Notes listed for a filter.
MAX_NOTES = 8


@dataclass(frozen=True)
class Column:
    """One column of a histogram, in shares of its width (``x``) and of its height."""

    x: float
    kept: float
    removed: float


@dataclass(frozen=True)
class Histogram:
    """How scores are spread from ``low`` to ``high``; ``limit`` is the threshold's place."""

    low: float
    high: float
    middle: float
    columns: list[Column]
    limit: float | None


@dataclass(frozen=True)
class Example:
    """One image of an example; ``thumbnail`` is None where the image cannot be shown, ``tag`` says
    what sets it apart from most."""

    ruling: Ruling
    style: str
    caption: Excerpt
    text: str | None
    thumbnail: str | None
    tag: str | None


@dataclass(frozen=True)
class Judged:
    """One filter among the images that the filters before it kept.

    ``engine`` is what looked, where the kind has engines; ``own`` tells whether the pipeline
    trained it. ``thresholds`` are the limits found in its verdicts. ``notes`` counts notes that
    several images share, ``other_notes`` images with a note of their own, e.g. what was read.
    """

    name: str
    kind: str
    engine: str | None
    own: bool
    seen: int
    scored: int
    removed: int
    thresholds: list[float]
    histogram: Histogram | None
    notes: list[tuple[str, int]]
    other_notes: int
    examples: list[tuple[Example | None, Example | None]]


def engine(spec: FilterSpec) -> str | None:
    """What a filter looks with, as the parameters name it; None for kinds without engines."""
    kind = spec.made_by()
    return None if kind is None or kind.looks_with is None else kind.looks_with(spec)


def histogram(rulings: list[Ruling]) -> Histogram | None:
    """Scores of a filter in :data:`BINS` columns; None where it gave none."""
    scored = [(r.score, r.keep) for r in rulings if r.score is not None]
    if not scored:
        return None
    limits = {r.threshold for r in rulings if r.score is not None and r.threshold is not None}
    limit = limits.pop() if len(limits) == 1 else None
    ends = [score for score, _ in scored] + ([] if limit is None else [limit])
    low, high = min(ends), max(ends)
    width = (high - low) / BINS
    edges = [low + i * width for i in range(1, BINS)]
    kept, out = [0] * BINS, [0] * BINS
    for score, keep in scored:
        (kept if keep else out)[bisect.bisect_right(edges, score) if width else 0] += 1
    most = max(a + b for a, b in zip(kept, out, strict=True))
    columns = [
        Column(i / BINS, k / most, o / most)
        for i, (k, o) in enumerate(zip(kept, out, strict=True))
        if k or o
    ]
    place = None if limit is None or not width else (limit - low) / (high - low)
    return Histogram(low, high, median(score for score, _ in scored), columns, place)


def notes(rulings: list[Ruling]) -> tuple[list[tuple[str, int]], int]:
    """The most frequent notes that several images share, and how many images have another."""
    counts = Counter(r.note for r in rulings if r.note)
    shared = sorted(((n, c) for n, c in counts.items() if c > 1), key=lambda nc: (-nc[1], nc[0]))
    shown = shared[:MAX_NOTES]
    return shown, counts.total() - sum(count for _, count in shown)


def _rulings(verdicts: pa.Table, subtask_of: dict[str, str]) -> list[Ruling]:
    names = ["image_id", "scene_id", "score", "threshold", "keep", "reason", "note"]
    return [
        Ruling(**row, subtask=subtask_of.get(row["scene_id"], ""))
        for row in verdicts.select(names).to_pylist()
    ]


def _shown(snapshot: Snapshot, chosen: list[Pair]) -> dict[Ruling | None, Example]:
    """What is shown of each image of the pairs."""
    rulings = [r for pair in chosen for r in (pair.removed, pair.kept) if r is not None]
    wanted = pa.array([r.scene_id for r in rulings], pa.string())
    planned = snapshot.scenes
    planned = planned.filter(pc.is_in(planned["scene_id"], value_set=wanted))
    scenes: dict[str, dict[str, Any]] = {row["scene_id"]: row for row in planned.to_pylist()}
    # Filters look at the clean images, whichever scenarios are asked about.
    folder, size = (
        thumbnails.folder_of(snapshot, CLEAN),
        snapshot.params.report.thumbnail_size,
    )
    small = thumbnails.of(folder, {r.image_id for r in rulings}, min(size, THUMBNAIL))
    tags = attempts.tags(snapshot, scenes)
    return {
        r: Example(
            r, scenes[r.scene_id]["style"], excerpt(scenes[r.scene_id]["caption"], 300),
            scenes[r.scene_id]["text"], small.get(r.image_id), tags.get(r.scene_id),
        )
        for r in rulings
        if r.scene_id in scenes
    }  # fmt: skip


def build(snapshot: Snapshot) -> list[Judged]:
    """All filters in the configured order, each among what the ones before it kept."""
    scenes, params = snapshot.scenes, snapshot.params
    ids, subtasks = scenes["scene_id"].to_pylist(), scenes["subtask"].to_pylist()
    subtask_of = dict(zip(ids, subtasks, strict=True))
    kept = snapshot.rendered.filter(snapshot.rendered["keep"])["scene_id"]
    found: list[tuple[FilterSpec, list[Ruling], list[Pair]]] = []
    for spec in params.filter.filters:
        verdicts = snapshot.filtered[spec.name]
        here = verdicts.filter(pc.is_in(verdicts["scene_id"], value_set=pc.unique(kept)))
        rulings = _rulings(here, subtask_of)
        found.append((spec, rulings, pairs(rulings)))
        kept = here.filter(here["keep"])["scene_id"]
    shown = _shown(snapshot, [pair for _, _, chosen in found for pair in chosen])

    return [
        Judged(
            spec.name, spec.registered, engine(spec),
            engine(spec) in params.reference.models, len(rulings),
            sum(r.score is not None for r in rulings), sum(not r.keep for r in rulings),
            sorted({r.threshold for r in rulings if r.threshold is not None}),
            histogram(rulings),
            *notes(rulings),
            [(shown.get(p.removed), shown.get(p.kept)) for p in chosen],
        )
        for spec, rulings, chosen in found
    ]  # fmt: skip
