"""The section on validators behind endpoints: what they see, and how far that is so."""

from __future__ import annotations

from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import validators
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values


@SECTIONS.register(
    "validators",
    place=23,
    menu="Exam",
    title="Validators",
    when=lambda found: bool(found["validators"]),
    missing="no validator behind an endpoint was asked",
)
def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return what validators have seen; nothing where none was asked."""
    return {"validators": validators.build(snapshot), "validator_groups": validators.GROUPS}
