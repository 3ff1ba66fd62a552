"""Figures about the scenarios beside clean."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from lvlmbench.analysis import robustness
from lvlmbench.analysis.labels import plain
from lvlmbench.analysis.leaderboard import ALL
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.analysis.robustness import SEVERITIES, Curves, Differences, Robustness
from lvlmbench.config.headline import headline_of
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.stages.figures import legend, plotting
from lvlmbench.stages.figures import rows as csv_rows
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Panels beside one another.
_ABREAST = 3
_CURVES_ABREAST = 4


def _looks(sources: Sources) -> legend.Looks:
    leaderboard = sources.leaderboard
    models = legend.shown_models(leaderboard, sources.snapshot.first_scenario)
    return legend.looks(models, leaderboard)


def _found(sources: Sources) -> Robustness:
    return robustness.build(sources.snapshot, sources.leaderboard)


def _ends(found: list[Differences], looks: legend.Looks) -> tuple[float, float]:
    """Where the axis of differences begins and ends: at tens, zero inside."""
    values = [v for d in found for m in looks for v in d.values.get(m, {}).values()]
    lows = [x for v in values if (x := v.low if v.low is not None else v.value) is not None]
    highs = [x for v in values if (x := v.high if v.high is not None else v.value) is not None]
    low, high = min([-10.0, *lows]), max([10.0, *highs])
    return 10 * (low // 10), -10 * (-high // 10)


def _difference_panel(
    ax: Axes, found: Differences, rows: list[str], looks: legend.Looks, ends: tuple[float, float]
) -> None:
    ax.axvline(0, color=plotting.INK, lw=1, zorder=2)
    step = 0.8 / max(len(looks), 1)
    for i, (model, look) in enumerate(looks.items()):
        shift = (i - (len(looks) - 1) / 2) * step
        legend.points(ax, found.values.get(model, {}), rows, shift, look)
    for y in range(1, len(rows)):
        ax.axhline(y - 0.5, color=plotting.GRID, lw=0.7, zorder=1)
    ax.set_title(found.condition.label)
    ax.set_xlabel("points against clean")
    ax.set_xlim(*ends)
    ax.grid(axis="x")
    ax.set_yticks(range(len(rows)), [plain(r) for r in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)


def _height(rows: int, looks: legend.Looks) -> float:
    return rows * max(0.24, 0.11 * len(looks) + 0.08)


@figure(
    "robustness_subtasks",
    "Differences to clean by the subtask asked about",
    "Dysca, section 4.2",
    place=1,
    counted=True,
)
def subtasks(sources: Sources) -> Drawn:
    """Differences to clean by the subtask asked about, one panel a scenario."""
    found = _found(sources).subtasks
    if not found:
        raise NotApplicable("No scenario was run beside clean.")
    looks = _looks(sources)
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
    legend.legend(made, looks)
    values = {d.condition.name: {m: d.values.get(m, {}) for m in looks} for d in found}
    return Drawn(made, csv_rows.of_differences(values, "subtask"))


def _order(found: list[Differences]) -> Callable[[str], int]:
    names = [g for d in sorted(found, key=lambda d: -len(d.groups)) for g in d.groups]
    return names.index


@figure(
    "corruption_kinds",
    "Differences to clean by kind of corruption",
    place=2,
    counted=True,
)
def kinds(sources: Sources) -> Drawn:
    """Differences to clean by kind of corruption."""
    found = _found(sources).kinds
    if found is None:
        raise NotApplicable("No corruption was run beside clean.")
    looks = _looks(sources)
    made, (ax,) = plotting.figure(7.6, 1.1 + _height(len(found.groups), looks))
    _difference_panel(ax, found, found.groups, looks, _ends([found], looks))
    legend.legend(made, looks)
    values = {found.condition.name: {m: found.values.get(m, {}) for m in looks}}
    return Drawn(made, csv_rows.of_differences(values, "kind"))


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


def _heights(found: Curves, looks: legend.Looks) -> tuple[int, int]:
    """Where the axis of scores begins and ends: at quarters, all intervals inside."""
    values = [v for m in looks for of in found.values.get(m, {}).values() for v in of.values()]
    lows = [x for v in values if (x := v.low if v.low is not None else v.value) is not None]
    highs = [x for v in values if (x := v.high if v.high is not None else v.value) is not None]
    low, high = int(min([50.0, *lows]) // 25), int(-(-max([75.0, *highs]) // 25))
    return 25 * low, 25 * high


def _curve_panel(
    ax: Axes, found: Curves, kind: str, looks: legend.Looks, heights: tuple[int, int]
) -> None:
    for i, (model, look) in enumerate(looks.items()):
        values = found.values.get(model, {}).get(kind, {})
        if values:
            _curve(ax, values, 0.09 * (i - (len(looks) - 1) / 2), look)
    ax.set_title("All kinds" if kind == ALL else plain(kind), fontsize=9)
    ax.set_xticks([int(s) for s in SEVERITIES], [CLEAN, *SEVERITIES[1:]])
    ax.set_xlim(-0.4, 5.4)
    ax.set_ylim(*heights)
    ticks = range(heights[0], heights[1] + 1, 25)
    ax.set_yticks(ticks, [str(y) for y in ticks])
    ax.grid(axis="y")


@figure(
    "corruption_severities",
    "Scores by severity of corruption",
    place=3,
    counted=True,
)
def severities(sources: Sources) -> Drawn:
    """The headline over the severity of corruption, one panel a kind and one for all of them."""
    found = _found(sources).curves
    if found is None:
        raise NotApplicable("No corruption was run.")
    looks = _looks(sources)
    across = min(len(found.kinds), _CURVES_ABREAST)
    down = -(-len(found.kinds) // across)
    made, axes = plotting.grid(max(2.4 * across, 5.2), 0.7 + 1.75 * down, down, across)
    heights = _heights(found, looks)
    for i, ax in enumerate(axes):
        if i < len(found.kinds):
            _curve_panel(ax, found, found.kinds[i], looks, heights)
            if i % across == 0:
                ax.set_ylabel(f"{headline_of(sources.snapshot.params).label} (%)")
            if i + across >= len(found.kinds):
                ax.set_xlabel("severity")
        else:
            ax.set_visible(False)
    legend.legend(made, looks)
    table = csv_rows.table(
        ["model", "kind", "severity"],
        (
            ((model, kind, severity), value)
            for model in looks
            for kind, of_kind in found.values.get(model, {}).items()
            for severity, value in of_kind.items()
        ),
    )
    return Drawn(made, table)
