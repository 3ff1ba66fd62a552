"""What is going on."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Aspect, Subtask


@SUBTASKS.register("action")
def action() -> Subtask:
    """Return the subtask: what is going on."""
    return Subtask(
        name="action",
        order=12,
        granularity="fine",
        asks=Aspect(
            "what is going on",
            questions=(
                "Which {noun} is shown in this image?",
                "Which activity does this picture show?",
                "What is going on in this picture?",
            ),
            statements=(
                "The image shows {claim}.",
                "You can see {claim} in the image.",
            ),
            claim="phrase",
            subject="{phrase}",
        ),
        foregrounds=("action",),
    )
