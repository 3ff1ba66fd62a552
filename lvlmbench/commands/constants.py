"""What constant answers get, for ``lvlmbench scores``: from the questions, no model is needed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lvlmbench.core.errors import UserError

if TYPE_CHECKING:
    from lvlmbench.versions.outdated import Given

#: The table of them, which has no file of its own.
CONSTANTS = "constants"
#: Its columns: which answer, and what it gets.
CONSTANT_COLUMNS = ("scenario", "question_type", "answer", "value", "right", "n")


def constant_rows(
    root: Path, suite: str | None, told: Sequence[Given], consensus: bool = False
) -> list[dict[str, Any]]:
    """Return a row for each constant answer to the questions of a suite's first scenario.

    Raises
    ------
    UserError
        The snapshot in ``root``, its parameters or the suite are missing.
    """
    from lvlmbench.snapshot.guessing import constants
    from lvlmbench.snapshot.reader import ALL_QUESTIONS, CONSENSUS, Snapshot

    snapshot = Snapshot.of(told[0].project, root, suite) if told else Snapshot.open(root, (), suite)
    scenario = snapshot.first_scenario
    which = CONSENSUS if consensus else ALL_QUESTIONS
    asked = snapshot.counted(snapshot.asked[scenario], which)
    return [
        {
            "scenario": scenario, "question_type": each.question_type, "answer": each.answer,
            "value": each.value, "right": each.right, "n": each.n,
        }
        for each in constants(asked)
    ]  # fmt: skip


def best_line(root: Path, suite: str, told: Sequence[Given], consensus: bool) -> str:
    """Return a line about the best constant answers; empty where the questions are not there."""
    try:
        rows = constant_rows(root, suite, told, consensus) if told else []
    except UserError:
        return ""
    best: dict[str, dict[str, Any]] = {}
    for row in sorted(rows, key=lambda each: -each["value"]):
        best.setdefault(row["question_type"], row)
    said = [f"{kind} {row['value']:.2f} ({row['answer']})" for kind, row in sorted(best.items())]
    more = "--table constants lists them"
    return f"constant answers get at best: {', '.join(said)}; {more}\n" if said else ""
