"""What an item of an exam costs: planned, drawn as described, asked, and telling models apart.

AutoDavis gives dollars for a request (appendix M, Table 18) without what was drawn anew or left
out. Here whatever was spent is divided by what came of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from lvlmbench import tables
from lvlmbench.analysis.difficulty import Difficulty
from lvlmbench.analysis.ledger import Row, summed
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.render.retries.records import KEPT, REFUSED
from lvlmbench.stages.report import timings
from lvlmbench.stages.report.beside import Beside

Unit: TypeAlias = Literal["whole", "dollars", "seconds"]

#: Stages that make the items of a suite, and those that ask models about them.
MAKING = ("planner", "scenes", "render", "check", "examiner", "questions")
ASKING = ("scenario", "answer")


@dataclass(frozen=True)
class Amounts:
    """Items of an exam.

    Attributes
    ----------
    planned
        All that were asked for.
    drawings
        Pictures that were drawn, those that were drawn anew among them.
    aligned
        Items whose last picture is as described and of its level.
    kept
        Items that models are asked about.
    telling
        Items of the best difficulty that would tell as much of the models
        (:func:`lvlmbench.analysis.lltm.informative`); None where too few answers say it.
    """

    planned: int
    drawings: int
    aligned: int
    kept: int
    telling: float | None = None

    @property
    def units(self) -> tuple[float | None, ...]:
        """What is divided by: planned, aligned, kept and telling items."""
        return self.planned, self.aligned, self.kept, self.telling


@dataclass(frozen=True)
class Line:
    """Something that was spent: in all, and for each unit; None where nothing is to divide by."""

    what: str
    unit: Unit
    total: float
    per: tuple[float | None, ...]


@dataclass(frozen=True)
class PerItem:
    """What was spent on an exam, line by line.

    ``kept`` is what a kept item costs in dollars, None where no price is known; of ``unpriced``
    requests none is.
    """

    amounts: Amounts
    lines: list[Line]
    kept: float | None = None
    unpriced: int = 0


def amounts(snapshot: Snapshot, telling: float | None = None) -> Amounts | None:
    """Return what became of the items of an exam; None where the suite plans none."""
    folder = snapshot.folder(tables.DESCRIPTIONS)
    described = tables.read(folder, tables.DESCRIPTIONS, ["scene_id"])["scene_id"].to_pylist()
    if not described:
        return None
    last: dict[str, str] = {}
    drawings = 0
    for row in snapshot.attempts.select(["scene_id", "outcome"]).to_pylist():
        last[row["scene_id"]] = row["outcome"]
        drawings += row["outcome"] != REFUSED
    asked = {*snapshot.questions["scene_id"].to_pylist()} & {*snapshot.kept_scenes.to_pylist()}
    aligned = sum(last.get(scene) == KEPT for scene in described)
    return Amounts(len(described), drawings, aligned, len(asked.intersection(described)), telling)


def line(what: str, unit: Unit, total: float, of: Amounts) -> Line:
    """Return what was spent, for each unit of the items too."""
    return Line(what, unit, total, tuple(total / each if each else None for each in of.units))


def build(
    snapshot: Snapshot, beside: Beside, costs: Sequence[Row], difficulty: Difficulty | None
) -> PerItem | None:
    """Return what an item costs, by the ``costs`` of a run; None for a suite that is no exam.

    Seconds of this machine are in it where ``report.timings`` has them in the report.
    """
    of = amounts(snapshot, difficulty.informative if difficulty else None)
    if of is None:
        return None
    lines = [line("Pictures drawn", "whole", of.drawings, of)]
    answers = [row for row in costs if row["stage"] == "answer"]
    every = summed(costs)
    for who, rows in (
        ("Requests to roles", [row for row in costs if row["stage"] != "answer"]),
        ("Requests to models", answers),
        ("All requests", costs if 0 < len(answers) < len(costs) else []),
    ):
        if not rows:
            continue
        sums = summed(rows)
        lines.append(line(who, "whole", sums["requests"], of))
        if sums["cost_usd"] is not None:
            lines.append(line(f"{who}: cost", "dollars", sums["cost_usd"], of))
        if sums["seconds"] is not None:
            lines.append(line(f"{who}: seconds", "seconds", sums["seconds"], of))
    if snapshot.params.report.timings == "inside":
        stages = timings.build(beside.state, beside.build)
        lines += machine(stages, snapshot.params.suite, of)
    kept = None if every["cost_usd"] is None or not of.kept else every["cost_usd"] / of.kept
    return PerItem(of, lines, kept, every["unpriced"])


def machine(stages: Iterable[timings.Stage], suite: str, of: Amounts) -> list[Line]:
    """Return the seconds of a processor that making and asking took; nothing where not known."""
    parts = [part for stage in stages for part in (stage.parts or [stage])]
    found = []
    for words, names in (("Making", MAKING), ("Asking", ASKING)):
        spent = [
            part.spent.cpu
            for part in parts
            if part.spent is not None and part.name.split("/")[:2] in [[n, suite] for n in names]
        ]
        if spent:
            found.append(line(f"{words}: seconds of a processor", "seconds", sum(spent), of))
    return found


def of_run(snapshots: Mapping[str, Snapshot], beside: Beside) -> dict[str, PerItem]:
    """Return the seconds of this machine for an item of each exam, for the page about the run."""
    stages = timings.build(beside.state, beside.build)
    found = {}
    for suite, snapshot in snapshots.items():
        of = amounts(snapshot)
        lines = machine(stages, suite, of) if of is not None else []
        if of is not None and lines:
            found[suite] = PerItem(of, lines)
    return found
