"""A word, and what it is written on."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Subtask


@SUBTASKS.register("text")
def text() -> Subtask:
    """Return the subtask: which word is written on a sign, a cup or another carrier."""
    return Subtask(
        name="text",
        written=True,
        order=13,
        granularity="fine",
        foregrounds=("carrier",),
        secondary=("style",),
        has_background=False,
    )
