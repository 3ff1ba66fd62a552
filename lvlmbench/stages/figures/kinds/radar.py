"""One small radar a model: accuracies over the subtasks, against guessing."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lvlmbench.analysis import tasks
from lvlmbench.analysis.labels import plain
from lvlmbench.analysis.tasks import Grid
from lvlmbench.stages.figures import heat, legend, plotting
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.kinds.heatmaps import blocks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Radars on the page; the table holds all models.
MAX_MODELS = 12
_ACROSS = 3
#: Of one radar, in inches: radius at 100 %, and the room around it.
_RADIUS, _WIDTH, _HEIGHT, _HEAD = 1.02, 3.35, 2.95, 0.42


def _corner(i: int, count: int, value: float) -> tuple[float, float]:
    """Place of ``value`` percent on spoke ``i``; the first spoke points up, the next is right."""
    angle = math.pi / 2 - 2 * math.pi * i / count
    return _RADIUS * value / 100 * math.cos(angle), _RADIUS * value / 100 * math.sin(angle)


def _ring(values: Sequence[float], x: float, y: float) -> list[tuple[float, float]]:
    corners = [_corner(i, len(values), v) for i, v in enumerate(values)]
    return [(x + a, y + b) for a, b in corners]


def _web(ax: Axes, grid: Grid, x: float, y: float) -> None:
    """Rings at quarters, spokes, names, and what guessing gets."""
    from matplotlib.patches import Polygon

    count = len(grid.groups)
    chance = [grid.chance.get(g, 0.0) for g in grid.groups]
    ax.add_patch(Polygon(_ring(chance, x, y), fc=plotting.FLOOR, lw=0, zorder=1))
    for level in (25, 50, 75, 100):
        ring = _ring([level] * count, x, y)
        ax.add_patch(Polygon(ring, fc="none", ec=plotting.GRID, lw=0.6, zorder=2))
        if level in (50, 100):
            ax.text(x + 0.03, y + _RADIUS * level / 100, str(level), fontsize=5.6, va="bottom",
                    color=plotting.MUTED, zorder=6)  # fmt: skip
    for i, group in enumerate(grid.groups):
        dx, dy = _corner(i, count, 100)
        ax.plot([x, x + dx], [y, y + dy], color=plotting.GRID, lw=0.5, zorder=2)
        side = "center" if abs(dx) < 0.02 else ("left" if dx > 0 else "right")
        # Beside the ring at the sides, above and below it at the poles.
        out = 1.06 if side != "center" else 1.13
        ax.text(x + out * dx, y + out * dy, plain(group), ha=side, va="center", fontsize=6.4,
                color=plotting.INK, zorder=6)  # fmt: skip


def _shape(ax: Axes, grid: Grid, model: str, color: str, x: float, y: float) -> None:
    """A model's polygon; it is open where a score is missing."""
    from matplotlib.patches import Polygon

    values = [grid.value(model, group) for group in grid.groups]
    count = len(values)
    known = [v for v in values if v is not None]
    corners = [None if v is None else _corner(i, count, v) for i, v in enumerate(values)]
    if len(known) == count:
        ring = _ring(known, x, y)
        ax.add_patch(Polygon(ring, fc=color, alpha=0.16, lw=0, zorder=3))
    for i, corner in enumerate(corners):
        after = corners[(i + 1) % count]
        if corner is not None and after is not None:
            ax.plot([x + corner[0], x + after[0]], [y + corner[1], y + after[1]], color=color,
                    lw=1.3, solid_capstyle="round", zorder=4)  # fmt: skip
        if corner is not None:
            ax.plot(x + corner[0], y + corner[1], "o", color=color, ms=2.2, mew=0, zorder=5)


def _table(grid: Grid, models: Sequence[str]) -> pa.Table:
    """One row a model and subtask; ``drawn`` tells which models are on the page."""
    rows: list[dict[str, Any]] = [
        {
            "model": model, "subtask": group, "value": v.value, "low": v.low, "high": v.high,
            "n": v.n, "n_unscored": v.n_unscored, "chance": grid.chance.get(group),
            "drawn": i < MAX_MODELS,
        }
        for i, model in enumerate(models)
        for group in grid.groups
        if (v := grid.values[model].get(group)) is not None
    ]  # fmt: skip
    numbers = [(n, pa.float64()) for n in ("value", "low", "high")]
    counts = [("n", pa.int64()), ("n_unscored", pa.int64())]
    about = [("chance", pa.float64()), ("drawn", pa.bool_())]
    names = [("model", pa.string()), ("subtask", pa.string())]
    return pa.Table.from_pylist(rows, pa.schema([*names, *numbers, *counts, *about]))


@figure(
    "radar",
    "Accuracy of each model over the subtasks, against guessing",
    place=6,
    counted=True,
)
def radar(sources: Sources) -> Drawn:
    """Closed questions by the subtask asked about, one radar a model; gray is what guessing
    gets."""
    from matplotlib.figure import Figure

    scenario = sources.snapshot.first_scenario
    under_test, references, _ = blocks(sources.leaderboard, scenario)
    models = under_test + references
    grid = tasks.by_column(sources.snapshot, models, scenario, "subtask", sources.snapshot.subtasks)
    if not models or len(grid.groups) < 3:
        raise NotApplicable("A radar needs a model that does not guess, and three subtasks.")
    shown = models[:MAX_MODELS]
    across = min(len(shown), _ACROSS)
    down = -(-len(shown) // across)
    notes = [
        "Accuracy in percent, mean of multiple choice and true or false.",
        "Gray: what guessing gets. Rings: 25, 50, 75, 100.",
    ]
    if len(models) > len(shown):
        notes.append(
            f"{len(shown)} of {len(models)} models: those under test first, the best first; the "
            "table has all."
        )
    if any(grid.value(m, g) is None for m in shown for g in grid.groups):
        notes.append("Open where no answer was scored.")
    head = 0.12 + 0.19 * len(notes)
    width = max(across * _WIDTH, 4.6)
    height = head + down * _HEIGHT
    made = Figure(figsize=(width, height))
    ax = made.add_axes((0, 0, 1, 1))
    ax.set_xlim(0, width)
    ax.set_ylim(0, height)
    ax.set_axis_off()
    for i, note in enumerate(notes):
        ax.text(0.12, height - 0.1 - 0.19 * i, note, va="top", fontsize=7.6, color=plotting.MUTED)
    looks = legend.looks(shown, sources.leaderboard)
    for i, (model, name) in enumerate(zip(shown, heat.short(shown, 36), strict=True)):
        x = (i % across + 0.5) * _WIDTH
        top = height - head - i // across * _HEIGHT
        y = top - _HEAD - _RADIUS - 0.2
        ax.text(x, top - 0.1, name, ha="center", va="top", fontsize=9, fontweight="bold")
        _web(ax, grid, x, y)
        _shape(ax, grid, model, looks[model][0], x, y)
    return Drawn(made, _table(grid, models))
