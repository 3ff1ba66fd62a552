"""Which subtasks, and which entries of one vocabulary list, models find alike (Dysca, 4.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lvlmbench.analysis import tasks
from lvlmbench.analysis.clustering import Clusters, cluster
from lvlmbench.analysis.labels import inline, plain
from lvlmbench.analysis.tasks import Grid
from lvlmbench.stages.figures import heat, plotting
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.kinds.heatmaps import blocks

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Entries that are clustered and drawn at most: those with the most answers.
MAX_ENTRIES = 150
#: Width of the tree, in inches.
_TREE = 2.3


def _models(sources: Sources) -> list[list[str]]:
    """Models under test and reference models; those that guess would only add noise."""
    found = blocks(sources.leaderboard, sources.snapshot.first_scenario)[:2]
    count = sum(map(len, found))
    if count < 2:
        has = "only one is" if count else "none is"
        raise NotApplicable(f"Clusters need two models that do not guess; {has} there.")
    return found


def _tree(ax: Axes, clusters: Clusters, place: heat.Layout) -> None:
    """The dendrogram: leaves at the left, one row each; distance grows to the right."""
    count = len(clusters.groups)
    tallest = max(*(m.height for m in clusters.merges), 1.25 * clusters.noise, 1.0)
    left = place.beside + 0.05
    bottom = place.bottom

    def at(height: float) -> float:
        return left + (_TREE - 0.2) * height / tallest

    top = heat.row_middle(place, -0.5)
    if clusters.noise:
        x = at(clusters.noise)
        ax.plot([x, x], [bottom, top], color=plotting.MUTED, lw=0.9, ls=(0, (3, 2)), zorder=1)
        ax.text(x, top + 0.05, "sampling\nalone", ha="center", va="bottom", fontsize=7,
                color=plotting.MUTED, linespacing=1.1)  # fmt: skip
    ends = {i: (0.0, float(i)) for i in range(count)}
    for i, merge in enumerate(clusters.merges):
        (low, upper), (other, lower) = ends[merge.upper], ends[merge.lower]
        xs = [at(low), at(merge.height), at(merge.height), at(other)]
        ys = [heat.row_middle(place, row) for row in (upper, upper, lower, lower)]
        ax.plot(xs, ys, color=plotting.INK, lw=1.0, solid_joinstyle="miter", zorder=2)
        ends[count + i] = (merge.height, (upper + lower) / 2)
    _ruler(ax, at(0), [(step, at(step)) for step in _ticks(tallest)], at(tallest), bottom)


def _ticks(tallest: float) -> list[int]:
    """Round distances, four or so."""
    step = next((s for s in (1, 2, 5, 10, 20) if tallest / s <= 5), 25)
    return list(range(0, int(tallest) + 1, step))


def _ruler(
    ax: Axes, left: float, ticks: Sequence[tuple[int, float]], right: float, bottom: float
) -> None:
    y = bottom - 0.06
    ax.plot([left, right], [y, y], color=plotting.MUTED, lw=0.8)
    for step, x in ticks:
        ax.plot([x, x], [y, y - 0.04], color=plotting.MUTED, lw=0.8)
        ax.text(x, y - 0.06, str(step), ha="center", va="top", fontsize=7, color=plotting.MUTED)
    ax.text(left, y - 0.2, "distance (percentage points)", va="top", fontsize=7,
            color=plotting.MUTED)  # fmt: skip


def _table(
    grid: Grid, clusters: Clusters, models: Sequence[str], groups: Sequence[str], column: str
) -> pa.Table:
    """One row a group and model, in the order of the tree; groups outside of it follow."""
    joins = clusters.joins_at()
    place = {group: i + 1 for i, group in enumerate(clusters.groups)}
    rows: list[dict[str, Any]] = [
        {
            column: group, "model": model, "value": v.value, "low": v.low, "high": v.high,
            "n": v.n, "n_unscored": v.n_unscored, "chance": grid.chance.get(group),
            "order": place.get(group), "joins_at": joins.get(group),
        }
        for group in sorted(groups, key=lambda g: place.get(g, len(place) + 1))
        for model in models
        if (v := grid.values[model].get(group)) is not None
    ]  # fmt: skip
    numbers = {n: pa.float64() for n in ("value", "low", "high")}
    counts = {"n": pa.int64(), "n_unscored": pa.int64()}
    about = {"chance": pa.float64(), "order": pa.int64(), "joins_at": pa.float64()}
    types = {column: pa.string(), "model": pa.string()} | numbers | counts | about
    return pa.Table.from_pylist(rows, pa.schema(list(types.items())))


def _notes(clusters: Clusters, models: Sequence[str], what: str) -> list[str]:
    """How the tree was made, and what is not in it."""
    notes = [
        f"Tree: average linkage of Euclidean distances over {len(models)} models, divided by the "
        "root of their number.",
        "Left of the dashed line, differences can come from sampling alone. Models that guess are "
        "left out.",
    ]
    if clusters.unknown:
        notes.append(f"Without a score: {clusters.unknown} cells; distances are over the others.")
    if clusters.left_out:
        notes.append(
            f"Left out, as half of the models or more have no score: {len(clusters.left_out)} "
            f"{what}."
        )
    return notes


@figure(
    "task_clusters",
    "Subtasks clustered by how many closed questions each model gets right",
    "Dysca, section 4.3, inter-task",
    place=7,
    scale=True,
    counted=True,
)
def task_clusters(sources: Sources) -> Drawn:
    """Hierarchical clustering of subtasks over the accuracies of models (Dysca, section 4.3)."""
    models, scenario = _models(sources), sources.snapshot.first_scenario
    names = [m for block in models for m in block]
    grid = tasks.by_column(sources.snapshot, names, scenario, "subtask", sources.snapshot.subtasks)
    clusters = cluster(grid, names, grid.groups)
    if len(clusters.groups) < 3:
        raise NotApplicable("Clusters need three subtasks that most models have scores in.")
    notes = [
        f"Numbers: accuracy in percent, {plain(scenario).lower()} images, mean of "
        "multiple choice and true or false.",
        *_notes(clusters, names, "subtasks"),
    ]
    labels = [plain(g) for g in clusters.groups]
    shown = heat.Map(grid, models, clusters.groups, labels, notes)
    made, ax, place = heat.draw(shown, _TREE)
    _tree(ax, clusters, place)
    return Drawn(made, _table(grid, clusters, names, grid.groups, "subtask"))


def _enough(grid: Grid, models: Sequence[str], least: int) -> list[str]:
    """Entries of which every model that was asked has ``least`` scored answers."""
    return [
        g for g in grid.groups
        if all(v.n >= least for m in models if (v := grid.values[m].get(g)) is not None)
    ]  # fmt: skip


def _most(grid: Grid, models: Sequence[str], groups: Sequence[str]) -> list[str]:
    """The :data:`MAX_ENTRIES` groups with the most scored answers, in the order they have."""

    def answers(group: str) -> int:
        return sum(v.n for m in models if (v := grid.values[m].get(group)) is not None)

    kept = set(sorted(groups, key=lambda g: -answers(g))[:MAX_ENTRIES])
    return [g for g in groups if g in kept]


@figure(
    "animal_clusters", "Entries of one vocabulary list clustered by how many closed questions each "
    "model gets right", "Dysca, section 4.3, intra-task",
    counted=True,
)  # fmt: skip
def animal_clusters(sources: Sources) -> Drawn:
    """The same over the entries of the list ``figures.intra_task`` (Dysca, section 4.3)."""
    snapshot, models = sources.snapshot, _models(sources)
    wanted, scenario = snapshot.params.figures, snapshot.first_scenario
    names = [m for block in models for m in block]
    grid = tasks.by_entry(snapshot, names, scenario, wanted.intra_task)
    enough = _enough(grid, names, wanted.intra_task_n)
    drawn = _most(grid, names, enough)
    clusters = cluster(grid, names, drawn)
    if len(clusters.groups) < 3:
        raise NotApplicable(
            f"Clusters need three entries of the list '{wanted.intra_task}' with "
            f"{wanted.intra_task_n} scored answers of each model; {len(clusters.groups)} have them."
        )
    about = inline(wanted.intra_task)
    asked = wanted.intra_task in sources.snapshot.subtasks
    asks = f"questions about the {about}" if asked else "questions"
    fewest = min(v.n for m in names for g in clusters.groups
                 if (v := grid.values[m].get(g)) is not None)  # fmt: skip
    notes = [
        f"Numbers: accuracy in percent, {plain(scenario).lower()} images, closed {asks}, "
        f"at least {fewest} answers a cell.",
        *_notes(clusters, names, "entries"),
    ]
    if few := len(grid.groups) - len(enough):
        notes.append(f"Left out, with fewer than {wanted.intra_task_n} scored answers: {few}.")
    if more := len(enough) - len(drawn):
        notes.append(f"Shown are those with the most answers; {more} more are in the table.")
    labels = heat.short([g[:1].upper() + g[1:] for g in clusters.groups], 34)
    made, ax, place = heat.draw(heat.Map(grid, models, clusters.groups, labels, notes), _TREE)
    _tree(ax, clusters, place)
    return Drawn(made, _table(grid, clusters, names, grid.groups, "entry"))
