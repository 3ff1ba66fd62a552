"""What ``lvlmbench scores`` says below its table: what constant answers get, which the questions
alone tell, and how small a difference between models the snapshot shows."""

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


def below(root: Path, suite: str, told: Sequence[Given], consensus: bool, bare: bool) -> str:
    """Return the lines below the table.

    Parameters
    ----------
    bare
        Whether no filter was given: the differences that are shown are of whole suites.
    """
    line = _best_line(root, suite, told, consensus)
    return line + (_power_line(root, suite, told) if bare and not consensus else "")


def _power_line(root: Path, suite: str, told: Sequence[Given]) -> str:
    """A line about the smallest differences; empty where the questions are not there."""
    from lvlmbench.analysis.power import power
    from lvlmbench.snapshot.reader import Snapshot

    try:
        found = power(Snapshot.of(told[0].project, root, suite)) if told else None
    except UserError:
        return ""
    return f"{found.sentence}\n" if found is not None else ""


def _best_line(root: Path, suite: str, told: Sequence[Given], consensus: bool) -> str:
    """A line about the best constant answers; empty where the questions are not there."""
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
