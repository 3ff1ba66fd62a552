"""The figure ``question_lengths``."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.stages.figures import plotting
from lvlmbench.stages.figures.figure import Drawn, NotApplicable, Sources, figure


@figure("question_lengths", "Characters of questions")
def draw(sources: Sources) -> Drawn:
    """Draw a histogram."""
    questions = sources.snapshot.questions
    if not len(questions):
        raise NotApplicable("Nothing was asked.")
    lengths = [len(text) for text in questions["question"].to_pylist()]
    made, (ax,) = plotting.figure(7.6, 2.0)
    ax.hist(lengths)
    return Drawn(made, pa.table({"characters": sorted(lengths)}))
