"""The stage ``validity``: the ranking of the models held against published ones."""

from __future__ import annotations

from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.stage import Out, Stage

STAGE = Stage(
    name="validity",
    words="Hold the ranking of the models against published ones",
    artifact="correlations",
    reads=(
        "{vocabulary.folder}/style.yaml",
        "{validity.rankings}",
        "data/{suite}/consensus",
        "data/{suite}/rendered",
        "data/{suite}/scores",
        *(f"results/{{suite}}/{name}.parquet" for name in ("metrics", "hallucination", "dialogue")),
    ),
    makes=(
        Out("results/{suite}/validity/correlations.csv"),
        Out("results/{suite}/validity/rankings.csv"),
    ),
    params=(
        "snapshot",
        "answer",
        "judge.judges",
        "statistics.questions",
        "validity.rankings",
        "validity.names",
        "validity.resamples",
        *("suite.kind", "suite.headline", "suite.scenarios"),
    ),
    promises=(Promise(Exactness.EVERYWHERE, "64-bit floats, rounded to nine decimals"),),
)
