"""The section on why answers are wrong."""

from __future__ import annotations

from lvlmbench.analysis import errors
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values


@SECTIONS.register(
    "errors",
    place=67,
    menu="Breakdown",
    title="Why answers are wrong",
    asked=True,
    when=lambda found: found["errors"] is not None,
    missing="no atomic checks were asked",
)
def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return what atomic checks say of wrong answers; nothing where none were asked."""
    return {"errors": errors.build(snapshot, found["leaderboard"])}
