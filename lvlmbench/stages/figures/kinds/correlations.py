"""How our ranking of models agrees with that of other benchmarks (Dysca, table 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.core.untrusted import plain_text
from lvlmbench.stages.figures import heat, plotting
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.validity import files

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Column of the table -> title of its panel.
_PANELS = {"spearman": "Spearman's rho", "kendall": "Kendall's tau-b"}
_LOOKS = {"all": (plotting.MODELS[0], "o", "all styles"),
          "realistic": (plotting.MODELS[1], "s", "realistic styles")}  # fmt: skip
_APART = 0.2


def _chance(p: float) -> str:
    return f"p {p:.3f}" if p >= 0.001 else "p < 0.001"


def _panel(ax: Axes, rows: list[dict[str, Any]], benchmarks: list[str], name: str) -> None:
    ax.axvline(0, color=plotting.MUTED, lw=0.8, zorder=1)
    for row in rows:
        color, marker, _ = _LOOKS[row["styles"]]
        shift = -_APART if row["styles"] == "all" else _APART
        y = benchmarks.index(row["benchmark"]) + shift
        if row[name] is None:
            few = f"{row['models']} in common, too few or all equal"
            ax.text(-0.97, y, few, va="center", fontsize=7, color=plotting.MUTED)
            continue
        ends = [row[f"{name}_low"], row[f"{name}_high"]]
        ax.plot(ends, [y, y], color=color, lw=1.5, solid_capstyle="butt", zorder=3)
        ax.plot(
            row[name], y, marker, color=color, ms=5.6, mec=plotting.PAPER, mew=0.7, zorder=4,
            clip_on=False,
        )  # fmt: skip
        side = "right" if row[name] > 0.6 else "left"
        ax.annotate(
            f"{row[name]:.2f}  n {row['models']}  {_chance(row[f'{name}_p'])}", (row[name], y),
            (-7 if side == "right" else 7, 3.5), textcoords="offset points", fontsize=6.6, ha=side,
            va="bottom", color=plotting.MUTED,
        )  # fmt: skip
    ax.set_title(_PANELS[name])
    ax.set_xlim(-1.02, 1.02)
    ax.set_xticks([-1, -0.5, 0, 0.5, 1])
    ax.grid(axis="x")
    labels = heat.short([plain_text(benchmark) for benchmark in benchmarks], 34)
    ax.set_yticks(range(len(benchmarks)), labels)
    ax.set_ylim(len(benchmarks) - 0.4, -0.6)


def _draw(rows: list[dict[str, Any]]) -> Figure:
    from matplotlib.lines import Line2D

    benchmarks = list(dict.fromkeys(row["benchmark"] for row in rows))
    made, axes = plotting.figure(9.4, 1.35 + 0.62 * len(benchmarks), len(_PANELS))
    for ax, name in zip(axes, _PANELS, strict=True):
        _panel(ax, rows, benchmarks, name)
    handles = [
        Line2D([], [], color=color, marker=marker, lw=1.5, ms=5.6, label=f"{label}, 95 % interval")
        for color, marker, label in _LOOKS.values()
    ]
    made.legend(handles=handles, loc="outside upper left", ncols=2)
    return made


@figure(
    "rank_correlations",
    "Agreement with the rankings of other benchmarks",
    "Dysca, table 4",
    place=13,
)
def rank_correlations(sources: Sources) -> Drawn:
    """Rank correlations with each benchmark that ranks three or more of our models."""
    if sources.validity is None:
        raise NotApplicable("The ranking was not held against other benchmarks.")
    table = files.read(sources.validity, "correlations.csv")
    rows = table.to_pylist()
    shown = {row["benchmark"] for row in rows if row["spearman"] is not None}
    if not shown:
        most = max((row["models"] for row in rows), default=0)
        raise NotApplicable(
            f"No benchmark ranks three of these models ({most} at most); "
            "docs/validity.md tells how to add rankings and names."
        )
    wanted = pc.is_in(table["benchmark"], value_set=pa.array(sorted(shown), pa.string()))
    return Drawn(_draw([row for row in rows if row["benchmark"] in shown]), table.filter(wanted))
