"""Sections of the menu Breakdown."""

from __future__ import annotations

from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values


@SECTIONS.register(
    "subtasks",
    place=60,
    menu="Breakdown",
    title="By subtask",
    template="subtasks.html.j2",
)
def subtasks(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return nothing of its own."""
    return {}


@SECTIONS.register(
    "styles",
    place=70,
    menu="Breakdown",
    title="By image style",
    template="styles.html.j2",
)
def styles(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return nothing of its own."""
    return {}
