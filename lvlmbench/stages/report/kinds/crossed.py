"""The section on levels of pictures and of questions, varied apart."""

from __future__ import annotations

from lvlmbench.analysis import crossing
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values
from lvlmbench.suites.suite import suite_of


@SECTIONS.register(
    "crossed",
    place=66,
    menu="Breakdown",
    title="Pictures and questions apart",
    asked=True,
    when=lambda found: found["crossing"] is not None,
    missing="no questions were asked of another level than their picture's",
)
def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return accuracy by both levels; nothing where a suite crosses none."""
    pairs = suite_of(snapshot.params).crossed(snapshot.params)
    crossed = crossing.build(snapshot, found["leaderboard"], pairs)
    lines = [] if crossed is None else crossed.lines
    cells = [value for line in lines for row in line.cells for value in row if value is not None]
    return {"crossing": crossed, "crossing_tells": any(map(found["tells"], cells))}
