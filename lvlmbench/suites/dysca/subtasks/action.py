"""What is going on."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Subtask


@SUBTASKS.register("action")
def action() -> Subtask:
    """Return the subtask: what is going on."""
    return Subtask(
        name="action",
        order=12,
        granularity="fine",
        foregrounds=("action",),
    )
