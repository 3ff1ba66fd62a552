"""The stage ``metrics``: scores with their intervals, and comparisons."""

from __future__ import annotations

from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.metrics.plots import FILES
from lvlmbench.stages.stage import Out, Stage

STAGE = Stage(
    name="metrics",
    words="Compute scores, intervals and comparisons",
    artifact="numbers, charts' data",
    reads=(
        *(
            f"data/{{suite}}/{table}"
            for table in (
                *("consensus", "judgements", "pairwise", "questions", "scenes", "scores"),
                *("plan_requests", "image_requests", "attempt_requests", "check_requests"),
                "exam_requests",
                *("requests", "answers"),
            )
        ),
        *("results/{suite}/dialogue.parquet", "results/{suite}/hallucination.parquet"),
    ),
    makes=(
        Out("results/{suite}/metrics.parquet"),
        Out("results/{suite}/comparisons.parquet"),
        Out("results/{suite}/agreement.parquet"),
        Out("results/{suite}/costs.parquet"),
        Out("results/{suite}/plots", names=lambda params: FILES),
        Out("results/{suite}/metrics.json", metric=True),
    ),
    params=(
        *("snapshot", "answer", "examiner", "validator.validators", "filter", "statistics"),
        *("judge.judges", "score"),
        *("suite.kind", "suite.headline", "suite.scenarios"),
    ),
    promises=(
        Promise(
            Exactness.EVERYWHERE,
            "sums in whole numbers or 64-bit floats, rounded to six decimals",
        ),
    ),
    scripts=("comparisons", "metrics"),
)
