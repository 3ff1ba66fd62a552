"""The same scenes in several styles, side by side (AutoDavis, figures 12 and 13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis.labels import inline, plain
from lvlmbench.analysis.thumbnails import folder_of
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.scene.subtasks import subtask_order
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import plotting
from lvlmbench.stages.figures import thumbnails as pictures
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.sheet import Sheet

if TYPE_CHECKING:
    from lvlmbench.stages.figures.thumbnails import Pixels

#: Scenes that are shown, and pictures of one in a line at most.
_SCENES, _ACROSS = 8, 6
_MARGIN, _GAP, _LABEL, _SIDE = 10.0, 8.0, 82.0, 104.0
_SMALL, _PIXELS = 7.2, 208
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
        raise NotApplicable("No scene was drawn again in another style.")
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
    here = table.filter(pc.is_in(table["scene_id"], value_set=pa.array(sorted(again))))
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
