"""The figures of the report, as PDF and SVG.

Every chart is drawn from the tables alone; the report embeds the SVG files.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config import QUESTION_TYPES, SUBTASKS
from lvlmbench.report import funnel, marks, plotting, robustness_charts
from lvlmbench.report.inputs import Snapshot
from lvlmbench.report.labels import TYPE_LABELS, plain, scenario_label
from lvlmbench.report.standings import Panel, Standings

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_METRIC_LABELS = {"accuracy": "accuracy (%)", "similarity": "caption similarity (%)"}


def _panel(ax: Axes, panel: Panel, rows: list[str], looks: marks.Looks) -> None:
    for y, group in enumerate(rows):
        if group in panel.chance and group in panel.groups:
            ax.barh(y, panel.chance[group], height=0.86, color=plotting.FLOOR, lw=0, zorder=1)
    drawn = {s.model: s for s in panel.series}
    step = 0.8 / max(len(looks), 1)
    for i, (model, look) in enumerate(looks.items()):
        if model in drawn:
            marks.points(ax, drawn[model].values, rows, (i - (len(looks) - 1) / 2) * step, look)
    ax.set_title(TYPE_LABELS[panel.question_type])
    ax.set_xlabel(_METRIC_LABELS[panel.metric])
    ax.set_xlim(0, 100)
    ax.set_xticks(range(0, 101, 25))
    ax.grid(axis="x")
    ax.set_yticks(range(len(rows)), [plain(r) for r in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)


def _scores(panels: list[Panel], groups: list[str], models: list[str], standings: Standings,
            scenario: str) -> Figure:  # fmt: skip
    """One panel a question type, one row a group; the gray bar is what guessing gets."""
    rows = [g for g in groups if any(g in p.groups for p in panels)]
    if not rows:
        return marks.empty(f"No scores in the scenario {scenario_label(scenario)}.")
    looks = marks.looks(models, standings.guessers)
    height = 1.1 + len(rows) * max(0.24, 0.11 * len(looks) + 0.08)
    made, axes = plotting.figure(9.4, height, len(panels))
    for ax, panel in zip(axes, panels, strict=True):
        _panel(ax, panel, rows, looks)
    marks.legend(made, looks, any(p.chance for p in panels))
    return made


def subtask_scores(snapshot: Snapshot, standings: Standings) -> Figure:
    """Score of each model by the subtask asked about, against the chance level."""
    scenario = snapshot.first_scenario
    groups = list(SUBTASKS)
    panels = standings.panels("subtask", scenario, groups)
    return _scores(panels, groups, marks.shown_models(standings, scenario), standings, scenario)


def style_scores(snapshot: Snapshot, standings: Standings) -> Figure:
    """Score of each model by the style of the image, against the chance level."""
    scenario = snapshot.first_scenario
    groups = snapshot.styles
    panels = standings.panels("style", scenario, groups)
    return _scores(panels, groups, marks.shown_models(standings, scenario), standings, scenario)


def _count_axis(ax: Axes) -> None:
    from matplotlib.ticker import MaxNLocator, StrMethodFormatter

    ax.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    ax.xaxis.set_major_formatter(StrMethodFormatter("{x:,.0f}"))
    ax.grid(axis="x")


def question_types(snapshot: Snapshot, standings: Standings) -> Figure:
    """Questions asked by type, with the shares that the parameters request."""
    asked = snapshot.asked[snapshot.first_scenario]
    counts = [
        pc.sum(pc.equal(asked["question_type"], t)).as_py() or 0 for t in QUESTION_TYPES
    ]  # fmt: skip
    total = sum(counts)
    if not total:
        return marks.empty("No question was asked.")
    made, (ax,) = plotting.figure(7.6, 1.75)
    wanted = snapshot.params.corpus.type_proportions.model_dump()
    for y, (kind, count) in enumerate(zip(QUESTION_TYPES, counts, strict=True)):
        ax.barh(y, count, height=0.62, color=plotting.TYPES[kind], lw=0)
        target = wanted[kind] * total
        ax.plot([target] * 2, [y - 0.42, y + 0.42], color=plotting.INK, lw=1.4)
        ax.text(
            max(count, target) + 0.012 * total, y, f"{count:,}  ({100 * count / total:.1f}%)",
            va="center",
        )  # fmt: skip
    ax.set_yticks(range(3), [TYPE_LABELS[t] for t in QUESTION_TYPES])
    ax.set_ylim(2.6, -0.6)
    ax.set_xlim(0, 1.22 * max(*counts, *(wanted[t] * total for t in QUESTION_TYPES)))
    ax.set_xlabel("questions asked; the line marks the share requested")
    _count_axis(ax)
    return made


def subtask_distribution(snapshot: Snapshot, standings: Standings) -> Figure:
    """Questions asked about each subtask, by type (Dysca, figure 2)."""
    asked = snapshot.asked[snapshot.first_scenario]
    pairs = asked.group_by(["subtask", "question_type"]).aggregate([("question_id", "count")])
    counts = {(r["subtask"], r["question_type"]): r["question_id_count"] for r in pairs.to_pylist()}
    rows = [s for s in SUBTASKS if s in snapshot.params.corpus.subtasks]
    rows += sorted({s for s, _ in counts} - set(rows))
    totals = [sum(counts.get((s, t), 0) for t in QUESTION_TYPES) for s in rows]
    made, (ax,) = plotting.figure(7.6, 1.0 + 0.25 * len(rows))
    left = [0] * len(rows)
    for kind in QUESTION_TYPES:
        values = [counts.get((s, kind), 0) for s in rows]
        ax.barh(range(len(rows)), values, left=left, height=0.7, lw=0,
                color=plotting.TYPES[kind], label=TYPE_LABELS[kind])  # fmt: skip
        left = [a + b for a, b in zip(left, values, strict=True)]
    most = max([*totals, 1])
    for y, total in enumerate(totals):
        ax.text(total + 0.01 * most, y, f"{total:,}", va="center", fontsize=8)
    ax.set_yticks(range(len(rows)), [plain(s) for s in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlim(0, 1.08 * most)
    ax.set_xlabel("questions asked about this subtask")
    _count_axis(ax)
    made.legend(loc="outside upper left", ncols=3)
    return made


def funnel_chart(snapshot: Snapshot, standings: Standings) -> Figure:
    """Scenes from plan to question, and questions planned and asked."""
    steps = funnel.build(snapshot).steps
    made, (ax,) = plotting.figure(7.6, 0.5 + 0.38 * len(steps))
    colors = {
        "scenes": plotting.STAYS,
        "images": plotting.GUESSER,
        "questions": plotting.TYPES["true_false"],
    }
    position, labels, positions = 0.0, [], []
    for i, step in enumerate(steps):
        first = next(s.count for s in steps if s.unit == step.unit)
        if i and steps[i - 1].unit != step.unit:
            position += 0.45
        share = 100 * step.count / first if first else 0.0
        ax.barh(position, 100, height=0.66, color=plotting.GRID, lw=0)
        color = colors[step.unit]
        ax.barh(position, share, height=0.66, color=color, lw=0)
        among = "" if step.unit == "images" else f"  ({share:.1f}%)"
        ax.text(101.5, position, f"{step.count:,}{among}", va="center")
        positions.append(position)
        labels.append(step.label)
        position += 1
    ax.set_yticks(positions, labels)
    ax.set_ylim(position - 0.4, -0.6)
    ax.set_xlim(0, 126)
    ax.set_xticks([])
    ax.spines["bottom"].set_visible(False)
    return made


#: File name -> how the figure is drawn, in the order in which the report shows them.
FIGURES: dict[str, Callable[[Snapshot, Standings], Figure]] = {
    "subtask_scores": subtask_scores,
    "style_scores": style_scores,
    "question_types": question_types,
    "subtask_distribution": subtask_distribution,
    "funnel": funnel_chart,
}


def figures(
    snapshot: Snapshot, standings: Standings
) -> dict[str, Callable[[Snapshot, Standings], Figure]]:
    """:data:`FIGURES`, and those about the scenarios that were run beside clean."""
    return FIGURES | robustness_charts.applicable(snapshot, standings)


def draw_all(snapshot: Snapshot, folder: Path) -> None:
    """Write every figure as SVG and PDF into ``folder``; none of them if one cannot be drawn."""
    standings = Standings(snapshot)
    files: dict[str, bytes] = {}
    with plotting.settings():
        for name, draw in figures(snapshot, standings).items():
            made = draw(snapshot, standings)
            for form in ("svg", "pdf"):
                files[f"{name}.{form}"] = plotting.encode(made, form)
    for file_name, data in files.items():
        tables.atomic_bytes(folder / file_name, data)
