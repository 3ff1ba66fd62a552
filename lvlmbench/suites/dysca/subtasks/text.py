"""A word, and what it is written on."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Aspect, Subtask


@SUBTASKS.register("text")
def text() -> Subtask:
    """Return the subtask: which word is written on a sign, a cup or another carrier."""
    return Subtask(
        name="text",
        written=True,
        order=13,
        granularity="fine",
        asks=Aspect(
            "the word that is written there",
            questions=(
                "What word is written in this image?",
                "Which word can be read in this picture?",
                "What does the text in this image say?",
            ),
            statements=(
                "The word written in the image is {claim}.",
                "The text in the image says {claim}.",
            ),
            claim="quoted",
        ),
        foregrounds=("carrier",),
        secondary=("style",),
        has_background=False,
        beside={
            "carrier": Aspect(
                "what the text is written on",
                subject="{phrase}",
            )
        },
    )
