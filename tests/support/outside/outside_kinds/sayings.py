"""A section of the report."""

from __future__ import annotations

from pathlib import Path

from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values

TEMPLATE = Path(__file__).with_name("sayings.html.j2")


@SECTIONS.register("sayings", menu="Data", title="Sayings", template=str(TEMPLATE))
def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return what the template shows."""
    return {"sayings": sorted(set(snapshot.questions["question"].to_pylist()))}
