"""How many there are: described of countable things, and asked if the suite's settings say so."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Subtask


@SUBTASKS.register("number")
def number() -> Subtask:
    """Return what is asked of scenes of other subtasks; it has none of its own."""
    return Subtask(
        name="number",
        order=21,
        granularity="fine",
        foregrounds=(),
        suites=(),
    )
