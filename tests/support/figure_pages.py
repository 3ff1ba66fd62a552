"""Figures of the made-up snapshot, and what stands on their pages."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.text import Text

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import plotting
from lvlmbench.stages.figures.figure import FIGURES, Drawn, Sources
from support.report_snapshot import SNAPSHOT, build, noisy_params

#: Fine enough for a renderer's letters to be as wide as those in the files.
_DPI = 720
PUBLISHED = Path(__file__).parents[2] / "data" / "published"


def noisy(factory: pytest.TempPathFactory) -> Path:
    """The made-up snapshot in every scenario; no test changes it."""
    return _noisy(factory.getbasetemp())


@cache
def _noisy(folder: Path) -> Path:
    root = folder / "figures-noisy"
    build(root, noisy_params())
    return root


def sources(root: Path, p: Params | None = None, published: Path = PUBLISHED) -> Sources:
    """What figures of the snapshot in ``root`` are drawn from."""
    results = root / "results" / "dysca"
    snapshot = Snapshot(p or noisy_params(), root / "data" / "dysca", results)
    return Sources(snapshot, None, published)


def with_scenarios(given: Sources, *names: str) -> Sources:
    """The same snapshot, had it only these scenarios."""
    p = given.snapshot.params
    few = p.scenarios.model_copy(update={"names": names})
    snapshot = replace(given.snapshot, params=p.model_copy(update={"scenarios": few}))
    for table, column in (("metrics", "scenario"), ("comparisons", "baseline_scenario")):
        found = getattr(given.snapshot, table)
        mask = pc.is_in(found[column], value_set=pa.array(names))
        snapshot.__dict__[table] = found.filter(mask)
    return Sources(snapshot, given.validity, given.published)


def draw(name: str, given: Sources) -> Drawn:
    """A figure as the stage draws it."""
    with plotting.settings():
        return FIGURES.get(name, "figure")(given)


def rows(drawn: Drawn) -> list[dict[str, Any]]:
    """What becomes the CSV file."""
    return drawn.table.to_pylist()


def words(made: Figure) -> list[str]:
    """Every line of text on the page."""
    return [t.get_text() for t in made.findobj(Text) if t.get_visible() and t.get_text()]


def misplaced(made: Figure) -> list[str]:
    """Lines of text that reach over the edge of the page or over one another."""
    with plotting.settings():
        made.set_dpi(_DPI)
        renderer = FigureCanvasAgg(made).get_renderer()
        shown = [t for t in made.findobj(Text) if t.get_visible() and t.get_text().strip()]
        boxes = [(t.get_text(), t.get_window_extent(renderer)) for t in shown]
    wide, high = (_DPI * float(x) for x in made.get_size_inches())
    out = [
        f"{text!r} leaves the page"
        for text, box in boxes
        if box.x0 < 0 or box.y0 < 0 or box.x1 > wide or box.y1 > high
    ]
    for i, (text, box) in enumerate(boxes):
        for other, its in boxes[i + 1 :]:
            across = min(box.x1, its.x1) - max(box.x0, its.x0)
            down = min(box.y1, its.y1) - max(box.y0, its.y0)
            if min(across, down) > _DPI / 72:  # a point
                out.append(f"{text!r} stands on {other!r}")
    return out


def rewritten(root: Path, copy: Path, folder: str, schema: tables.Table, **columns: Any) -> Path:
    """A copy of a snapshot in which columns of a table are replaced: name -> function of a row
    and its number within the shard."""
    if not copy.exists():
        shutil.copytree(root, copy)
    for path in sorted((copy / "data" / "dysca" / folder).rglob("part-*.parquet")):
        found = tables.read([path], schema).to_pylist()
        for i, row in enumerate(found):
            row |= {name: new(row, i) for name, new in columns.items()}
        path.unlink()
        tables.write_rows(found, path, schema, SNAPSHOT)
    return copy


def resharded(root: Path, copy: Path, rows: int) -> Path:
    """A copy of a snapshot whose tables have shards of ``rows`` rows."""
    shutil.copytree(root, copy)
    for folder in sorted({path.parent for path in (copy / "data").rglob("part-*.parquet")}):
        parts = sorted(folder.glob("part-*.parquet"))
        found = pa.concat_tables([pq.read_table(path) for path in parts])
        for path in parts:
            path.unlink()
        for i in range(max(1, -(-len(found) // rows))):
            pq.write_table(found.slice(i * rows, rows), folder / tables.part_name(i))
    return copy


def check_tabular(tex: str) -> None:
    """Each row has as many cells as the head says, and every brace is closed."""
    body = [line for line in tex.splitlines() if not line.startswith("%")]
    head = re.fullmatch(r"\\begin\{tabular\}\{([lr]+)\}", body[0])
    assert head is not None and body[-1] == r"\end{tabular}"
    assert r"\usepackage{booktabs}" in tex
    for line in body:
        bare = re.sub(r"\\[\\{}&%$#_]", "", line)
        assert bare.count("{") == bare.count("}")
        if line.endswith(r"\\"):
            wide = sum(int(n) - 1 for n in re.findall(r"\\multicolumn\{(\d+)\}", line))
            assert bare.count("&") + 1 + wide == len(head.group(1)), line
