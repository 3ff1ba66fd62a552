"""The same scenes in several styles: side by side, and how models do in each (AutoDavis, figures 12
and 13)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis.averages import MEAN, Averages
from lvlmbench.analysis.averages import Cell as Place
from lvlmbench.analysis.labels import inline, plain
from lvlmbench.analysis.leaderboard import ALL
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.analysis.thumbnails import folder_of
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import legend, plotting
from lvlmbench.stages.figures import rows as csv_rows
from lvlmbench.stages.figures import thumbnails as pictures
from lvlmbench.stages.figures.exams import answered, levels_in
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.sheet import Sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from lvlmbench.stages.figures.thumbnails import Pixels

#: Scenes that are shown, and pictures of one in a line at most.
_SCENES, _ACROSS = 8, 6
_MARGIN, _GAP, _LABEL, _SIDE = 10.0, 8.0, 82.0, 104.0
_SMALL, _PIXELS = 7.2, 208
#: Styles whose accuracies are drawn, those with most questions; panels side by side.
_STYLES, _PANELS = 5, 3
#: In place of a style: the pictures as they were drawn first.
_FIRST = "as first drawn"
_NONE = "No scene was drawn again in another style."
_SCHEMA = pa.schema([(n, pa.string()) for n in
                     ("subtask", "level", "base", "scene_id", "style", "image_id")])  # fmt: skip


@figure(
    "style_panel",
    "Some scenes as they were drawn at first and in other styles",
    "AutoDavis, figures 12 and 13",
)
def style_panel(sources: Sources) -> Drawn:
    """A scene a line, as it was drawn first and in other styles (AutoDavis, figures 12, 13)."""
    snapshot = sources.snapshot
    rows = _rows(snapshot)
    images: dict[str, Pixels] = {}
    ids = {row["image_id"] for row in rows}
    for scenario in dict.fromkeys((CLEAN, snapshot.again_in or CLEAN)):
        images |= pictures.of(folder_of(snapshot, scenario), ids, _PIXELS)
    lines: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        lines.setdefault(row["base"], []).append(row)
    across = min(max(map(len, lines.values())), _ACROSS)
    sheet = Sheet(2 * _MARGIN + _LABEL + across * (_SIDE + _GAP))
    y = 6.0
    for line in lines.values():
        y = _line(sheet, y, line, images)
    return Drawn(sheet.figure(y), pa.Table.from_pylist(rows, _SCHEMA))


def _rows(snapshot: Snapshot) -> list[dict[str, Any]]:
    """Pictures of some scenes, spread over subtasks: the first one, and those in other styles about
    which something is asked."""
    scenario = snapshot.again_in
    if scenario is None or CLEAN not in snapshot.images or not len(snapshot.again):
        raise NotApplicable(_NONE)
    of = {**_asked(snapshot, CLEAN), **_asked(snapshot, scenario)}
    columns = ["scene_id", "base", "subtask", "style", "level"]
    again: dict[str, list[Mapping[str, Any]]] = {}
    for row in snapshot.again.select(columns).to_pylist():
        if row["scene_id"] in of and row["base"] in of:
            again.setdefault(row["base"], []).append(row)
    if not again:
        raise NotApplicable(
            "Nothing is asked about a scene both as it was drawn first and in another style."
        )
    found = []
    for base in _some(snapshot, again):
        for row in (base, *sorted(again[base["scene_id"]], key=lambda r: r["style"] or "")):
            found.append(
                {
                    "subtask": row["subtask"], "level": row["level"], "base": base["scene_id"],
                    "scene_id": row["scene_id"], "style": row["style"],
                    "image_id": of[row["scene_id"]],
                }
            )  # fmt: skip
    return found


def _asked(snapshot: Snapshot, scenario: str) -> dict[str, str]:
    """Pictures of a scenario by their scenes, of those that something is asked about."""
    table = snapshot.images[scenario].select(["scene_id", "image_id"])
    scenes = pc.unique(snapshot.asked[scenario]["scene_id"])
    here = table.filter(pc.is_in(table["scene_id"], value_set=scenes))
    return {row["scene_id"]: row["image_id"] for row in here.to_pylist()}


def _some(snapshot: Snapshot, again: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Scenes to show: of each subtask in turn that of the least id, ever other levels first."""
    table = snapshot.scenes
    here = table.filter(pc.is_in(table["scene_id"], value_set=pa.array(sorted(again), pa.string())))
    pools: dict[str, list[Mapping[str, Any]]] = {}
    columns = ["scene_id", "subtask", "style", "level"]
    for row in sorted(here.select(columns).to_pylist(), key=lambda r: r["scene_id"]):
        pools.setdefault(row["subtask"], []).append(row)
    chosen: list[Mapping[str, Any]] = []
    while len(chosen) < _SCENES and any(pools.values()):
        for subtask in sorted((name for name in pools if pools[name]), key=subtask_order):
            if len(chosen) == _SCENES:
                break
            levels = [row["level"] for row in chosen]
            best = min(pools[subtask], key=lambda row: levels.count(row["level"]))
            pools[subtask].remove(best)
            chosen.append(best)
    return sorted(chosen, key=lambda row: subtask_order(row["subtask"]))


def _line(
    sheet: Sheet, y: float, line: list[dict[str, Any]], images: Mapping[str, Pixels]
) -> float:
    first = line[0]
    at = sheet.paragraph(_MARGIN, y, _LABEL - _GAP, plain(first["subtask"]), 8.4, weight="bold")
    if first["level"] is not None:
        sheet.text(_MARGIN, at + _SMALL, inline(first["level"]), _SMALL, plotting.MUTED)
    for start in range(0, len(line), _ACROSS):
        for column, row in enumerate(line[start : start + _ACROSS]):
            x = _MARGIN + _LABEL + column * (_SIDE + _GAP)
            pixels = images.get(row["image_id"])
            if pixels is None:
                sheet.box(x, y, _SIDE, _SIDE, plotting.FLOOR)
            else:
                sheet.picture(x, y, _SIDE, _SIDE, pixels)
            told = row["style"] or "no style"
            told = f"{told}, first" if row["scene_id"] == row["base"] else told
            sheet.text(x, y + _SIDE + 9, told, _SMALL, plotting.MUTED)
        y += _SIDE + 17
    return y + 4


@figure(
    "style_levels",
    "Accuracy of every model by style and level, over the same scenes",
    "AutoDavis, figures 12 and 13",
    counted=True,
)
def style_levels(sources: Sources) -> Drawn:
    """Accuracy by level of pictures as they were drawn first and in other styles, over questions
    that are asked of both (AutoDavis, figures 12 and 13)."""
    snapshot, board = sources.snapshot, sources.leaderboard
    if snapshot.again_in is None or not len(snapshot.again):
        raise NotApplicable(_NONE)
    models = legend.shown_models(board, snapshot.first_scenario)
    looking = [model for model in models if board.kind(model) != "guesser"]
    averages = _by_style(snapshot, models, looking)
    levels = levels_in([{"level": cell[1]} for cell in averages.cells])
    styles = [_FIRST, *sorted({cell[0] for cell in averages.cells} - {_FIRST}, key=str.casefold)]
    if not levels:
        raise NotApplicable("Nothing is asked at a level about a scene in another style.")
    values: dict[str, dict[str, dict[str, Value]]] = {}
    for style in styles:
        for model in (*models, MEAN):
            for level in (*levels, ALL):
                cells = [(style, level)] if level != ALL else [(style, each) for each in levels]
                if (value := averages.mean(model, cells)) is not None:
                    values.setdefault(style, {}).setdefault(model, {})[level] = value
    made = _style_panels(values, [*levels, ALL], legend.looks(models, board))
    table = csv_rows.table(
        ["style", "level", "model"],
        (
            ((style, level, model), value)
            for style, by_model in values.items()
            for model, by_level in by_model.items()
            for level, value in by_level.items()
        ),
    )
    return Drawn(made, table)


def _by_style(snapshot: Snapshot, models: Sequence[str], looking: Sequence[str]) -> Averages:
    """Accuracies by style and level, of questions that are asked of both pictures."""
    columns = [snapshot.again[name].to_pylist() for name in ("scene_id", "base", "style")]
    again = {scene: (base, style) for scene, base, style in zip(*columns, strict=True)}
    questions = pa.concat_tables([snapshot.asked[s] for s in (CLEAN, str(snapshot.again_in))])
    names = ("question_id", "scene_id", "key", "level")
    rows = list(zip(*(questions[name].to_pylist() for name in names), strict=True))
    asked = {(again.get(scene, (scene, ""))[0], key) for _, scene, key, _ in rows if scene in again}
    asked &= {(scene, key) for _, scene, key, _ in rows if scene not in again}
    place: dict[str, Place] = {}
    for question, scene, key, level in rows:
        base, style = again.get(scene, (scene, _FIRST))
        if (base, key) in asked and level is not None:
            place[question] = style, level

    def cell(question: str, scene: str) -> Place | None:
        return place.get(question)

    answers = {
        model: [
            each
            for scenario in (CLEAN, str(snapshot.again_in))
            for each in answered(snapshot, model, scenario, cell)
        ]
        for model in models
    }
    return Averages(answers, {scene: base for scene, (base, _) in again.items()}, looking)


def _style_panels(
    values: Mapping[str, Mapping[str, Mapping[str, Value]]],
    levels: Sequence[str],
    looks: legend.Looks,
) -> Any:
    asked = Counter(
        {
            style: max(sum(of[level].n for level in of if level != ALL) for of in by.values())
            for style, by in values.items()
        }
    )
    most = [style for style, _ in asked.most_common() if style != _FIRST][:_STYLES]
    shown = [style for style in values if style == _FIRST or style in most]
    across = min(len(shown), _PANELS)
    down = -(-len(shown) // across)
    high = len(levels) * max(0.3, 0.12 * len(looks) + 0.1)
    made, axes = plotting.grid(9.4, 0.6 + (0.75 + high) * down, down, across)
    for ax, style in zip(axes, shown, strict=False):
        _style_panel(ax, style, values[style], levels, looks, asked[style])
    for ax in axes[len(shown) :]:
        ax.set_axis_off()
    legend.legend(made, looks)
    return made


def _style_panel(
    ax: Axes, style: str, values: Mapping[str, Mapping[str, Value]], levels: Sequence[str],
    looks: legend.Looks, n: int,
) -> None:  # fmt: skip
    step = 0.8 / max(len(looks), 1)
    for at, (model, look) in enumerate(looks.items()):
        shift = (at - (len(looks) - 1) / 2) * step
        legend.points(ax, dict(values.get(model, {})), [*levels], shift, look)
    for y in range(1, len(levels)):
        ax.axhline(y - 0.5, color=plotting.GRID, lw=0.7, zorder=1)
    ax.set_title(f"{style[:1].upper()}{style[1:]}, n {n:,}", fontsize=9)
    ax.set_yticks(
        range(len(levels)), ["Mean of levels" if each == ALL else plain(each) for each in levels]
    )
    ax.set_ylim(len(levels) - 0.4, -0.6)
    ax.set_xlim(0, 100)
    ax.set_xticks(range(0, 101, 25))
    ax.set_xlabel("accuracy (%)")
    ax.grid(axis="x")
