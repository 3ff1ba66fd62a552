"""The section about answers that were compared with references."""

from __future__ import annotations

from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import published_touchstone
from lvlmbench.stages.report import talked
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values
from lvlmbench.suites.dialogue import ABILITIES


@SECTIONS.register(
    "dialogue",
    place=36,
    menu="Results",
    title="Dialogue",
    asked=True,
    when=lambda found: bool(found["talked"]),
    missing="no judge has compared answers with references",
)
def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return how answers fare beside references, with TouchStone's own results where published ones
    are asked for."""
    seen, sides = talked.build(snapshot, found["leaderboard"])
    wanted = bool(seen) and snapshot.params.figures.published
    return {
        "talked": seen,
        "talked_sides": sides,
        "talked_abilities": ABILITIES,
        "talked_published": published_touchstone.read(beside.published) if wanted else [],
        "talked_contradictions": published_touchstone.CONTRADICTIONS,
    }
