"""Things that can be counted: animals, objects, plants and food."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Subtask


def _countable(name: str, order: int) -> Subtask:
    return Subtask(
        name=name,
        order=order,
        granularity="fine",
        foregrounds=(name,),
        attributes=("number",),
    )


@SUBTASKS.register("animal")
def animal() -> Subtask:
    """Return the subtask: which animal is shown, one to three of it."""
    return _countable("animal", 3)


@SUBTASKS.register("object")
def object() -> Subtask:
    """Return the subtask: which object is shown, one to three of it."""
    return _countable("object", 4)


@SUBTASKS.register("plant")
def plant() -> Subtask:
    """Return the subtask: which plant is shown, one to three of it."""
    return _countable("plant", 5)


@SUBTASKS.register("food")
def food() -> Subtask:
    """Return the subtask: which food is shown, one to three of it."""
    return _countable("food", 6)
