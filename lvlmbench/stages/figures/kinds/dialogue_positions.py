"""What the first place is worth, and how often the order alone decides who wins."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.analysis.hallucinated import ALL
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import heat, legend, plotting
from lvlmbench.stages.figures.compared import SCHEMA, First, ends, first
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.tabular import signed
from lvlmbench.suites.dialogue import TASKS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_SCORES = ("as_first", "reference_second", "as_second", "reference_first")
_PLACES = ("as_first", "as_second")


@figure(
    "dialogue_positions",
    "What the first place is worth, and how often the order decides who wins",
    place=23,
)
def dialogue_positions(sources: Sources) -> Drawn:
    """Mean points of each model's answers where they are shown first and where second, and by task
    the share of pairs whose winner changes with the order."""
    found = first(sources)
    means = {model: _means(sources.snapshot, found, model) for model in found.models}
    shown = {model: each for model, each in means.items() if each}
    rows = found.rows(("bias", "flips"), (ALL, *TASKS))
    if not shown or not rows:
        raise NotApplicable("No pair was judged in both orders.")
    rows += [_row(found, model, place, each) for model, each in shown.items() for place in _PLACES]
    tasks = [name for name in TASKS if any(found.number(m, "flips", name) for m in found.models)]
    height = max(1.7 + 0.42 * len(shown), 1.3 + 0.22 * len(tasks))
    shares = (1, 1.15) if tasks else (1,)
    made, axes = plotting.apart(9.4 if tasks else 5.4, height, shares)
    _dumbbells(axes[0], found, shown)
    if tasks:
        _flips(axes[1], found, tasks)
        legend.legend(made, found.looks)
    return Drawn(made, pa.Table.from_pylist(rows, SCHEMA))


def _means(snapshot: Snapshot, found: First, model: str) -> dict[str, tuple[float, int]]:
    """Mean points of a model's answers by their place, over pairs with both orders."""
    names = {"judge": found.judge, "model": model, "scenario": found.scenario}
    rows = tables.read(snapshot.folder(tables.PAIRWISE, **names), tables.PAIRWISE, [*_SCORES])
    kept = [row for row in rows.to_pylist() if None not in row.values()]
    return {place: (fmean(r[place] for r in kept), len(kept)) for place in _PLACES if kept}


def _row(
    found: First, model: str, place: str, means: dict[str, tuple[float, int]]
) -> dict[str, Any]:
    value, n = means[place]
    return {"judge": found.judge, "model": model, "stratum": ALL, "measure": place,
            "value": value, "n": n}  # fmt: skip


def _dumbbells(ax: Axes, found: First, shown: dict[str, dict[str, tuple[float, int]]]) -> None:
    for at, (model, means) in enumerate(shown.items()):
        color = found.looks[model][0]
        after, before = (means[place][0] for place in ("as_second", "as_first"))
        ax.plot([after, before], [at, at], color=color, lw=2, alpha=0.5, zorder=2)
        ax.plot(before, at, "o", color=color, ms=6.5, zorder=3)
        ax.plot(after, at, "o", color=color, mfc=plotting.PAPER, mew=1.5, ms=6, zorder=3)
        bias = found.number(model, "bias")
        if bias is not None:
            text = f"first place: {signed(bias.value or 0.0, 2)} points"
            if bias.low is not None and bias.high is not None:
                text += f" ({signed(bias.low, 2)} to {signed(bias.high, 2)})"
            ax.text(0.1, at + 0.36, text, fontsize=7, color=plotting.MUTED, va="center_baseline")
    ax.set_title("Filled: shown first; open: second")
    ax.set_yticks(range(len(shown)), heat.short([*shown], 22))
    ax.set_ylim(len(shown) - 0.3, -0.5)
    ax.set_xlim(0, 10.3)
    ax.set_xticks(range(0, 11, 2))
    ax.set_xlabel("mean points of the answers, of 10")
    ax.grid(axis="x")


def _flips(ax: Axes, found: First, tasks: Sequence[str]) -> None:
    step = 0.6 / max(len(found.looks), 1)
    for i, (model, (color, marker)) in enumerate(found.looks.items()):
        shift = (i - (len(found.looks) - 1) / 2) * step
        for at, name in enumerate(tasks):
            number = found.number(model, "flips", name)
            if number is None:
                continue
            low, high = (min(max(end, 0.0), 100.0) for end in ends(number))
            ax.plot([low, high], [at + shift] * 2, color=color, lw=1, alpha=0.6, zorder=2)
            ax.plot(number.value or 0.0, at + shift, marker, color=color, ms=4,
                    mec=plotting.PAPER, mew=0.5, zorder=3, clip_on=False)  # fmt: skip
    ax.set_title("The order decides who wins")
    ax.set_yticks(range(len(tasks)), [TASKS[name].label for name in tasks])
    ax.set_ylim(len(tasks) - 0.4, -0.6)
    ax.set_xlim(0, 100)
    ax.set_xlabel("pairs whose winner changes with the order (%)")
    ax.grid(axis="x")
