"""The color of an object."""

from __future__ import annotations

from lvlmbench.scene.subtasks import FOREGROUND, SUBTASKS, Subtask


@SUBTASKS.register("color")
def color() -> Subtask:
    """Return the subtask: an object that can have any color."""
    return Subtask(
        name="color",
        order=2,
        granularity="coarse",
        foregrounds=("object",),
        attributes=("color",),
        secondary=(FOREGROUND, "background", "style"),
        foreground_needs="recolor",
    )
