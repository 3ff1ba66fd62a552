"""A known building or place."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Aspect, Subtask


@SUBTASKS.register("landmark")
def landmark() -> Subtask:
    """Return the subtask: a known building or place, which brings its surroundings with it."""
    return Subtask(
        name="landmark",
        order=17,
        granularity="fine",
        asks=Aspect(
            "the {noun}",
            questions=(
                "Which {noun} is shown in this image?",
                "What {noun} can be seen in this picture?",
                "What is the name of the {noun} that this image shows?",
            ),
            statements=(
                "The image shows {claim}.",
                "You can see {claim} in the image.",
            ),
            claim="singular",
        ),
        foregrounds=("landmark",),
        secondary=("style",),
        has_background=False,
    )
