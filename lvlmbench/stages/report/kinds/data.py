"""Sections of the menu Data."""

from __future__ import annotations

from lvlmbench.analysis import statistics
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import attempts, audit, people
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values


@SECTIONS.register("composition", place=100, menu="Data", title="What was asked", asked=True)
def composition(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return the numbers of the paper's Table 2, and what they leave out."""
    notes = statistics.notes(snapshot)
    return {"statistics": statistics.table2(snapshot), "statistics_notes": notes}


@SECTIONS.register("funnel", place=110, menu="Data", title="From plan to question")
def funnel(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return how the images came about."""
    return {"rendering": attempts.build(snapshot), "methods": attempts.methods()}


@SECTIONS.register("cleaning", place=120, menu="Data", title="What was removed")
def cleaning(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return the audit of the vocabulary, and what people say of removals."""
    return {"audit": audit.build(snapshot), "people": people.build(snapshot, beside.labels)}


@SECTIONS.register(
    "validity",
    place=130,
    menu="Data",
    title="Validity",
    asked=True,
    when=lambda found: bool(found["validity"]),
    missing="the stage `validity` was not run",
)
def validity(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return nothing of its own."""
    return {}
