"""What a request is made into: aspects with a picture of each (AutoBench-V, figure 2), and one
aspect at each level (AutoDavis, figure 8)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.labels import inline, plain
from lvlmbench.analysis.thumbnails import folder_of
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.scene.levels import LEVELS
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import plotting
from lvlmbench.stages.figures import thumbnails as pictures
from lvlmbench.stages.figures.exams import Row, described, levels_in, planned
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.sheet import Sheet
from lvlmbench.suites.instructions import letter

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
#: Of examples by level: side of a picture, width of a column, pixels, and its columns' heads.
_LARGE, _WIDE, _SHARP = 118.0, 168.0, 236
_EXAMPLES = pa.schema(
    [
        (name, pa.string())
        for name in (
            "request", "aspect", "called", "level", "scene_id", "image_id", "description",
            "question_id", "question", "options", "right_option",
        )
    ]
)  # fmt: skip


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
    told = planned(snapshot)
    asked = _asked(snapshot)
    of_scenes = _images(snapshot, asked)
    levels = levels_in(told)
    levels = [name for name in levels if name in LEVELS] or levels
    middle = levels[(len(levels) - 1) // 2]
    found: dict[tuple[str, str, str], list[Row]] = {}
    for row in told:
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


def _asked(snapshot: Snapshot) -> set[str]:
    """Scenes that something is asked about."""
    return {*snapshot.questions["scene_id"].to_pylist()} & {*snapshot.kept_scenes.to_pylist()}


def _images(snapshot: Snapshot, scenes: set[str]) -> dict[str, str]:
    """Pictures of scenes as they were drawn."""
    if CLEAN not in snapshot.images:
        return {}
    table = snapshot.images[CLEAN].select(["scene_id", "image_id"])
    here = table.filter(
        pc.is_in(table["scene_id"], value_set=pa.array(sorted(scenes), pa.string()))
    )
    return {row["scene_id"]: row["image_id"] for row in here.to_pylist()}


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


@figure(
    "level_examples",
    "An aspect of each request at every level: description, picture and question",
    "AutoDavis, figure 8",
)
def level_examples(sources: Sources) -> Drawn:
    """What one aspect of each request is made into at each level (AutoDavis, figure 8)."""
    snapshot = sources.snapshot
    rows = _examples(snapshot)
    if not rows:
        raise NotApplicable("Nothing is asked about any picture.")
    ids = {row["image_id"] for row in rows}
    images = pictures.of(folder_of(snapshot, CLEAN), ids, _SHARP)
    levels = levels_in(rows)
    sheet = Sheet(2 * _MARGIN + len(levels) * (_WIDE + _GAP) - _GAP)
    y = 6.0
    for request in dict.fromkeys(row["request"] for row in rows):
        mine = {row["level"]: row for row in rows if row["request"] == request}
        head = f"{plain(request)}: {next(iter(mine.values()))['called']}"
        room = sheet.width - 2 * _MARGIN
        y = sheet.paragraph(_MARGIN, y, room, head, 9.5, weight="bold", most=2) + 2
        ends = [
            _example(sheet, _MARGIN + at * (_WIDE + _GAP), y, mine[level], images)
            for at, level in enumerate(levels) if level in mine
        ]  # fmt: skip
        y = max(ends) + 12
    return Drawn(sheet.figure(y), pa.Table.from_pylist(rows, _EXAMPLES))


def _examples(snapshot: Snapshot) -> list[dict[str, Any]]:
    """Of each request the first aspect that is asked about at most levels, and of each level the
    picture of the least number with its first question that has options."""
    offering = snapshot.questions.filter(tables.offers(snapshot.questions["question_type"]))
    first: dict[str, Row] = {}
    for row in offering.sort_by("question_id").to_pylist():
        first.setdefault(row["scene_id"], row)
    of_images = _images(snapshot, {*first} & _asked(snapshot))
    found: dict[tuple[str, str], dict[str, Row]] = defaultdict(dict)
    told = described(snapshot)
    for row in sorted(told, key=lambda row: (row["number"], row["scene_id"])):
        if row["scene_id"] in of_images:
            found[row["subtask"], row["aspect"]].setdefault(row["level"], row)
    rows: list[dict[str, Any]] = []
    order = levels_in(told)
    for request in dict.fromkeys(row["subtask"] for row in told):
        aspects = dict.fromkeys(row["aspect"] for row in told if row["subtask"] == request)
        most = max(aspects, key=lambda aspect: len(found[request, aspect]))
        for level in order:
            if (row := found[request, most].get(level)) is None:
                continue
            question = first[row["scene_id"]]
            rows.append(
                {
                    "request": request, "aspect": most, "called": row["called"], "level": level,
                    "scene_id": row["scene_id"], "image_id": of_images[row["scene_id"]],
                    "description": row["description"], "question_id": question["question_id"],
                    "question": question["question"],
                    "options": "; ".join(question["options"]),
                    "offered": question["options"],
                    "right_option": question["options"][question["answer_index"]],
                }
            )  # fmt: skip
    return rows


def _example(sheet: Sheet, x: float, y: float, row: Row, images: Mapping[str, Pixels]) -> float:
    """A picture with its level, what it was to show, and its question; returns where it ends."""
    sheet.text(x, y + _SIZE, plain(row["level"]), _SIZE, plotting.MUTED)
    y += _SIZE + 5
    pixels = images.get(row["image_id"])
    if pixels is None:
        sheet.box(x, y, _LARGE, _LARGE, plotting.FLOOR)
    else:
        sheet.picture(x, y, _LARGE, _LARGE, pixels)
    y = sheet.paragraph(x, y + _LARGE + 2, _WIDE, row["description"], _SMALL, plotting.MUTED) + 2
    y = sheet.paragraph(x, y, _WIDE, row["question"], _SIZE) + 1
    for at, option in enumerate(row["offered"]):
        right = option == row["right_option"]
        words = f"{letter(at)} {option}"
        y = sheet.paragraph(x, y, _WIDE, words, _SIZE, weight="bold" if right else "normal", most=2)
    return y
