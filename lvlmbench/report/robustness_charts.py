"""Figures about the scenarios beside clean."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lvlmbench.report import marks, plotting, robustness
from lvlmbench.report.inputs import Snapshot
from lvlmbench.report.labels import plain
from lvlmbench.report.robustness import SEVERITIES, Curves, Differences
from lvlmbench.report.standings import ALL, Standings, Value

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Panels beside one another.
_ABREAST = 3
_CURVES_ABREAST = 4


def _looks(snapshot: Snapshot, standings: Standings) -> marks.Looks:
    return marks.looks(
        marks.shown_models(standings, snapshot.first_scenario), standings.guessers
    )  # fmt: skip


def _ends(found: list[Differences], looks: marks.Looks) -> tuple[float, float]:
    """Where the axis of differences begins and ends: at tens, zero inside."""
    values = [v for d in found for m in looks for v in d.values.get(m, {}).values()]
    lows = [x for v in values if (x := v.low if v.low is not None else v.value) is not None]
    highs = [x for v in values if (x := v.high if v.high is not None else v.value) is not None]
    low, high = min([-10.0, *lows]), max([10.0, *highs])
    return 10 * (low // 10), -10 * (-high // 10)


def _difference_panel(
    ax: Axes, found: Differences, rows: list[str], looks: marks.Looks, ends: tuple[float, float]
) -> None:
    ax.axvline(0, color=plotting.INK, lw=1, zorder=2)
    step = 0.8 / max(len(looks), 1)
    for i, (model, look) in enumerate(looks.items()):
        shift = (i - (len(looks) - 1) / 2) * step
        marks.points(ax, found.values.get(model, {}), rows, shift, look)
    for y in range(1, len(rows)):
        ax.axhline(y - 0.5, color=plotting.GRID, lw=0.7, zorder=1)
    ax.set_title(found.condition.label)
    ax.set_xlabel("points against clean")
    ax.set_xlim(*ends)
    ax.grid(axis="x")
    ax.set_yticks(range(len(rows)), [plain(r) for r in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)


def _height(rows: int, looks: marks.Looks) -> float:
    return rows * max(0.24, 0.11 * len(looks) + 0.08)


def subtasks(snapshot: Snapshot, standings: Standings) -> Figure:
    """Differences to clean by the subtask asked about, one panel a scenario."""
    found = robustness.build(snapshot, standings).subtasks
    looks = _looks(snapshot, standings)
    rows = sorted({g for d in found for g in d.groups}, key=_order(found))
    down = -(-len(found) // _ABREAST)
    across = min(len(found), _ABREAST)
    made, axes = plotting.grid(
        4.2 + 1.9 * across if across < _ABREAST else 9.4,
        1.1 * down + down * _height(len(rows), looks), down, across,
    )  # fmt: skip
    ends = _ends(found, looks)
    for ax, differences in zip(axes, found, strict=False):
        _difference_panel(ax, differences, rows, looks, ends)
    for ax in axes[len(found) :]:
        ax.set_visible(False)
    marks.legend(made, looks)
    return made


def _order(found: list[Differences]) -> Callable[[str], int]:
    names = [g for d in sorted(found, key=lambda d: -len(d.groups)) for g in d.groups]
    return names.index


def kinds(snapshot: Snapshot, standings: Standings) -> Figure:
    """Differences to clean by kind of corruption."""
    found = robustness.build(snapshot, standings).kinds
    if found is None:
        return marks.empty("No corruption was run.")
    looks = _looks(snapshot, standings)
    made, (ax,) = plotting.figure(7.6, 1.1 + _height(len(found.groups), looks))
    _difference_panel(ax, found, found.groups, looks, _ends([found], looks))
    marks.legend(made, looks)
    return made


def _curve(ax: Axes, values: dict[str, Value], shift: float, look: tuple[str, str]) -> None:
    color, marker = look
    at = sorted(int(s) for s in values)
    heights = [values[str(x)].value or 0.0 for x in at]
    for x in at:
        value = values[str(x)]
        if value.low is not None and value.high is not None:
            ax.plot(
                [x + shift] * 2, [value.low, value.high], color=color, lw=1.1, alpha=0.55,
                solid_capstyle="butt", zorder=2,
            )  # fmt: skip
    ax.plot([x + shift for x in at], heights, color=color, lw=1.5, zorder=3)
    ax.plot(
        [x + shift for x in at], heights, marker, color=color, ms=4.2, mec=plotting.PAPER,
        mew=0.6, zorder=4, clip_on=False,
    )  # fmt: skip


def _heights(found: Curves, looks: marks.Looks) -> tuple[int, int]:
    """Where the axis of scores begins and ends: at quarters, all intervals inside."""
    values = [v for m in looks for of in found.values.get(m, {}).values() for v in of.values()]
    lows = [x for v in values if (x := v.low if v.low is not None else v.value) is not None]
    highs = [x for v in values if (x := v.high if v.high is not None else v.value) is not None]
    low, high = int(min([50.0, *lows]) // 25), int(-(-max([75.0, *highs]) // 25))
    return 25 * low, 25 * high


def _curve_panel(
    ax: Axes, found: Curves, kind: str, looks: marks.Looks, heights: tuple[int, int]
) -> None:
    for i, (model, look) in enumerate(looks.items()):
        values = found.values.get(model, {}).get(kind, {})
        if values:
            _curve(ax, values, 0.09 * (i - (len(looks) - 1) / 2), look)
    ax.set_title("All kinds" if kind == ALL else plain(kind), fontsize=9)
    ax.set_xticks([int(s) for s in SEVERITIES], ["clean", *SEVERITIES[1:]])
    ax.set_xlim(-0.4, 5.4)
    ax.set_ylim(*heights)
    ticks = range(heights[0], heights[1] + 1, 25)
    ax.set_yticks(ticks, [str(y) for y in ticks])
    ax.grid(axis="y")


def severities(snapshot: Snapshot, standings: Standings) -> Figure:
    """Total score over the severity of corruption, one panel a kind and one for all of them."""
    found = robustness.build(snapshot, standings).curves
    if found is None:
        return marks.empty("No corruption was run.")
    looks = _looks(snapshot, standings)
    across = min(len(found.kinds), _CURVES_ABREAST)
    down = -(-len(found.kinds) // across)
    made, axes = plotting.grid(max(2.4 * across, 5.2), 0.7 + 1.75 * down, down, across)
    heights = _heights(found, looks)
    for i, ax in enumerate(axes):
        if i < len(found.kinds):
            _curve_panel(ax, found, found.kinds[i], looks, heights)
            if i % across == 0:
                ax.set_ylabel("total score (%)")
            if i + across >= len(found.kinds):
                ax.set_xlabel("severity")
        else:
            ax.set_visible(False)
    marks.legend(made, looks)
    return made


def applicable(
    snapshot: Snapshot, standings: Standings
) -> dict[str, Callable[[Snapshot, Standings], Figure]]:
    """File name -> how the figure is drawn, for the scenarios that were run."""
    found = robustness.build(snapshot, standings)
    out: dict[str, Callable[[Snapshot, Standings], Figure]] = {}
    if found.subtasks:
        out["robustness_subtasks"] = subtasks
    if found.kinds is not None:
        out["corruption_kinds"] = kinds
    if found.curves is not None:
        out["corruption_severities"] = severities
    return out
