"""The section on examiners: how far models' scores depend on who asks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lvlmbench.analysis.examiners import ALL, BASELINE, SINGLE, WITHOUT
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.section import SECTIONS, Values

Row = Mapping[str, Any]

_SQUARES = ("model", "examiner", "error")


@dataclass(frozen=True)
class Line:
    """One condition: whose questions count, the accuracy of each model, the ranking's likeness.

    ``figures`` are rows by figure: ``spearman``, ``kendall``, ``shift``, ``influence``.
    """

    condition: str
    examiner: str
    accuracy: list[Row]
    figures: dict[str, Row]


@dataclass(frozen=True)
class Examiners:
    """All that the section shows, of one scenario.

    Attributes
    ----------
    icc
        Row of the ICC; None for fewer than two models.
    squares
        Source of variance with its sum of squares and its share of the total, in percent.
    preferred
        Rows of models that are asked by their own family.
    """

    models: list[str]
    lines: list[Line]
    icc: Row | None
    squares: list[tuple[str, float, float]]
    preferred: list[Row]


def shown(rows: list[Row]) -> Examiners | None:
    """Return what rows of the table agreement say of one scenario; None where there are none."""
    if not rows:
        return None
    lines: dict[tuple[str, str], Line] = {}
    for row in rows:
        key = row["condition"], row["examiner"]
        line = lines.setdefault(key, Line(*key, [], {}))
        if row["figure"] == "accuracy":
            line.accuracy.append(row)
        elif row["model"] == ALL:
            line.figures[row["figure"]] = row
    base = lines[BASELINE, ALL]
    squares = [
        (name, base.figures[f"squares_{name}"]["value"], base.figures[f"share_{name}"]["value"])
        for name in _SQUARES
        if f"share_{name}" in base.figures
    ]
    order = (BASELINE, WITHOUT, SINGLE)
    return Examiners(
        [row["model"] for row in base.accuracy],
        sorted(lines.values(), key=lambda line: order.index(line.condition)),
        base.figures.get("icc"),
        squares,
        [row for row in rows if row["figure"] == "self_preference"],
    )


@SECTIONS.register(
    "examiners",
    place=21,
    menu="Exam",
    title="Examiners",
    asked=True,
    when=lambda found: found["examiners"] is not None,
    missing="fewer than two examiners have asked",
)
def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return how far examiners agree in the first scenario; nothing where fewer than two asked."""
    asking = {*snapshot.questions["examiner"].to_pylist()} - {None}
    if len(asking) < 2:
        return {"examiners": None}
    rows = snapshot.agreement.to_pylist()
    return {"examiners": shown([r for r in rows if r["scenario"] == snapshot.first_scenario])}
