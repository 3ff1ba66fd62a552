"""Sections of the menu Run."""

from __future__ import annotations

from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import exports as made
from lvlmbench.stages.report import timings
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values


@SECTIONS.register(
    "exports",
    place=140,
    menu="Run",
    title="Exports",
    when=lambda found: found["exports"] is not None,
)
def exports(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return what was exported."""
    return {"exports": made.build(beside.exports)}


@SECTIONS.register(
    "run",
    place=150,
    menu="Run",
    title="Time and memory",
    when=lambda found: not found["joined"],
)
def run(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return time and memory, where the report tells them itself."""
    inside = snapshot.params.report.timings == "inside"
    return {
        "stages": timings.build(beside.state, beside.build) if inside else None,
        "stages_total": timings.total,
    }


@SECTIONS.register("parameters", place=160, menu="Run", title="Parameters")
def parameters(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return nothing of its own."""
    return {}
