"""Sections of the menu Results."""

from __future__ import annotations

from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values


@SECTIONS.register("overview", place=10, menu="Results", title="Overview", asked=True)
@SECTIONS.register("leaderboard", place=20, menu="Results", title="Results", asked=True)
@SECTIONS.register(
    "comparisons", place=30, menu="Results", title="Is the difference real?", asked=True
)
def shared(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return nothing: these sections show what all share."""
    return {}
