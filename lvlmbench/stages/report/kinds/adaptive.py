"""The section on how few questions would have told which model is better."""

from __future__ import annotations

from lvlmbench.analysis import replay
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values


@SECTIONS.register(
    "adaptive",
    place=68,
    menu="Breakdown",
    title="Fewer questions",
    asked=True,
    when=lambda found: found["adaptive"] is not None,
    missing="too few models look, or too few questions or scenes were asked",
)
def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return tests that were replayed; nothing where models or questions are too few."""
    return {"adaptive": replay.build(snapshot, found["leaderboard"])}
