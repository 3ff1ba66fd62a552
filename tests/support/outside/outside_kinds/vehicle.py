"""The subtask ``vehicle``, of a list of its own."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Subtask


@SUBTASKS.register("vehicle")
def vehicle() -> Subtask:
    """Return the subtask: something to ride in."""
    return Subtask(
        name="vehicle",
        order=30,
        granularity="fine",
        foregrounds=("vehicle",),
        suites=("dysca", "sights"),
    )
