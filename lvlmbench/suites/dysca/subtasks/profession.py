"""What a person does for a living."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Subtask


@SUBTASKS.register("profession")
def profession() -> Subtask:
    """Return the subtask: what a person does for a living."""
    return Subtask(
        name="profession",
        order=18,
        granularity="fine",
        foregrounds=("profession",),
    )
