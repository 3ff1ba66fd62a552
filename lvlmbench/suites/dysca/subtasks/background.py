"""What is behind the foreground."""

from __future__ import annotations

from lvlmbench.scene.lists import COUNTABLE
from lvlmbench.scene.subtasks import FOREGROUND, SUBTASKS, Aspect, Subtask


@SUBTASKS.register("background")
def background() -> Subtask:
    """Return the subtask: a countable thing before some background."""
    return Subtask(
        name="background",
        order=1,
        granularity="coarse",
        asks=Aspect(
            "the {noun}",
            questions=(
                "What is the background of this image?",
                "Which background does this image have?",
                "What kind of place or backdrop does this picture have?",
            ),
            statements=(
                "The background of the image is {claim}.",
                "The image has {claim} in the background.",
            ),
            claim="singular",
        ),
        foregrounds=COUNTABLE,
        secondary=(FOREGROUND, "style"),
    )
