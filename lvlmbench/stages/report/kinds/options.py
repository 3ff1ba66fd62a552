"""The section on what options give away."""

from __future__ import annotations

from lvlmbench.analysis import options
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values


@SECTIONS.register(
    "options",
    place=55,
    menu="Robustness",
    title="What options give away",
    asked=True,
    when=lambda found: found["option_effects"] is not None,
    missing="no options were adjusted or moved",
)
def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return what adjusting and moving options changes; nothing where neither was tried."""
    return {"option_effects": options.build(snapshot, found["leaderboard"])}
