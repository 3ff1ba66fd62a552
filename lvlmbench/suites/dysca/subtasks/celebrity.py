"""Who a known person is."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Aspect, Subtask


@SUBTASKS.register("celebrity")
def celebrity() -> Subtask:
    """Return the subtask: who a known person is."""
    return Subtask(
        name="celebrity",
        order=11,
        granularity="fine",
        asks=Aspect(
            "who the person is",
            questions=(
                "Who is the person in this image?",
                "Which celebrity does this picture show?",
                "What is the name of the person shown?",
            ),
            statements=(
                "The person in the image is {claim}.",
                "The image shows {claim}.",
            ),
        ),
        foregrounds=("celebrity",),
    )
