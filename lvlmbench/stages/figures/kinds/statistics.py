"""What the snapshot holds, as a table."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.analysis import statistics
from lvlmbench.stages.figures import latex, tabular
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure
from lvlmbench.stages.figures.tabular import Cell, Column, Row, Table

_NOTES = (
    "Questions count once in each scenario that asks them, and only where every filter keeps the "
    "image. Shares are of all questions counted.",
    "Lengths are in words of the question itself, without its options and instruction.",
)
_SCHEMA = pa.schema(
    [
        ("statistic", pa.string()),
        ("part_of", pa.string()),
        ("value", pa.string()),
        ("number", pa.float64()),
        ("share", pa.float64()),
    ]
)


@figure(
    "table2_statistics", "Key statistics of the questions asked", "Dysca, table 2", counted=True
)
def table2_statistics(sources: Sources) -> Drawn:
    """Key statistics of the questions asked, over the scenarios that are conditions of the image
    (Dysca, table 2)."""
    found = statistics.table2(sources.snapshot)
    if not found[0].number:
        raise NotApplicable("No question was asked.")
    table = Table(
        "Key statistics",
        [Column("Statistic", "left"), Column("Number")],
        [Row((Cell(s.label, indent=s.indent), Cell(s.value))) for s in found],
        [*_NOTES, *statistics.notes(sources.snapshot)],
    )
    rows, parent = [], ""
    for s in found:
        parent = parent if s.indent else s.label
        rows.append(
            {
                "statistic": s.label,
                "part_of": parent if s.indent else None,
                "value": s.value or None,
                "number": s.number,
                "share": s.share,
            }
        )
    return Drawn(tabular.draw(table), pa.Table.from_pylist(rows, _SCHEMA), latex.tabular(table))
