"""The section on what makes questions hard."""

from __future__ import annotations

from lvlmbench.analysis import difficulty
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values


@SECTIONS.register(
    "difficulty",
    place=67,
    menu="Breakdown",
    title="What makes it hard",
    asked=True,
    when=lambda found: found["difficulty"] is not None,
    missing="questions have no factors of difficulty, or no model is clearly above guessing",
)
def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return weights of factors; nothing where questions have none, or all models guess."""
    return {"difficulty": difficulty.build(snapshot, found["leaderboard"])}
