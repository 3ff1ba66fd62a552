"""A piece of clothing."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Subtask


@SUBTASKS.register("clothes")
def clothes() -> Subtask:
    """Return the subtask: a piece of clothing."""
    return Subtask(
        name="clothes",
        order=14,
        granularity="fine",
        foregrounds=("clothes",),
    )
