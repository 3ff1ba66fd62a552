"""Things that can be counted: animals, objects, plants and food."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Aspect, Subtask


def _countable(name: str, order: int, called: str | None = None) -> Subtask:
    return Subtask(
        name=name,
        order=order,
        granularity="fine",
        asks=Aspect(
            "the {noun}",
            questions=(
                f"Which {name} is shown in this image?",
                f"What {called or name} can be seen in this picture?",
                f"What kind of {name} does this image show?",
            ),
            statements=(
                "The image shows {claim}.",
                "You can see {claim} in the image.",
            ),
            claim="counted",
        ),
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
    return _countable("plant", 5, "plant or part of a plant")


@SUBTASKS.register("food")
def food() -> Subtask:
    """Return the subtask: which food is shown, one to three of it."""
    return _countable("food", 6)
