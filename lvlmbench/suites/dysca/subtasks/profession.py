"""What a person does for a living."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Aspect, Subtask


@SUBTASKS.register("profession")
def profession() -> Subtask:
    """Return the subtask: what a person does for a living."""
    return Subtask(
        name="profession",
        order=18,
        granularity="fine",
        asks=Aspect(
            "the person's {noun}",
            questions=(
                "What is the {noun} of the person in this image?",
                "Which {noun} does the person in this picture have?",
                "What does the person shown do for a living?",
            ),
            statements=(
                "The image shows {claim}.",
                "The person in the image is {claim}.",
            ),
            claim="phrase",
            subject="{phrase}",
        ),
        foregrounds=("profession",),
    )
