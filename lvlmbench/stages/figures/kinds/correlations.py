"""How our ranking of models agrees with that of other benchmarks (Dysca, table 4)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lvlmbench.analysis.comparisons import probability
from lvlmbench.analysis.labels import TYPE_LABELS, inline
from lvlmbench.core.untrusted import plain_text
from lvlmbench.stages.figures import heat, latex, plotting, published_rankings, tabular
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.tabular import Cell, Column, Heading, Row, Table, signed
from lvlmbench.stages.validity import files
from lvlmbench.stages.validity.rankings import AND

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Column of the table -> title of its panel.
_PANELS = {"spearman": "Spearman's rho", "kendall": "Kendall's tau-b"}
_LOOKS = {"all": (plotting.MODELS[0], "o", "all styles"),
          "realistic": (plotting.MODELS[1], "s", "realistic images")}  # fmt: skip
_APART = 0.2
#: What stands below the table.
_NOTES = (
    "Spearman's rho and Kendall's tau-b of our ranking in the clean scenario with theirs, by the "
    "same measure, with 95 % intervals and two-sided p over orders of the models. On tasks in "
    "common, either side is the mean over the tasks that both have, of models that have a score on "
    "all of them.",
)


def _title(row: dict[str, Any]) -> str:
    """A benchmark, and whether only the tasks that both have are compared."""
    return str(row["benchmark"]) + ("" if row["basis"] == "whole" else " (same tasks)")


def _panel(ax: Axes, rows: list[dict[str, Any]], benchmarks: list[str], name: str) -> None:
    ax.axvline(0, color=plotting.MUTED, lw=0.8, zorder=1)
    for row in rows:
        color, marker, _ = _LOOKS[row["styles"]]
        shift = -_APART if row["styles"] == "all" else _APART
        y = benchmarks.index(_title(row)) + shift
        if row[name] is None:
            ax.text(-0.97, y, row["why_not"], va="center", fontsize=7, color=plotting.MUTED)
            continue
        ends = [row[f"{name}_low"], row[f"{name}_high"]]
        ax.plot(ends, [y, y], color=color, lw=1.5, solid_capstyle="butt", zorder=3)
        ax.plot(
            row[name], y, marker, color=color, ms=5.6, mec=plotting.PAPER, mew=0.7, zorder=4,
            clip_on=False,
        )  # fmt: skip
        side = "right" if row[name] > 0.6 else "left"
        ax.annotate(
            f"{row[name]:.2f}  n {row['models']}  {probability(row[f'{name}_p'])}", (row[name], y),
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

    benchmarks = list(dict.fromkeys(map(_title, rows)))
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
    counted=True,
)
def rank_correlations(sources: Sources) -> Drawn:
    """Rank correlations with each benchmark that ranks three or more of our models."""
    if sources.validity is None:
        raise NotApplicable("The ranking was not held against other benchmarks.")
    table = files.read(sources.validity, "correlations.csv")
    rows = table.to_pylist()
    shown = {_title(row) for row in rows if row["spearman"] is not None}
    if not shown:
        most = max((row["models"] for row in rows), default=0)
        raise NotApplicable(
            f"No benchmark ranks three of these models ({most} at most); "
            "docs/validity.md tells how to add rankings and names."
        )
    wanted = pa.array([_title(row) in shown for row in rows])
    return Drawn(_draw([row for row in rows if _title(row) in shown]), table.filter(wanted))


def _compared_on(row: dict[str, Any]) -> tuple[str, ...]:
    """What is compared, in small print."""
    if row["basis"] == "whole":
        return (f"theirs {row['made']}",) if row["made"] else ()
    kinds = [TYPE_LABELS[k].lower() for k in row["types"].split(AND) if k]
    subtasks = [inline(name) for name in row["subtasks"].split(AND) if name]
    left = f"; {row['left_out']} models lack one of them" if row["left_out"] else ""
    return (f"{', '.join(subtasks)}{left}", ", ".join(kinds)) if subtasks else ()


def _coefficient(row: dict[str, Any], name: str) -> Cell:
    if row[name] is None:
        return Cell("\N{EN DASH}")
    ends = [signed(row[f"{name}_{end}"], 2) for end in ("low", "high")]
    notes = (f"{ends[0]} to {ends[1]}", probability(row[f"{name}_p"]))
    return Cell(signed(row[name], 2), notes=notes)


def _why_not(row: dict[str, Any]) -> Cell:
    """Why there is no number; the details in small print."""
    head, _, rest = row["why_not"].partition(": ")
    return Cell(head, notes=(rest,) if rest else ())


def _own(row: dict[str, Any]) -> Row:
    what = inline(row["measure"]) if row["basis"] == "whole" else "tasks in common"
    return Row(
        (
            Cell(plain_text(row["benchmark"]), notes=_compared_on(row)),
            Cell(_LOOKS[row["styles"]][2]), Cell(what), Cell(str(row["models"])),
            *(_coefficient(row, name) for name in _PANELS), _why_not(row),
        )
    )  # fmt: skip


@figure(
    "table4_correlations", "Rank correlations with other benchmarks", "Dysca, table 4", counted=True
)
def table4_correlations(sources: Sources) -> Drawn:
    """Rank correlations with every benchmark that is given: over the headlines, and over the
    subtasks, question types and models that both have (Dysca, section 4.4); why there is none.

    Raises
    ------
    UserError
        Published results are asked for and their file is missing or damaged.
    """
    if sources.validity is None:
        raise NotApplicable("The ranking was not held against other benchmarks.")
    table = files.read(sources.validity, "correlations.csv")
    lines: list[Row | Heading] = [_own(row) for row in table.to_pylist()]
    own = table.append_column("source", pa.array(["snapshot"] * len(table), pa.string()))
    if sources.snapshot.params.figures.published:
        printed = published_rankings.read(sources.published)
        lines.append(Heading("Published by Dysca (other images; it does not tell which models)"))
        lines += [
            Row((Cell(p.benchmark), Cell(_LOOKS[p.styles][2]), Cell("tasks in common"),
                 Cell("\N{EN DASH}"), Cell(signed(p.spearman, 2)), Cell(signed(p.kendall, 2)),
                 Cell()))
            for p in printed
        ]  # fmt: skip
        rows = [{**vars(p), "basis": "tasks", "source": "published"} for p in printed]
        own = pa.concat_tables([own, pa.Table.from_pylist(rows, own.schema)])
    if not lines:
        raise NotApplicable("No ranking was given; docs/validity.md tells how to add some.")
    heads = [Column("Benchmark", "left"), Column("Images", "left"), Column("On", "left"),
             Column("Models"), Column("\N{GREEK SMALL LETTER RHO}"),
             Column("\N{GREEK SMALL LETTER TAU}"), Column("", "left")]  # fmt: skip
    drawn = Table("Rank correlations with other benchmarks", heads, lines, _NOTES)
    return Drawn(tabular.draw(drawn), own, latex.tabular(drawn))
