"""The section on levels of difficulty, and on pairs of twins."""

from __future__ import annotations

from dataclasses import dataclass

from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.scene.levels import LEVELS
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.metrics.rows import ALL
from lvlmbench.stages.report.beside import Beside
from lvlmbench.stages.report.overview import Outline
from lvlmbench.stages.report.section import SECTIONS, Values
from lvlmbench.tables import JUDGED

#: Metric of all question types together.
_METRIC = {ALL: "score"}


@dataclass(frozen=True)
class Line:
    """What one model reaches in one question type: by level, the first level less the last, and
    over pairs."""

    model: str
    question_type: str
    by_level: list[Value | None]
    difference: Value | None
    pairs: Value | None

    def tells(self, outline: Outline) -> bool:
        """Return whether each level has enough questions of the type to be shown."""
        known = [value for value in self.by_level if value is not None and value.asked]
        return bool(known) and all(outline.tells(value) for value in known)


def levels_of(snapshot: Snapshot) -> list[str]:
    """Return the levels of a suite's questions, easy ones first."""
    found = {name for name in snapshot.questions["level"].to_pylist() if name is not None}
    return [name for name in LEVELS if name in found] + sorted(found - {*LEVELS})


@SECTIONS.register(
    "levels",
    place=65,
    menu="Breakdown",
    title="By level",
    asked=True,
    when=lambda found: bool(found["levels"]),
    missing="the suite has no levels",
)
def values(snapshot: Snapshot, beside: Beside, found: Values) -> Values:
    """Return a line a model and question type; no levels where the suite has none."""
    names = levels_of(snapshot)
    board: Leaderboard = found["leaderboard"]
    scenario = snapshot.first_scenario
    lines = [
        Line(
            model,
            kind,
            [
                board.value(model, scenario, _METRIC.get(kind, "accuracy"), kind, level=name)
                for name in names
            ],
            board.value(model, scenario, "level_difference", kind),
            board.value(model, scenario, "pair_accuracy", kind, level=ALL),
        )
        for kind in (ALL, *JUDGED)
        for model in board.models
    ]
    outline: Outline = found["outline"]
    told = [line for line in lines if line.question_type == ALL or line.tells(outline)]
    shown = {"levels": names, "level_lines": told if names else []}
    return {**shown, "levels_left_out": len(told) < len(lines)}
