"""Sections of the menu Run."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lvlmbench.core.errors import UserError
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report import timings
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values

#: As :mod:`lvlmbench.stages.exports.export` writes it; what exports import decides nothing here.
INDEX = "index.json"


@dataclass(frozen=True)
class Export:
    """One form; ``rows`` counts its questions by scenario."""

    name: str
    title: str
    load: str
    needs: list[str]
    rows: Mapping[str, int]
    n_files: int
    bytes: int


def build(folder: Path | None) -> list[Export] | None:
    """What results/<suite>/exports holds; None for a report of submitted models, which has none.

    Raises
    ------
    UserError
        Its index is missing or damaged.
    """
    if folder is None:
        return None
    path = folder / INDEX
    try:
        listed = json.loads(path.read_text(encoding="utf-8"))["exports"]
        return [Export(**row) for row in listed]
    except (OSError, ValueError, TypeError, KeyError):
        fix = "run the stage 'exports' again"
        raise UserError(str(path), "is missing or damaged", fix) from None


@SECTIONS.register(
    "exports",
    place=140,
    menu="Run",
    title="Exports",
    when=lambda found: found["exports"] is not None,
    missing="no exports were written",
)
def exports(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return what was exported."""
    return {"exports": build(beside.exports)}


@SECTIONS.register(
    "run",
    place=150,
    menu="Run",
    title="Time and memory",
    template="run.html.j2",
    when=lambda found: not found["submitted"],
    missing="models were submitted to a finished run, whose own report has it",
)
def run(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return time and memory, where the report tells them itself."""
    inside = snapshot.params.report.timings == "inside"
    return {
        "stages": timings.build(beside.state, beside.build) if inside else None,
        "stages_total": timings.total,
    }


@SECTIONS.register("parameters", place=160, menu="Run", title="Parameters")
def parameters(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return nothing of its own."""
    return {}
