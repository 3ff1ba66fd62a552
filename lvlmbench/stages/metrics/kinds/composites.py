"""Rows of the numbers that are made of many others: totals, SQ and SC."""

from __future__ import annotations

import numpy as np

from lvlmbench.stages.metrics.counts import Counts
from lvlmbench.stages.metrics.metric import METRICS, Answers
from lvlmbench.stages.metrics.rows import Key, Rows
from lvlmbench.stages.metrics.sensitivity import question_types, styles
from lvlmbench.stats.resampling import F64, Bootstrap


@METRICS.register("composites", place=1)
def add(out: Rows, of: Answers) -> None:
    """Add ``total``, ``total_strict``, ``sq``, ``sc`` and what belongs to them."""
    sample, strict, bootstrap = of.sample, of.strict, of.bootstrap
    for metric, one in (("total", sample), ("total_strict", strict)):
        out.add_figure(Key(), metric, one.total, one.counts())
    spreads = question_types(sample), styles(sample)
    influences = [None if spread is None else spread.influence for spread in spreads]
    moved = iter(_resampled(influences, bootstrap))
    closed = [sample.counts_of(kind) for kind in ("true_false", "multiple_choice")]
    complete = [c for name, c in sample.parts("style") if sample.styles[name] is not None]
    for metric, spread, parts in zip(("sq", "sc"), spreads, (closed, complete), strict=True):
        deviations, counts = next(moved), Counts().plus(*parts)
        if spread is None:
            out.add(Key(), metric, None, None, counts)
            for name in (f"{metric}_noise", f"{metric}_corrected"):
                out.add(Key(), name, None, None, counts)
        else:
            error = spread.error(deviations)
            out.add(Key(), metric, spread.value, error, counts)
            out.add(Key(), f"{metric}_noise", spread.noise, None, counts)
            out.add(Key(), f"{metric}_corrected", spread.corrected, error, counts)
    out.add(Key(), "sc_styles", float(len(complete)), None, counts)


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
