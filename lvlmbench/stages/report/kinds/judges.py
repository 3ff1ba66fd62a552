"""The section about judges and what they say."""

from __future__ import annotations

from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import examined, judged
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values


@SECTIONS.register(
    "judges",
    place=95,
    menu="Answers",
    title="Free answers and their judges",
    asked=True,
    when=lambda found: bool(found["judged"] or found["examined"]),
    missing="no judge has judged free answers",
)
def judges(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return what judges say of free answers, and how good they are."""
    found = {"judged": judged.build(snapshot), "examined": examined.build(snapshot)}
    return {**found, "own_judges": judged.own(snapshot)}
