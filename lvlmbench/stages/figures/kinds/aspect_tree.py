"""What a request is made into: aspects with a picture of each (AutoBench-V, figure 2)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis.labels import inline, plain
from lvlmbench.analysis.thumbnails import folder_of
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.scene.levels import LEVELS
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import plotting
from lvlmbench.stages.figures import thumbnails as pictures
from lvlmbench.stages.figures.exams import Row, levels_in, planned
from lvlmbench.stages.figures.figure import Drawn, Sources, figure
from lvlmbench.stages.figures.sheet import Sheet

if TYPE_CHECKING:
    from lvlmbench.stages.figures.thumbnails import Pixels

#: Fine-grained aspects side by side, and pixels of a picture's side: pages have many of them.
_ACROSS, _PIXELS = 6, 144
_MARGIN, _GAP, _GENERAL, _SIDE, _BELOW = 10.0, 8.0, 96.0, 76.0, 27.0
_SIZE, _SMALL = 8.0, 6.8
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("request", "general", "aspect", "called", "truth")),
        *((name, pa.int64()) for name in ("planned", "asked")),
        *((name, pa.string()) for name in ("level", "scene_id", "image_id")),
    ]
)


@figure(
    "aspect_tree",
    "Requests, general aspects and fine-grained ones, with a picture of each",
    "AutoDavis, figure 6",
)
def aspect_tree(sources: Sources) -> Drawn:
    """Aspects of each request, with a picture of each that is asked about (AutoDavis, figure 6)."""
    rows = _aspects(sources.snapshot)
    shown = {row["image_id"] for row in rows if row["image_id"]}
    folder = folder_of(sources.snapshot, CLEAN)
    images = pictures.of(folder, shown, _PIXELS) if shown else {}
    most = max(Counter((row["request"], row["general"]) for row in rows).values())
    across = min(max(most, 3), _ACROSS)
    sheet, y = Sheet(2 * _MARGIN + _GENERAL + across * (_SIDE + _GAP)), 6.0
    for request in dict.fromkeys(row["request"] for row in rows):
        y = sheet.paragraph(
            _MARGIN, y, sheet.width - 2 * _MARGIN, plain(request), 10.5, weight="bold"
        ) + 3  # fmt: skip
        mine = [row for row in rows if row["request"] == request]
        for general in dict.fromkeys(row["general"] for row in mine):
            sheet.rule(_MARGIN, sheet.width - _MARGIN, y, plotting.GRID)
            fine = [row for row in mine if row["general"] == general]
            y = _general(sheet, y + 6, general, fine, images)
        y += 8
    return Drawn(sheet.figure(y), pa.Table.from_pylist(rows, _SCHEMA))


def _aspects(snapshot: Snapshot) -> list[dict[str, Any]]:
    """A row an aspect, with the picture of the least id among those of its middle level that are
    asked about, or of any level."""
    described = planned(snapshot)
    asked = {*snapshot.questions["scene_id"].to_pylist()} & {*snapshot.kept_scenes.to_pylist()}
    of_scenes: dict[str, str] = {}
    if CLEAN in snapshot.images:
        table = snapshot.images[CLEAN].select(["scene_id", "image_id"])
        here = table.filter(pc.is_in(table["scene_id"], value_set=pa.array(sorted(asked))))
        of_scenes = {row["scene_id"]: row["image_id"] for row in here.to_pylist()}
    levels = levels_in(described)
    levels = [name for name in levels if name in LEVELS] or levels
    middle = levels[(len(levels) - 1) // 2]
    found: dict[tuple[str, str, str], list[Row]] = {}
    for row in described:
        found.setdefault((row["subtask"], row["general"], row["aspect"]), []).append(row)
    rows = []
    for (request, general, aspect), items in found.items():
        with_picture = [row for row in items if row["scene_id"] in of_scenes]
        one = min(
            with_picture, key=lambda row: (row["level"] != middle, row["scene_id"]), default=None
        )
        rows.append(
            {
                "request": request, "general": general, "aspect": aspect,
                "called": items[0]["called"],
                "truth": items[0]["truth"] if items[0]["family"] else None,
                "planned": len(items), "asked": sum(row["scene_id"] in asked for row in items),
                "level": one and one["level"], "scene_id": one and one["scene_id"],
                "image_id": one and of_scenes[one["scene_id"]],
            }
        )  # fmt: skip
    return rows


def _general(
    sheet: Sheet, y: float, general: str, fine: Sequence[Row], images: Mapping[str, Pixels]
) -> float:
    """A general aspect at the left, its fine-grained ones beside it; returns where it ends."""
    sheet.paragraph(_MARGIN, y, _GENERAL - _GAP, general, _SIZE, weight="bold")
    for start in range(0, len(fine), _ACROSS):
        for at, row in enumerate(fine[start : start + _ACROSS]):
            _fine(sheet, _MARGIN + _GENERAL + at * (_SIDE + _GAP), y, row, images)
        y += _SIDE + _BELOW + 10
    return y


def _fine(sheet: Sheet, x: float, y: float, row: Row, images: Mapping[str, Pixels]) -> None:
    pixels = images.get(row["image_id"] or "")
    if pixels is None:
        sheet.box(x, y, _SIDE, _SIDE, plotting.GRID, 0.5)
        why = ("needs an", "endpoint") if row["truth"] is None else ("nothing", "asked")
        for line, word in enumerate(why):
            at = y + _SIDE / 2 + line * 9
            sheet.text(x + _SIDE / 2, at, word, _SMALL, plotting.MUTED, align="center")
    else:
        sheet.picture(x, y, _SIDE, _SIDE, pixels)
    below = sheet.paragraph(x, y + _SIDE + 2, _SIDE + _GAP - 2, row["called"], _SMALL, most=2)
    level = "" if row["level"] is None else f", {inline(row['level'])}"
    told = f"{row['asked']:,} of {row['planned']:,} asked{level}"
    sheet.text(x, below + 6, told, 5.6, plotting.MUTED)
