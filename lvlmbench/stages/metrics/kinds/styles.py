"""SC within scenes: rows of the scenario that shows the same scenes in several styles."""

from __future__ import annotations

from lvlmbench.stages.metrics.metric import METRICS, Answers
from lvlmbench.stages.metrics.rows import Key, Rows
from lvlmbench.stages.metrics.styles import Paired, sensitivity


@METRICS.register("styles", place=7)
def add(out: Rows, of: Answers) -> None:
    """Add ``sc_paired`` and what belongs to it, where questions have a base."""
    if not (of.asked["base"] >= 0).any():
        return
    counts, paired = of.sample.counts(), Paired.of(of.table)
    n = (0, 0, 0) if paired is None else (paired.n_styles, paired.n_questions, paired.n_scenes)
    for name, number in zip(("styles", "questions", "scenes"), n, strict=True):
        out.add(Key(), f"sc_paired_{name}", float(number), None, counts)
    found = None if paired is None or n[0] < 2 or n[2] < 2 else sensitivity(paired, of.bootstrap)
    names = ("sc_paired", "sc_paired_noise", "sc_paired_corrected", "sc_paired_p")
    if found is None:
        for name in names:
            out.add(Key(), name, None, None, counts)
        return
    spread = found.spread
    values = (spread.value, spread.noise, spread.corrected, found.p)
    errors = (found.error, None, found.error, None)
    for name, value, error in zip(names, values, errors, strict=True):
        out.add(Key(), name, value, error, counts)
