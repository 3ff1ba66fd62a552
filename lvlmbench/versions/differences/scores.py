"""How the headline numbers of two versions differ, and whether more than by chance."""

from __future__ import annotations

import math
from typing import Any

from lvlmbench.analysis.headlines import KEYS, is_headline
from lvlmbench.snapshot.place import Place
from lvlmbench.tables import METRICS

Json = dict[str, Any]

#: Of a normal distribution, two-sided 95 percent.
_Z = 1.959964

_COUNTS = ("n", "n_unscored", "n_refused", "n_truncated", "n_failed")
_COLUMNS = [
    *("questions", "model", "scenario", "metric", *KEYS, "value", "stderr", "low", "high"),
    *_COUNTS,
]


def headlines(view: Place) -> dict[tuple[str, str], Json]:
    """(model, scenario) -> the row of its headline over all questions."""
    found = {}
    for batch in view.batches(METRICS, _COLUMNS):
        for row in batch.to_pylist():
            if row["questions"] == "all" and is_headline(row):
                kept = ("value", "stderr", "low", "high", *_COUNTS)
                found[row["model"], row["scenario"]] = {name: row[name] for name in kept}
    return found


def score_changes(a: Place, b: Place) -> list[Json]:
    """Headlines by model and scenario, where both versions or one of them has one.

    ``low`` and ``high`` are about the difference as of two independent samples of questions, at 95
    percent; ``within`` says whether it may be chance: zero lies between them. Versions that share
    questions differ by less than that by chance.
    """
    old, new = headlines(a), headlines(b)
    found = []
    for pair in sorted({*old, *new}):
        told: Json = {"model": pair[0], "scenario": pair[1]}
        told |= {s: each[pair] for s, each in (("old", old), ("new", new)) if pair in each}
        if "old" in told and "new" in told:
            told |= _difference(told["old"], told["new"])
            if told["old"] == told["new"]:
                continue
        found.append(told)
    return found


def _difference(old: Json, new: Json) -> Json:
    if old["value"] is None or new["value"] is None:
        return {"difference": None}
    difference = new["value"] - old["value"]
    errors = [side["stderr"] for side in (old, new)]
    if any(error is None or math.isnan(error) for error in errors):
        return {"difference": difference}
    half = _Z * math.hypot(*errors)
    return {
        "difference": difference,
        "low": difference - half,
        "high": difference + half,
        "within": abs(difference) <= half,
    }
