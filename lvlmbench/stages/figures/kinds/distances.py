"""How far the snapshot's images are from other sets (Dysca, figure 6)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lvlmbench.analysis.labels import plain
from lvlmbench.core.untrusted import plain_text
from lvlmbench.stages.figures import heat, plotting
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.validity import files

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: In the column ``b``: the mean over the sets that the row at the foot of the figure names.
MEAN = "mean"
#: Below this p a distance is marked.
LEVEL = 0.05
_CELL, _ROW = 0.56, 0.27
_SCALE = 1000


@dataclass(frozen=True)
class Matrix:
    """The distances of all pairs that were compared, by the order of the sets."""

    sets: list[dict[str, Any]]
    pairs: dict[tuple[str, str], dict[str, Any]]

    @cached_property
    def names(self) -> list[str]:
        """Sets of the snapshot first, then the given ones."""
        return [each["name"] for each in self.sets]

    @cached_property
    def labels(self) -> list[str]:
        """Names as readers see them, cut as far as they stay distinct."""
        shown = [plain(each["label"]) if each["own"] else each["label"] for each in self.sets]
        return heat.short([plain_text(label) for label in shown], 30)

    @cached_property
    def own(self) -> int:
        """How many sets are the snapshot's."""
        return sum(each["own"] for each in self.sets)

    @cached_property
    def averaged(self) -> list[str]:
        """The sets that the mean is over: clean and the given ones, as in the paper, where there
        are any; else all."""
        if 0 < self.own < len(self.sets):
            return [self.names[0], *self.names[self.own :]]
        return self.names

    def pair(self, a: str, b: str) -> dict[str, Any] | None:
        """The row of a pair, whichever comes first."""
        return self.pairs.get((a, b)) or self.pairs.get((b, a))

    def mean(self, name: str) -> tuple[float, int] | None:
        """Mean distance of a set to the others that count, and how many these are."""
        found = [self.pair(name, other) for other in self.averaged if other != name]
        values = [row["mmd2"] for row in found if row is not None]
        return (math.fsum(values) / len(values), len(values)) if values else None


def read_matrix(sources: Sources) -> Matrix:
    """The sets that have a distance, and their distances.

    Raises
    ------
    NotApplicable
        There is none.
    """
    if sources.validity is None:
        raise NotApplicable("The distances of image sets were not measured.")
    rows = files.read(sources.validity, "distances.csv").to_pylist()
    pairs = {(row["a"], row["b"]): row for row in rows if row["mmd2"] is not None}
    sets = files.read(sources.validity, "image_sets.csv").to_pylist()
    compared = {name for pair in pairs for name in pair}
    if not pairs:
        why = "fewer than two image sets" if len(sets) < 2 else "validity.kmmd.encoder is null"
        raise NotApplicable(f"No distances of image sets: {why}.")
    return Matrix([each for each in sets if each["name"] in compared], pairs)


def table_of(matrix: Matrix) -> pa.Table:
    """One row a pair, each once, with the mean row of each set at the end."""
    rows = [
        matrix.pairs[a, b] for a in matrix.names for b in matrix.names if (a, b) in matrix.pairs
    ]
    for name in matrix.names:
        mean = matrix.mean(name)
        if mean is not None:
            rows.append({"a": name, "b": MEAN, "mmd2": round(mean[0], 9), "n_b": mean[1]})
    return pa.Table.from_pylist(rows, files.COLUMNS["distances.csv"])


def _cell(ax: Axes, x: int, y: float, value: float, top: float, marked: bool) -> None:
    from matplotlib.patches import Rectangle

    color = heat.shade(math.sqrt(max(value, 0) / top) if top > 0 else 0)
    ax.add_patch(Rectangle((x - 0.5, y - 0.5), 1, 1, fc=color, ec=plotting.PAPER, lw=1.2))
    text = f"{_SCALE * value:.1f}".replace("-0.0", "0.0") + ("*" if marked else "")
    ax.text(x, y, text, ha="center", va="center", fontsize=7, color=heat.ink_on(color))


def _blank(ax: Axes, x: int, y: int, same: bool) -> None:
    from matplotlib.patches import Rectangle

    look = {"fc": plotting.GRID} if same else {"fc": plotting.PAPER, "hatch": "////"}
    ax.add_patch(
        Rectangle((x - 0.5, y - 0.5), 1, 1, **look, ec=plotting.GRID, lw=0.6)  # type: ignore[arg-type]
    )


def _draw(matrix: Matrix) -> Figure:
    names, labels, n = matrix.names, matrix.labels, len(matrix.names)
    named = max(heat.text_width(label, 8) for label in labels)
    wide = max(6.4, n * _CELL + named + 0.9)
    made, (ax,) = plotting.figure(wide, (n + 1.6) * _ROW + named + 1.15)
    top = max(row["mmd2"] for row in matrix.pairs.values())
    for y, name in enumerate(names):
        for x, other in enumerate(names):
            row = matrix.pair(name, other)
            if row is None:
                _blank(ax, x, y, same=name == other)
            else:
                _cell(ax, x, y, row["mmd2"], top, row["p"] < LEVEL)
    for x, name in enumerate(names):
        mean = matrix.mean(name)
        if mean is not None:
            _cell(ax, x, n + 0.3, mean[0], top, marked=False)
    over = "mean over clean and given" if len(matrix.averaged) < n else "mean over the others"
    ax.set_yticks([*range(n), n + 0.3], [*labels, over])
    ax.get_yticklabels()[-1].set_color(plotting.MUTED)
    ax.set_xticks(range(n), labels, rotation=90)
    ax.tick_params(axis="x", labelsize=9, labelcolor=plotting.INK)
    ax.set_xlim(-0.5, n - 0.5)
    ax.set_ylim(n + 0.85, -0.5)
    if 0 < matrix.own < n:
        for draw in (ax.axhline, ax.axvline):
            draw(matrix.own - 0.5, color=plotting.INK, lw=1.4)
        for label in (*ax.get_xticklabels()[matrix.own :], *ax.get_yticklabels()[matrix.own : n]):
            label.set_fontstyle("italic")
    ax.spines["bottom"].set_visible(False)
    notes = [
        f"Squared KMMD x {_SCALE}, darker is farther; 0 is alike, and below 0 is chance.",
        f"* p < {LEVEL}, random exchange of images, each pair by itself.",
    ]
    if any(matrix.pair(a, b) is None for a in names for b in names if a != b):
        notes.append("Hatched: not compared, since one shows a part of the other's scenes.")
    if 0 < matrix.own < n:
        notes.append("Behind the line, in italics: image sets that were given.")
    made.suptitle("\n".join(notes), x=0.01, ha="left", fontsize=8, color=plotting.MUTED)
    return made


@figure(
    "image_distances",
    "Distances between sets of images",
    "Dysca, figure 6",
    place=14,
    scale=True,
)
def image_distances(sources: Sources) -> Drawn:
    """Squared KMMD of each pair of image sets, with the mean of each set at the foot."""
    matrix = read_matrix(sources)
    return Drawn(_draw(matrix), table_of(matrix))
