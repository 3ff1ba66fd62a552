"""Who a known person is."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Subtask


@SUBTASKS.register("celebrity")
def celebrity() -> Subtask:
    """Return the subtask: who a known person is."""
    return Subtask(
        name="celebrity",
        order=11,
        granularity="fine",
        foregrounds=("celebrity",),
    )
