"""Atomic checks of questions in the browser, with what each model says to them."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.scene.asking import Key
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.report.asked import Question, questions_of
from lvlmbench.stages.report.browser.scenes import rows_of


def checks_of(
    snapshot: Snapshot, leaderboard: Leaderboard, scenes: Sequence[str]
) -> dict[str, list[Question]]:
    """Return question id -> its atomic checks in their order, as far as models were asked them."""
    asked = snapshot.params.scenarios.checking
    rows = rows_of(snapshot.checks, "scene_id", scenes) if asked else []
    if not rows:
        return {}
    found = questions_of(snapshot, leaderboard, rows, leaderboard.models, asked[0])
    checks = {check.question_id: check for each in found.values() for check in each}
    out: dict[str, list[Question]] = {}
    for row in rows:
        key, _ = tables.checked_by(row["key"])
        mine = out.setdefault(Key.read(key).question_id(row["scene_id"]), [])
        mine.append(checks[row["question_id"]])
    return out
