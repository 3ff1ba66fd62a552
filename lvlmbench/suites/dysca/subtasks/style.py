"""The style that the whole picture is made in."""

from __future__ import annotations

from lvlmbench.scene.lists import COUNTABLE
from lvlmbench.scene.subtasks import FOREGROUND, SUBTASKS, Aspect, Subtask


@SUBTASKS.register("style")
def style() -> Subtask:
    """Return the subtask: a countable thing in some style."""
    return Subtask(
        name="style",
        order=0,
        granularity="coarse",
        asks=Aspect(
            "the {noun}",
            questions=(
                "What is the visual style of this image?",
                "Which style is this image made in?",
                "How would you name the style of this picture?",
            ),
            statements=(
                "The image is made in {claim}.",
                "The image is a picture in {claim}.",
            ),
            claim="style",
        ),
        foregrounds=COUNTABLE,
        secondary=(FOREGROUND,),
    )
