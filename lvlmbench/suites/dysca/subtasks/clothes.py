"""A piece of clothing."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Aspect, Subtask


@SUBTASKS.register("clothes")
def clothes() -> Subtask:
    """Return the subtask: a piece of clothing."""
    return Subtask(
        name="clothes",
        order=14,
        granularity="fine",
        asks=Aspect(
            "the {noun}",
            questions=(
                "Which {noun} is shown in this image?",
                "What {noun} can be seen in this picture?",
                "Which {noun} does this image show?",
            ),
            statements=(
                "The image shows {claim}.",
                "You can see {claim} in the image.",
            ),
            claim="singular",
        ),
        foregrounds=("clothes",),
    )
