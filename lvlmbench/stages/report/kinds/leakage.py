"""The section on models that may have seen an older drawing of an exam."""

from __future__ import annotations

from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.figures import regenerated
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values


@SECTIONS.register(
    "leakage",
    place=22,
    menu="Exam",
    title="Leaked or fresh",
    asked=True,
    when=lambda found: bool(found["leakage"]),
    missing="the run has no older drawing of the same plan",
)
def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return comparisons with older drawings of the same plan; none where the run has none."""
    models = found["leaderboard"].models
    return {"leakage": regenerated.build(snapshot, beside.others, models)}
