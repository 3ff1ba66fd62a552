"""How models do on an older drawing of an exam's plan, which may have leaked, and on this one
(AutoDavis, figure 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from lvlmbench.stages.figures import heat, legend, plotting
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.regenerated import Pairs, Regenerated, build

_LEAKED, _FRESH = (plotting.MODELS[1], "o"), (plotting.MODELS[0], "s")
_LONGEST = 22
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("older_suite", "model", "verdict")),
        *((name, pa.int64()) for name in ("pairs", "planned")),
        *((name, pa.float64()) for name in ("older", "newer", "difference", "low", "high")),
    ]
)


@figure(
    "leakage",
    "Accuracy on an older drawing of the plan, which may have leaked, and on this one",
    "AutoDavis, figure 5",
)
def leakage(sources: Sources) -> Drawn:
    """Accuracy of each model over items that were asked in the older drawing that
    ``figures.beside`` names and in this one, and the difference (AutoDavis, figure 5)."""
    if sources.beside is None:
        raise NotApplicable("No other suite of this run is named by figures.beside.")
    models = sources.leaderboard.models
    found = build(sources.snapshot, [sources.beside], models)
    if not found or not found[0].pairs:
        raise NotApplicable(
            f"The suite {sources.beside.params.suite} is no older drawing of the same plan."
        )
    (older,) = found
    rows = [
        {
            "older_suite": older.suite, "model": each.model, "verdict": each.verdict,
            "pairs": each.n, "planned": each.planned,
            **{
                name: None if value is None else round(value, 6)
                for name, value in (
                    ("older", each.older), ("newer", each.newer),
                    ("difference", each.difference), ("low", each.low), ("high", each.high),
                )
            },
        }
        for each in older.pairs
    ]  # fmt: skip
    made = _drawn(older, older.pairs[: 2 * legend.MAX_MODELS], sources.snapshot.params.suite)
    return Drawn(made, pa.Table.from_pylist(rows, _SCHEMA))


def _drawn(older: Regenerated, pairs: Sequence[Pairs], suite: str) -> Any:
    from matplotlib.lines import Line2D

    made, (left, right) = plotting.figure(9.4, 1.35 + 0.4 * len(pairs), 2)
    for y, each in enumerate(pairs):
        left.plot([each.newer, each.older], [y, y], color=plotting.GRID, lw=2, zorder=1)
        for value, (color, marker) in ((each.older, _LEAKED), (each.newer, _FRESH)):
            left.plot(value, y, marker, color=color, ms=6, mec=plotting.PAPER, mew=0.6, zorder=3)
        if each.low is not None and each.high is not None:
            right.plot([each.low, each.high], [y, y], color=plotting.INK, lw=1.4, zorder=2)
        right.plot(each.difference, y, "D", color=plotting.INK, ms=4.6, zorder=3)
        place = max(x for x in (each.difference, each.high) if x is not None)
        right.text(place, y, f"  {each.verdict}", va="center_baseline", fontsize=7.6,
                   color=plotting.MUTED)  # fmt: skip
    left.set_title("Accuracy over the same items", fontsize=9)
    left.set_yticks(range(len(pairs)), heat.short([each.model for each in pairs], _LONGEST))
    left.set_ylim(len(pairs) - 0.4, -0.6)
    left.set_xlim(0, 100)
    left.set_xlabel("accuracy (%)")
    left.grid(axis="x")
    right.set_title("Older less fresh, 95% interval over aspects", fontsize=9)
    right.set_xlabel(f"points; within {older.margin:.0f} counts as equivalent")
    right.axvspan(-older.margin, older.margin, color=plotting.GRID, alpha=0.6, lw=0, zorder=0)
    right.axvline(0, color=plotting.INK, lw=1, zorder=1)
    low, high = right.get_xlim()
    right.set_xlim(low, high + 0.25 * (high - low))
    right.grid(axis="x")
    named = {f"{older.suite}, older": _LEAKED, f"{suite}, fresh": _FRESH}
    handles = [
        Line2D([], [], color=color, marker=marker, lw=0, ms=6, label=label)
        for label, (color, marker) in named.items()
    ]
    made.legend(handles=handles, loc="outside upper left", ncols=2)
    return made
