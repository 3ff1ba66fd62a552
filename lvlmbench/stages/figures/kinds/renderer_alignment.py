"""How often pictures are as described, by renderer and level, by checks and by people (AutoDavis,
table 15)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from lvlmbench.analysis.labels import plain
from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.labelling.agreement import most_say
from lvlmbench.labelling.given import read_folder
from lvlmbench.labelling.kinds.descriptions import ALIGNED, SHEET
from lvlmbench.labelling.sheet import RIGHT, SHEETS
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import latex, tabular
from lvlmbench.stages.figures.exams import described, levels_in
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.kinds.alignment import scores
from lvlmbench.stages.figures.published_table import read_table
from lvlmbench.stages.figures.tabular import Cell, Column, Heading, Row, Table
from lvlmbench.stats.estimate import share

_FIRST, _LAST, _PEOPLE = "checks, first picture", "checks, last picture", "people, picture shown"
_PUBLISHED = "AutoDavis, as published: by people"
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("by", "renderer", "level")),
        *((name, pa.int64()) for name in ("aligned", "of")),
        *((name, pa.float64()) for name in ("percent", "low", "high")),
    ]
)
_NOTES = (
    "Percent of the pictures that are as described, with 95% intervals. By checks: a picture that "
    "answers all of its checks as described. Pictures that nobody checked are left out, such as "
    "those that were rejected for something else. The mean counts each level the same.",
    "By people: more than half of those who labelled the picture say that it shows all that the "
    "description says. They see pictures that models are shown, not those that were removed.",
)


@dataclass(frozen=True)
class _Picture:
    by: str
    renderer: str
    level: str
    aligned: bool


@figure(
    "renderer_alignment",
    "How often pictures are as described, by renderer and level",
    "AutoDavis, table 15",
)
def renderer_alignment(sources: Sources) -> Drawn:
    """Share of pictures that are as described, by renderer and level: by checks, and by people
    where some labelled them (AutoDavis, table 15).

    Raises
    ------
    UserError
        A file of labels is damaged, or published results are asked for and theirs is missing.
    """
    snapshot = sources.snapshot
    levels = levels_in(described(snapshot))
    labels = PROJECT_ROOT / snapshot.params.labels.folder
    pictures = [*_checked(snapshot), *_labelled(snapshot, labels)]
    if not pictures:
        raise NotApplicable("No picture was compared with its description.")
    lines: list[Row | Heading] = []
    rows: list[dict[str, Any]] = []
    for by in dict.fromkeys(each.by for each in pictures):
        mine = [each for each in pictures if each.by == by]
        lines.append(Heading(by[:1].upper() + by[1:]))
        for renderer in sorted({each.renderer for each in mine}):
            found = _rows(by, renderer, levels, mine)
            rows += found
            lines.append(_line(renderer, levels, found))
    if snapshot.params.figures.published:
        path = sources.published / "autodavis_table15.csv"
        table = read_table(
            path, lambda row: (row["model"], row["difficulty"], float(row["alignment"]))
        )
        found = [
            {"by": _PUBLISHED, "renderer": name, "level": level, "percent": percent}
            for name, level, percent in table
        ]
        rows += found
        lines.append(Heading(_PUBLISHED))
        for name in dict.fromkeys(row["renderer"] for row in found):
            own = [row for row in found if row["renderer"] == name]
            lines.append(_line(name, levels, own, published=True))
    columns = [
        Column("Renderer", "left"),
        *(Column(plain(name)) for name in levels),
        Column("Mean"),
    ]
    made = Table("Pictures that are as described, percent", columns, lines, _NOTES)
    return Drawn(tabular.draw(made), pa.Table.from_pylist(rows, _SCHEMA), latex.tabular(made))


def _checked(snapshot: Snapshot) -> Iterator[_Picture]:
    """First and last pictures of scenes whose checks were answered."""
    drawn = snapshot.drawings.select(["scene_id", "renderer"]).to_pylist()
    first_by = {row["scene_id"]: row["renderer"] for row in reversed(drawn)}
    last_by = {row["scene_id"]: row["renderer"] for row in drawn}
    level = {row["scene_id"]: row["level"] for row in described(snapshot)}
    sides: tuple[tuple[str, Mapping[str, str], Mapping[str, float | None]], ...] = tuple(
        zip((_FIRST, _LAST), (first_by, last_by), scores(snapshot), strict=True)
    )
    for by, renderer, score in sides:
        for scene, found in sorted(score.items()):
            if found is not None and scene in level and scene in renderer:
                yield _Picture(by, renderer[scene], level[scene], found > 1 - 1e-9)


def _labelled(snapshot: Snapshot, labels: Path) -> Iterator[_Picture]:
    """Pictures of which people said whether they show what is described."""
    said = most_say(read_folder(labels, snapshot.params.suite, SHEET))
    if not said:
        return
    columns = (snapshot.of_images[name].to_pylist() for name in ("scene_id", "renderer"))
    renderer = dict(zip(*columns, strict=True))
    for item in SHEETS.get(SHEET, "figures")(snapshot):
        what, _, level = item.group.partition(": ")
        if what == ALIGNED and item.item_id in said and item.together in renderer:
            right = said[item.item_id] == RIGHT
            yield _Picture(_PEOPLE, renderer[item.together], level, right)


def _rows(
    by: str, renderer: str, levels: Sequence[str], pictures: Sequence[_Picture]
) -> list[dict[str, Any]]:
    rows = []
    for level in levels:
        of = [p.aligned for p in pictures if (p.renderer, p.level) == (renderer, level)]
        found = share(sum(of), len(of))
        if found is not None:
            ends = {"percent": found.value, "low": found.low, "high": found.high}
            rows.append(
                {"by": by, "renderer": renderer, "level": level, "aligned": sum(of), "of": len(of)}
                | {name: None if v is None else round(100 * v, 6) for name, v in ends.items()}
            )
    return rows


def _line(
    name: str, levels: Sequence[str], rows: Sequence[Mapping[str, Any]], published: bool = False
) -> Row:
    of = {row["level"]: row for row in rows}
    cells = [Cell(name, indent=True)]
    for level in levels:
        row = of.get(level)
        if row is None:
            cells.append(Cell("\N{EN DASH}"))
            continue
        notes = () if published else (f"{row['low']:.0f} to {row['high']:.0f}, n {row['of']:,}",)
        cells.append(Cell(f"{row['percent']:.1f}", notes=notes))
    whole = len(of) == len(levels)
    mean = sum(row["percent"] for row in rows) / len(rows) if whole else None
    cells.append(Cell("\N{EN DASH}" if mean is None else f"{mean:.1f}"))
    return Row(tuple(cells), muted=published)
