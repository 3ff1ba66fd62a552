"""Sections of the menu Robustness."""

from __future__ import annotations

from lvlmbench.analysis import robustness
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import deception
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.robustness_words import sentences
from lvlmbench.stages.report.section import SECTIONS, Values


@SECTIONS.register("robustness", place=40, menu="Robustness", title="Robustness", asked=True)
def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return the findings in words, the severities, and who believes what is printed."""
    return {
        "deceptions": deception.build(snapshot, found["leaderboard"]),
        "robustness_words": sentences(found["robustness"], found["attacks"]),
        "severities": robustness.SEVERITIES,
    }


@SECTIONS.register(
    "sensitivity", place=50, menu="Robustness", title="Question type and style", asked=True
)
def sensitivity(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return nothing of its own."""
    return {}
