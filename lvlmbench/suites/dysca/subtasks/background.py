"""What is behind the foreground."""

from __future__ import annotations

from lvlmbench.scene.lists import COUNTABLE
from lvlmbench.scene.subtasks import FOREGROUND, SUBTASKS, Subtask


@SUBTASKS.register("background")
def background() -> Subtask:
    """Return the subtask: a countable thing before some background."""
    return Subtask(
        name="background",
        order=1,
        granularity="coarse",
        foregrounds=COUNTABLE,
        secondary=(FOREGROUND, "style"),
    )
