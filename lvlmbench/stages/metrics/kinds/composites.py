"""Rows of the numbers that are made of many others: headlines, totals, SQ and SC."""

from __future__ import annotations

import numpy as np

from lvlmbench.stages.metrics.counts import Counts
from lvlmbench.stages.metrics.headline import NOT_JUDGED, free_counts
from lvlmbench.stages.metrics.metric import METRICS, Answers
from lvlmbench.stages.metrics.rows import HEADLINE, Key, Rows
from lvlmbench.stages.metrics.sensitivity import question_types, styles
from lvlmbench.stats.resampling import F64, Bootstrap, Spread


@METRICS.register("composites", place=1)
def add(out: Rows, of: Answers) -> None:
    """Add ``headline``, ``sq``, where captions are scored ``total`` and ``sc``, and what belongs to
    them; what judges give is taken as it is."""
    if of.headline.headline.table is not None:
        found = of.judged or NOT_JUDGED
        ends = None, found.low, found.high
        counts = free_counts(of.table, of.headline.headline, of.judged)
        out.add(Key(), HEADLINE, found.value, ends, counts)
    _add_figures(out, of)
    spreads = _spreads(of)
    influences = [None if spread is None else spread.influence for spread, _ in spreads.values()]
    moved = iter(_resampled(influences, of.bootstrap))
    for metric, (spread, counts) in spreads.items():
        deviations = next(moved)
        if spread is None:
            for name in (metric, f"{metric}_noise", f"{metric}_corrected"):
                out.add(Key(), name, None, None, counts)
        else:
            around = spread.error(deviations)
            out.add(Key(), metric, spread.value, around, counts)
            out.add(Key(), f"{metric}_noise", spread.noise, None, counts)
            out.add(Key(), f"{metric}_corrected", spread.corrected, around, counts)
    if "sc" in spreads:
        met = sum(figure is not None for figure in of.sample.styles.values())
        out.add(Key(), "sc_styles", float(met), None, spreads["sc"][1])


def _add_figures(out: Rows, of: Answers) -> None:
    if of.headline.headline.table is None:
        for suffix, each in (("", of.headline), ("_strict", of.headline_strict)):
            out.add_figure(Key(), HEADLINE + suffix, each.figure, each.counts())
    if of.headline.headline.captions:
        for suffix, sample in (("", of.sample), ("_strict", of.strict)):
            out.add_figure(Key(), "total" + suffix, sample.total, sample.counts())


def _spreads(of: Answers) -> dict[str, tuple[Spread | None, Counts]]:
    """Metric -> its spread and counts."""
    sample = of.sample
    closed = [sample.counts_of(kind) for kind in ("true_false", "multiple_choice")]
    found = {"sq": (question_types(sample), Counts().plus(*closed))}
    if of.headline.headline.captions:
        complete = [c for name, c in sample.parts("style") if sample.styles[name] is not None]
        found["sc"] = styles(sample), Counts().plus(*complete)
    return found


def _resampled(blocks: list[F64 | None], bootstrap: Bootstrap) -> list[F64]:
    """Deviations of each block of columns, all from one pass over the draws; of none where there
    is no block."""
    found = [b for b in blocks if b is not None]
    empty = np.zeros((bootstrap.resamples, 0))
    if not found:
        return [empty for _ in blocks]
    ends = np.cumsum([b.shape[1] for b in found])[:-1]
    moved = iter(np.split(bootstrap.deviations(np.hstack(found)), ends, axis=1))
    return [empty if b is None else next(moved) for b in blocks]
