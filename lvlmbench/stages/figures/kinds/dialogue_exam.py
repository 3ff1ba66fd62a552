"""A judge's own error on planted answers: as it has them, corrected, and as they are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.analysis.hallucinated import ALL
from lvlmbench.analysis.labels import inline, plain
from lvlmbench.stages.figures import heat, plotting
from lvlmbench.stages.figures.compared import first
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: How it is read in the exam, and answers that it may be wrong about: those where something is
#: corrected.
_WAY = "text"
_AS_IS, _CORRECTED, _TRUE = "faithfulness", "corrected_faithfulness", "true_faithfulness"
#: Measure -> its words, marker, place within a line, and color.
_MARKS = {
    _AS_IS: ("as the judge has it", "o", -0.22, plotting.MODELS[1]),
    _CORRECTED: ("corrected", "s", 0.0, plotting.MODELS[0]),
    _TRUE: ("as it is", "D", 0.22, plotting.INK),
}
#: Lines that a page has room for; the table holds all.
_MOST = 30
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("judge", "treatment", "kind", "measure")),
        *((name, pa.float64()) for name in ("value", "low", "high")),
        ("n", pa.int64()),
    ]
)


class _Line(NamedTuple):
    """A line of the figure: planted answers of one sort before one judge."""

    judge: str
    treatment: str
    kind: str


@figure(
    "dialogue_exam",
    "Faithfulness of planted answers: as a judge has it, corrected, and as it is",
    place=25,
)
def dialogue_exam(sources: Sources) -> Drawn:
    """For each sort of planted answers that the exam corrects: what the judge says, what is left of
    its error after correction by scenes whose truth is known, and the truth; in percent."""
    first(sources)  # without answers beside references there is no such figure
    found: dict[_Line, dict[str, dict[str, Any]]] = {}
    for row in _rows(sources):
        line = _Line(row["judge"], row["treatment"], row["kind"])
        found.setdefault(line, {})[row["measure"]] = row
    lines = {line: marks for line, marks in found.items() if _whole(marks)}
    if not lines:
        raise NotApplicable("No judge has an exam in which something could be corrected.")
    shown = list(lines)[:_MOST]
    made, (ax,) = plotting.apart(7.4, 1.3 + 0.36 * len(shown), (1,))
    for at, line in enumerate(shown):
        for measure, row in lines[line].items():
            _mark(ax, row, at, measure)
    _look(ax, shown)
    made.legend(loc="outside upper left", ncols=len(_MARKS))
    rows = [row for marks in lines.values() for row in marks.values()]
    return Drawn(made, pa.Table.from_pylist(rows, _SCHEMA))


def _rows(sources: Sources) -> Iterator[dict[str, Any]]:
    """Rows of the exam about faithfulness that was read from text, in percent."""
    folder = sources.snapshot.folder(tables.JUDGE_EXAM)
    for row in tables.read(folder, tables.JUDGE_EXAM).to_pylist():
        if row["way"] == _WAY and row["measure"] in _MARKS and row["value"] is not None:
            ends = {name: row[name] for name in ("value", "low", "high")}
            percent = {k: None if v is None else 100 * v for k, v in ends.items()}
            yield {name: row[name] for name in _SCHEMA.names} | percent


def _whole(marks: dict[str, dict[str, Any]]) -> bool:
    """Whether all three are there, and what is corrected has an interval: without one too few
    scenes are known to correct anything by."""
    return {*marks} == {*_MARKS} and marks[_CORRECTED]["low"] is not None


def _mark(ax: Axes, row: dict[str, Any], at: int, measure: str) -> None:
    words, marker, shift, color = _MARKS[measure]
    y = at + shift
    if row["low"] is not None and row["high"] is not None:
        ax.plot([row["low"], row["high"]], [y, y], color=color, lw=1.3, solid_capstyle="butt")
    ax.plot(row["value"], y, marker, color=color, ms=5, mec=plotting.PAPER, mew=0.6,
            label=words if at == 0 else None, clip_on=False, zorder=3)  # fmt: skip


def _look(ax: Axes, lines: list[_Line]) -> None:
    several = len({line.judge for line in lines}) > 1

    def name(line: _Line) -> str:
        kind = f": {inline(line.kind)}" if line.kind != ALL else ""
        return f"{line.judge}, " * several + plain(line.treatment) + kind

    ax.set_yticks(range(len(lines)), heat.short([name(line) for line in lines], 40))
    ax.set_ylim(len(lines) - 0.4, -0.6)
    ax.set_xlim(0, 100)
    ax.set_xlabel("claims that are true (%)")
    ax.grid(axis="x")
