"""The stage ``hallucination``: what free answers make up and what they leave out."""

from __future__ import annotations

from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.stage import Out, Stage

STAGE = Stage(
    name="hallucination",
    words="Tell what free answers make up and what they leave out",
    artifact="faithfulness, coverage",
    reads=(
        "{vocabulary.folder}",
        "data/lexicon",
        "{labels.folder}",
        *(
            f"data/{{suite}}/{table}"
            for table in (
                *("designs", "questions", "scenes", "truth", "answers"),
                *("claims", "matches", "judgements", "scores"),
            )
        ),
    ),
    makes=(Out("results/{suite}/hallucination.parquet"),),
    params=(
        *("snapshot", "render", "answer.models", "judge.judges"),
        *("labels", "suite.kind", "suite.corpus", "suite.scenarios"),
    ),
    promises=(Promise(Exactness.EVERYWHERE, "64-bit floats, rounded to nine decimals"),),
)
