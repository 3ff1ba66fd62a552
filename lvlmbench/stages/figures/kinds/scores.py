"""Scores by the subtask asked about and by the style of the image."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from lvlmbench.analysis.labels import TYPE_LABELS, plain
from lvlmbench.analysis.leaderboard_rows import Panel
from lvlmbench.stages.figures import legend, plotting
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.rows import of_panels

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_METRIC_LABELS = {"accuracy": "accuracy (%)", "similarity": "caption similarity (%)"}


def _panel(ax: Axes, panel: Panel, rows: list[str], looks: legend.Looks) -> None:
    for y, group in enumerate(rows):
        if group in panel.chance and group in panel.groups:
            ax.barh(y, panel.chance[group], height=0.86, color=plotting.FLOOR, lw=0, zorder=1)
    drawn = {s.model: s for s in panel.series}
    step = 0.8 / max(len(looks), 1)
    for i, (model, look) in enumerate(looks.items()):
        if model in drawn:
            legend.points(ax, drawn[model].values, rows, (i - (len(looks) - 1) / 2) * step, look)
    ax.set_title(TYPE_LABELS[panel.question_type])
    ax.set_xlabel(_METRIC_LABELS[panel.metric])
    ax.set_xlim(0, 100)
    ax.set_xticks(range(0, 101, 25))
    ax.grid(axis="x")
    ax.set_yticks(range(len(rows)), [plain(r) for r in rows])
    ax.set_ylim(len(rows) - 0.4, -0.6)


def _scores(sources: Sources, group: Literal["subtask", "style"], groups: list[str]) -> Drawn:
    """One panel a question type, one row a group; the gray bar is what guessing gets."""
    leaderboard, scenario = sources.leaderboard, sources.snapshot.first_scenario
    panels = leaderboard.panels(group, scenario, groups)
    models = legend.shown_models(leaderboard, scenario)
    rows = [g for g in groups if any(g in p.groups for p in panels)]
    if not rows:
        raise NotApplicable(f"No scores in the scenario {plain(scenario)}.")
    looks = legend.looks(models, leaderboard)
    height = 1.1 + len(rows) * max(0.24, 0.11 * len(looks) + 0.08)
    made, axes = plotting.figure(9.4, height, len(panels))
    for ax, panel in zip(axes, panels, strict=True):
        _panel(ax, panel, rows, looks)
    legend.legend(made, looks, any(p.chance for p in panels))
    return Drawn(made, of_panels(panels, group, models))


@figure(
    "subtask_scores",
    "Scores by the subtask asked about",
    place=4,
    counted=True,
)
def subtask_scores(sources: Sources) -> Drawn:
    """Score of each model by the subtask asked about, against the chance level."""
    return _scores(sources, "subtask", sources.snapshot.subtasks)


@figure(
    "style_scores",
    "Scores by image style",
    place=8,
    counted=True,
)
def style_scores(sources: Sources) -> Drawn:
    """Score of each model by the style of the image, against the chance level."""
    return _scores(sources, "style", sources.snapshot.styles)
