"""How many there are: described of countable things, and asked if the suite's settings say so."""

from __future__ import annotations

from lvlmbench.scene.subtasks import SUBTASKS, Aspect, Subtask


@SUBTASKS.register("number")
def number() -> Subtask:
    """Return what is asked of scenes of other subtasks; it has none of its own.

    In its sentences ``{noun}`` is the plural of what is shown, ``{claim}`` a number of it.
    """
    return Subtask(
        name="number",
        order=21,
        granularity="fine",
        asks=Aspect(
            "how many there are",
            questions=(
                "How many {noun} are in the image?",
                "How many {noun} can you see in this picture?",
                "What is the number of {noun} in this image?",
            ),
            statements=(
                "The image shows exactly {claim}.",
                "You can see exactly {claim} in the image.",
            ),
        ),
        foregrounds=(),
        suites=(),
    )
