"""The stage ``dialogue``: how answers compare with references, and whose are better."""

from __future__ import annotations

from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.stage import Out, Stage

STAGE = Stage(
    name="dialogue",
    words="Compare answers of a dialogue with references",
    artifact="scores beside references, strengths",
    reads=(
        "{labels.folder}",
        *(
            f"data/{{suite}}/{table}"
            for table in ("questions", "scenes", "answers", "judgements", "pairwise")
        ),
    ),
    makes=(Out("results/{suite}/dialogue.parquet"),),
    params=(
        *("snapshot", "answer.models", "judge.judges"),
        *("labels", "suite.kind", "suite.corpus", "suite.scenarios"),
    ),
    promises=(
        Promise(
            Exactness.EVERYWHERE, "64-bit floats, rounded to nine decimals, of strengths to six"
        ),
    ),
)
