"""How much of what models say is true, against how much of what is there they say."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lvlmbench.analysis.hallucinated import Number
from lvlmbench.stages.figures import legend, plotting
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.hallucinated import First, first

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Values of F1 whose lines are drawn, in percent.
_LEVELS = (20, 40, 60, 80)
_STEPS = 60
_MEASURES = ("faithfulness", "coverage", "f1")
_AT = "faithfulness_at"
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("judge", "model", "measure")),
        ("claims", pa.int64()),
        *((name, pa.float64()) for name in ("value", "low", "high")),
        ("n", pa.int64()),
    ]
)


@figure(
    "faithfulness_coverage",
    "How much of what models say is true, and how much of what is there they say",
    "VALOR-Eval, table 3",
    place=17,
)
def faithfulness_coverage(sources: Sources) -> Drawn:
    """Faithfulness against coverage, with lines of equal F1, and faithfulness over the first claims
    of each answer, so that who says much is compared with who says little."""
    found = first(sources)
    lengths = [int(each) for each in found.numbers.strata(found.judge, found.scenario, _AT)]
    rows = [row for model in found.models for row in _rows(found, model, sorted(lengths))]
    if not any(row["value"] is not None for row in rows):
        raise NotApplicable("No claim was judged.")
    made, axes = plotting.figure(9.4 if lengths else 5.6, 4.4, 2 if lengths else 1)
    _plane(axes[0], found)
    if lengths:
        _by_length(axes[1], found, sorted(lengths))
    legend.legend(made, found.looks)
    return Drawn(made, pa.Table.from_pylist(rows, _SCHEMA))


def _rows(found: First, model: str, lengths: list[int]) -> list[dict[str, Any]]:
    asked: list[tuple[str, int | None, Number | None]] = [
        (measure, None, found.number(model, measure)) for measure in _MEASURES
    ]
    asked += [(_AT, k, found.number(model, _AT, stratum=str(k))) for k in lengths]
    return [
        {
            "judge": found.judge, "model": model, "measure": measure, "claims": claims,
            "value": number.value, "low": number.low, "high": number.high, "n": number.n,
        }
        for measure, claims, number in asked
        if number is not None
    ]  # fmt: skip


def _plane(ax: Axes, found: First) -> None:
    for level in _LEVELS:
        least = level / (200 - level) * 100
        across = [least + (100 - least) * step / _STEPS for step in range(_STEPS + 1)]
        up = [level * x / (2 * x - level) for x in across]
        ax.plot(across, up, color=plotting.GRID, lw=0.9, zorder=1)
        ax.text(
            level, level, f"F1 {level}", fontsize=7.4, color=plotting.MUTED, ha="center",
            va="center", bbox={"facecolor": plotting.PAPER, "edgecolor": "none", "pad": 0.8},
            zorder=2,
        )  # fmt: skip
    for model, (color, marker) in found.looks.items():
        across_of, up_of = found.number(model, "coverage"), found.number(model, "faithfulness")
        if across_of is None or up_of is None or across_of.value is None or up_of.value is None:
            continue
        x, y = across_of.value, up_of.value
        ax.plot(_ends(across_of), [y, y], color=color, lw=1.3, solid_capstyle="butt", zorder=3)
        ax.plot([x, x], _ends(up_of), color=color, lw=1.3, solid_capstyle="butt", zorder=3)
        ax.plot(x, y, marker, color=color, ms=6.5, mec=plotting.PAPER, mew=0.8, zorder=4)
    ax.set_title("True, and complete")
    ax.set_xlabel("coverage (%)")
    ax.set_ylabel("faithfulness (%)")
    ax.set_xlim(0, 100)
    ax.set_ylim(0, 102)
    ax.set_xticks(range(0, 101, 20))
    ax.set_yticks(range(0, 101, 20))


def _ends(number: Number) -> list[float]:
    middle = number.value or 0.0
    low = middle if number.low is None else number.low
    return [low, middle if number.high is None else number.high]


def _by_length(ax: Axes, found: First, lengths: list[int]) -> None:
    step = 0.5 / max(len(found.looks), 1)
    for i, (model, (color, marker)) in enumerate(found.looks.items()):
        shift = (i - (len(found.looks) - 1) / 2) * step
        known = [
            (at + shift, number)
            for at, k in enumerate(lengths)
            if (number := found.number(model, _AT, stratum=str(k))) and number.value is not None
        ]
        ax.plot([x for x, _ in known], [n.value or 0.0 for _, n in known], color=color, lw=1,
                alpha=0.5, zorder=2)  # fmt: skip
        for x, number in known:
            ax.plot([x, x], _ends(number), color=color, lw=1.3, solid_capstyle="butt", zorder=3)
            ax.plot(x, number.value or 0.0, marker, color=color, ms=4.6, mec=plotting.PAPER,
                    mew=0.6, zorder=4)  # fmt: skip
    ax.set_title("At the same length")
    ax.set_xlabel("first claims of each answer that count")
    ax.set_xticks(range(len(lengths)), [str(k) for k in lengths])
    ax.grid(axis="y")
