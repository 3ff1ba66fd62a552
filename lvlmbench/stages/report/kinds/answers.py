"""Sections of the menu Answers."""

from __future__ import annotations

from lvlmbench.analysis.ledger import by_stage, costs
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import cost, per_item
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values
from lvlmbench.stages.score.strategy import STRATEGIES


@SECTIONS.register("readings", place=80, menu="Answers", title="How they were read", asked=True)
def readings(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return the ways of reading, in words."""
    return {"strategies": {kind.name: kind.words for kind in STRATEGIES.ordered()}}


@SECTIONS.register("cost", place=90, menu="Answers", title="What they cost", asked=True)
def what_it_cost(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return what the answers have cost, all requests by stage, and an item."""
    ledger = costs(snapshot)
    return {
        "cost": cost.build(snapshot, found["leaderboard"]),
        "costs": ledger,
        "costs_by_stage": by_stage(ledger),
        "per_item": per_item.build(snapshot, beside, ledger, found["difficulty"]),
    }
