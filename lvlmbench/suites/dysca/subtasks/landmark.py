"""A known building or place."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Subtask


@SUBTASKS.register("landmark")
def landmark() -> Subtask:
    """Return the subtask: a known building or place, which brings its surroundings with it."""
    return Subtask(
        name="landmark",
        order=17,
        granularity="fine",
        foregrounds=("landmark",),
        secondary=("style",),
        has_background=False,
    )
