"""Sections of the menu Answers."""

from __future__ import annotations

from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import cost as costs
from lvlmbench.stages.report import per_item
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values
from lvlmbench.stages.score.strategy import STRATEGIES


@SECTIONS.register("readings", place=80, menu="Answers", title="How they were read", asked=True)
def readings(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return the ways of reading, in words."""
    return {"strategies": {kind.name: kind.words for kind in STRATEGIES.ordered()}}


@SECTIONS.register("cost", place=90, menu="Answers", title="What they cost", asked=True)
def cost(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return what the answers have cost, and what an item has."""
    made = costs.build(snapshot, found["leaderboard"])
    return {"cost": made, "per_item": per_item.build(snapshot, beside, made, found["difficulty"])}
