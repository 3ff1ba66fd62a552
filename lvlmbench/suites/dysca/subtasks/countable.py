"""Things that can be counted: animals, objects, plants and food."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Aspect, Subtask

_SHOWS = (
    "The image shows {claim}.",
    "You can see {claim} in the image.",
)

#: How many of a thing there are is described, and never asked.
_NUMBER = {"number": Aspect("how many there are")}


@SUBTASKS.register("animal")
def animal() -> Subtask:
    """Return the subtask: which animal is shown, one to three of it."""
    return Subtask(
        name="animal",
        order=3,
        granularity="fine",
        asks=Aspect(
            "the {noun}",
            questions=(
                "Which animal is shown in this image?",
                "What animal can be seen in this picture?",
                "What kind of animal does this image show?",
            ),
            statements=_SHOWS,
            claim="counted",
        ),
        foregrounds=("animal",),
        attributes=("number",),
        beside=_NUMBER,
    )


@SUBTASKS.register("object")
def object() -> Subtask:
    """Return the subtask: which object is shown, one to three of it."""
    return Subtask(
        name="object",
        order=4,
        granularity="fine",
        asks=Aspect(
            "the {noun}",
            questions=(
                "Which object is shown in this image?",
                "What object can be seen in this picture?",
                "What kind of object does this image show?",
            ),
            statements=_SHOWS,
            claim="counted",
        ),
        foregrounds=("object",),
        attributes=("number",),
        beside=_NUMBER,
    )


@SUBTASKS.register("plant")
def plant() -> Subtask:
    """Return the subtask: which plant is shown, one to three of it."""
    return Subtask(
        name="plant",
        order=5,
        granularity="fine",
        asks=Aspect(
            "the {noun}",
            questions=(
                "Which plant is shown in this image?",
                "What plant or part of a plant can be seen in this picture?",
                "What kind of plant does this image show?",
            ),
            statements=_SHOWS,
            claim="counted",
        ),
        foregrounds=("plant",),
        attributes=("number",),
        beside=_NUMBER,
    )


@SUBTASKS.register("food")
def food() -> Subtask:
    """Return the subtask: which food is shown, one to three of it."""
    return Subtask(
        name="food",
        order=6,
        granularity="fine",
        asks=Aspect(
            "the {noun}",
            questions=(
                "Which food is shown in this image?",
                "What food can be seen in this picture?",
                "What kind of food does this image show?",
            ),
            statements=_SHOWS,
            claim="counted",
        ),
        foregrounds=("food",),
        attributes=("number",),
        beside=_NUMBER,
    )
