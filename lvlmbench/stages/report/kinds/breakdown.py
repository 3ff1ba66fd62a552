"""Sections of the menu Breakdown."""

from __future__ import annotations

from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values


@SECTIONS.register("subtasks", place=60, menu="Breakdown", title="By subtask", asked=True)
@SECTIONS.register(
    "styles",
    place=70,
    menu="Breakdown",
    title="By image style",
    asked=True,
    when=lambda found: not found["truth"].given,
    missing="nobody says in which styles a user's own pictures are",
)
def shared(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return nothing: these sections show what all share."""
    return {}
