"""The color of an object."""

from __future__ import annotations

from lvlmbench.scene.subtasks import FOREGROUND, SUBTASKS, Aspect, Subtask


@SUBTASKS.register("color")
def color() -> Subtask:
    """Return the subtask: an object that can have any color."""
    return Subtask(
        name="color",
        order=2,
        granularity="coarse",
        asks=Aspect(
            "its {noun}",
            questions=(
                "What color is the object in this image?",
                "Which color does the object in this picture have?",
                "What is the main color of the object shown?",
            ),
            statements=(
                "The object in the image is {claim}.",
                "The main color of the object is {claim}.",
            ),
        ),
        foregrounds=("object",),
        attributes=("color",),
        secondary=(FOREGROUND, "background", "style"),
        foreground_needs="recolor",
    )
