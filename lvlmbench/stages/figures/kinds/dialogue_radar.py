"""Scores beside references over the five abilities, and in all."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from lvlmbench.analysis.hallucinated import ALL
from lvlmbench.stages.figures import heat, legend, plotting
from lvlmbench.stages.figures.compared import LEAST, MOST, SCHEMA, First, ends, every
from lvlmbench.stages.figures.figure import Drawn, Sources, figure
from lvlmbench.suites.dialogue import ABILITIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_RINGS = (250, 500, 750, 1000)
#: Of the web: how far out names stand, and what is shown beyond the outermost ring.
_NAMES, _AROUND = 1.1, 1.42


@figure(
    "dialogue_radar",
    "Scores beside references by ability, and in all",
    "TouchStone, figure 5",
    place=20,
)
def dialogue_radar(sources: Sources) -> Drawn:
    """One shape a model over the abilities; scores over all questions with their intervals and
    what the references get beside them; a row of both for each judge (TouchStone, figure 5)."""
    judges = every(sources, "score")
    made, panels = plotting.apart(9.4, 0.4 + 3.9 * len(judges), (1.15, 1), len(judges))
    for found, web, bars in zip(judges, panels[::2], panels[1::2], strict=True):
        _web(web)
        for model, (color, marker) in found.looks.items():
            _shape(web, found, model, color, marker)
        _totals(bars, found, f"All questions, {found.judge}" if judges[1:] else "All questions")
    legend.legend(made, judges[0].looks)
    rows = [row for each in judges for row in each.rows(("score", "reference"), (*ABILITIES, ALL))]
    return Drawn(made, pa.Table.from_pylist(rows, SCHEMA))


def _corner(i: int, value: float) -> tuple[float, float]:
    """Place of a score on spoke ``i``; the first spoke points up, the next is right of it."""
    angle = math.pi / 2 - 2 * math.pi * i / len(ABILITIES)
    return value / MOST * math.cos(angle), value / MOST * math.sin(angle)


def _web(ax: Axes) -> None:
    for level in _RINGS:
        ring = [_corner(i % len(ABILITIES), level) for i in range(len(ABILITIES) + 1)]
        ax.plot(*zip(*ring, strict=True), color=plotting.GRID, lw=0.8, zorder=1)
        ax.text(0.02, level / MOST, f"{level:,}", fontsize=6.4, color=plotting.MUTED, va="bottom",
                zorder=2)  # fmt: skip
    for i, words in enumerate(ABILITIES.values()):
        x, y = _corner(i, MOST)
        ax.plot([0, x], [0, y], color=plotting.GRID, lw=0.6, zorder=1)
        side = "center" if abs(x) < 0.02 or y < -0.5 else ("left" if x > 0 else "right")
        up = 0.27 if y > 0.5 else -0.2 if y < -0.5 else 0.0
        ax.text(_NAMES * x, y + up, words.replace(" ", "\n"), ha=side, va="center", fontsize=7.8)
    ax.set_aspect("equal")
    ax.set_xlim(-1.65, 1.65)
    ax.set_ylim(-_AROUND, _AROUND)
    ax.set_axis_off()


def _shape(ax: Axes, found: First, model: str, color: str, marker: str) -> None:
    """A model's shape, open where an ability has no score."""
    corners = []
    for i, name in enumerate(ABILITIES):
        number = found.number(model, "score", name)
        corners.append(None if number is None else _corner(i, number.value or 0.0))
    for i, corner in enumerate(corners):
        after = corners[(i + 1) % len(corners)]
        if corner is not None and after is not None:
            ax.plot([corner[0], after[0]], [corner[1], after[1]], color=color, lw=1.4, zorder=3)
        if corner is not None:
            ax.plot(*corner, marker, color=color, ms=4.4, mec=plotting.PAPER, mew=0.6, zorder=4)


def _totals(ax: Axes, found: First, title: str) -> None:
    """Scores over all questions, the highest first."""
    known = {m: n for m in found.models if (n := found.number(m, "score")) is not None}
    order = sorted(known, key=lambda model: -(known[model].value or 0.0))
    for at, model in enumerate(order):
        color, marker = found.looks[model]
        number, reference = known[model], found.number(model, "reference")
        _line(ax, ends(number), at, color)
        ax.plot(number.value or 0.0, at, marker, color=color, ms=6, mec=plotting.PAPER, mew=0.7,
                zorder=4)  # fmt: skip
        if reference is not None:
            ax.plot(reference.value or 0.0, at, "|", color=plotting.MUTED, ms=11, mew=1.6, zorder=3)
    ax.set_title(title)
    ax.set_yticks(range(len(order)), heat.short(order, 24))
    ax.set_ylim(len(order) - 0.4, -0.6)
    ax.set_xlim(LEAST - 30, MOST + 30)
    ax.set_xticks(range(200, MOST + 1, 200))
    ax.set_xlabel("score; the upright line: the references beside it")
    ax.grid(axis="x")


def _line(ax: Axes, across: Sequence[float], at: float, color: str) -> None:
    ax.plot(across, [at, at], color=color, lw=1.6, solid_capstyle="butt", zorder=3)
