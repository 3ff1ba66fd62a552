"""The style that the whole picture is made in."""

from __future__ import annotations

from lvlmbench.scene.lists import COUNTABLE
from lvlmbench.scene.subtasks import FOREGROUND, SUBTASKS, Subtask


@SUBTASKS.register("style")
def style() -> Subtask:
    """Return the subtask: a countable thing in some style."""
    return Subtask(
        name="style",
        order=0,
        granularity="coarse",
        foregrounds=COUNTABLE,
        secondary=(FOREGROUND,),
    )
