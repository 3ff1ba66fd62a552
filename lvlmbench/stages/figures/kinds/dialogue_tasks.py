"""Scores beside references by task, as a heat map."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

import pyarrow as pa

from lvlmbench.stages.figures import heat, plotting
from lvlmbench.stages.figures.compared import LEAST, MOST, SCHEMA, First, every
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.suites.dialogue import ABILITIES, TASKS

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: In inches: a line, the margin, what stands between abilities, a cell at its narrowest and widest,
#: and the column of numbers of questions.
_ROW, _MARGIN, _BETWEEN, _NARROW, _WIDE, _ASKED = 0.205, 0.12, 0.27, 0.42, 0.8, 0.55
_CELLS, _LEAST, _HEAD = 3.4, 4.6, 0.5
_NAME, _NUMBER, _NOTE = 7.6, 6.8, 7.4
#: Why a task has no score, in a cell that is as wide as all models.
_WHY = {
    "not drawn": "not drawn",
    "taste": "needs an LLM judge",
    "seen": "not judged",
}
_HATCH = "//////"


@figure(
    "dialogue_tasks",
    "Scores beside references by task",
    "TouchStone, figure 6",
    place=22,
    scale=True,
)
def dialogue_tasks(sources: Sources) -> Drawn:
    """The paper's 27 tasks by ability, one column a model; beside one another for each judge
    (TouchStone, figure 6)."""
    judges = every(sources, "score")
    rows = [row for each in judges for row in each.rows(("score",), list(TASKS))]
    if not rows:
        raise NotApplicable("No task has a score.")
    asked = Counter(sources.snapshot.asked[judges[0].scenario]["subtask"].to_pylist())
    made = _Map(judges, asked, sources.snapshot.given).made
    return Drawn(made, pa.Table.from_pylist(rows, SCHEMA))


class _Map:
    """The heat map; all places are in inches."""

    def __init__(self, judges: Sequence[First], asked: Counter[str], given: bool) -> None:
        from matplotlib.figure import Figure

        self._columns = [(each, model) for each in judges for model in each.models]
        self._asked, self._given = asked, given
        short = dict(zip(judges[0].models, heat.short(judges[0].models, 26), strict=True))
        names = [
            short[model] + (f", {each.judge}" if judges[1:] else "")
            for each, model in self._columns
        ]
        self._left = _MARGIN + 0.08 + max(
            heat.text_width(task.label, _NAME) for task in TASKS.values()
        )  # fmt: skip
        self._cell = min(max(_CELLS / len(names), _NARROW), _WIDE)
        self._right = self._left + self._cell * len(names)
        width = max(self._right + _ASKED + _MARGIN, _LEAST)
        slanted = max(heat.text_width(name, _NAME) for name in [*names, "questions"])
        body = len(TASKS) * _ROW + len(ABILITIES) * _BETWEEN
        height = _MARGIN + body + slanted + 0.14 + _HEAD
        self.made = Figure(figsize=(width, height))
        self._ax = self.made.add_axes((0, 0, 1, 1))
        self._ax.set_xlim(0, width)
        self._ax.set_ylim(0, height)
        self._ax.set_axis_off()
        self._head(names, _MARGIN + body)
        self._key(height)
        self._body(_MARGIN + body)

    def _text(self, x: float, y: float, text: str, size: float, **more: object) -> None:
        given = {"va": "center_baseline", "fontsize": size, "color": plotting.INK, **more}
        self._ax.text(x, y, text, **given)  # type: ignore[arg-type]

    def _head(self, names: list[str], top: float) -> None:
        ends = [(self._left + (i + 0.5) * self._cell, name) for i, name in enumerate(names)]
        for x, name in ends:
            self._text(x, top + 0.05, name, _NAME, rotation=90, ha="center", va="bottom")
        self._text(self._right + _ASKED / 2, top + 0.05, "questions", _NAME, rotation=90,
                   ha="center", va="bottom", color=plotting.MUTED)  # fmt: skip

    def _key(self, height: float) -> None:
        y, x = height - _MARGIN - 0.16, _MARGIN
        self._text(x, y + 0.075, f"{LEAST}", _NOTE, color=plotting.MUTED)
        x += 0.3
        steps = 40
        for i in range(steps):
            wide = 1.6 / steps * (1 if i == steps - 1 else 1.3)  # else viewers show seams
            _box(self._ax, x + 1.6 * i / steps, y, wide, 0.15, heat.shade((i + 0.5) / steps))
        self._text(x + 1.67, y + 0.075, f"{MOST:,}    hatched: no score", _NOTE,
                   color=plotting.MUTED)  # fmt: skip

    def _body(self, top: float) -> None:
        y = top
        for ability, words in ABILITIES.items():
            y -= _BETWEEN
            self._text(_MARGIN, y + 0.09, words, _NAME, fontweight="bold")
            for name, task in TASKS.items():
                if task.ability == ability:
                    y -= _ROW
                    self._row(name, y)

    def _row(self, name: str, y: float) -> None:
        task, asked, middle = TASKS[name], self._asked[name], y + _ROW / 2
        self._text(self._left - 0.08, middle, task.label, _NAME, ha="right")
        numbers = [each.number(model, "score", name) for each, model in self._columns]
        if not any(numbers):
            _box(self._ax, self._left, y, self._right - self._left, _ROW)
            undrawn = task.decided == "not drawn" and not self._given
            why = _WHY[task.decided] if asked or undrawn else "not asked"
            around = {"facecolor": plotting.PAPER, "edgecolor": "none", "pad": 1}
            center = (self._left + self._right) / 2
            self._text(center, middle, why, _NUMBER, ha="center", bbox=around)
        for i, number in enumerate(numbers if any(numbers) else ()):
            x = self._left + i * self._cell
            if number is None:
                _box(self._ax, x, y, self._cell, _ROW)
                continue
            value = number.value or 0.0
            color = heat.shade((value - LEAST) / (MOST - LEAST))
            _box(self._ax, x, y, self._cell, _ROW, color)
            self._text(x + self._cell / 2, middle, f"{value:.0f}", _NUMBER, ha="center",
                       color=heat.ink_on(color))  # fmt: skip
        if asked:
            self._text(self._right + _ASKED / 2, middle, f"{asked:,}", _NUMBER, ha="center",
                       color=plotting.MUTED)  # fmt: skip


def _box(ax: Axes, x: float, y: float, wide: float, high: float, color: str | None = None) -> None:
    """A cell; hatched where it has no color."""
    from matplotlib.patches import Rectangle

    corner, size = (x + 0.008, y + 0.008), (wide - 0.016, high - 0.016)
    if color is None:
        look = {"fc": plotting.PAPER, "ec": plotting.FLOOR, "lw": 0.5, "hatch": _HATCH}
    else:
        look = {"fc": color, "lw": 0}
        corner, size = ((x, y), (wide, high)) if wide < _NARROW / 2 else (corner, size)
    ax.add_patch(Rectangle(corner, *size, **look))  # type: ignore[arg-type]
