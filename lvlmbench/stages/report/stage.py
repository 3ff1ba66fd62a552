"""The stage ``report``: one page about all suites."""

from __future__ import annotations

from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.stage import TEMPLATES, Needs, Out, Stage

STAGE = Stage(
    name="report",
    words="Write the report",
    artifact="the page",
    axes=(),
    reads=(
        *TEMPLATES,
        "data/published",
        "{labels.folder}",
        *(
            f"data/{{suite}}/{table}"
            for table in (
                *("planned_aspects", "planned_descriptions", "plan_requests"),
                *("proposals", "exam_requests", "check_answers", "check_requests"),
                *("descriptions", "scenes", "attempts", "verdicts", "questions", "validation"),
                *("designs", "layouts/clean", "truth", "images", "answers", "claims", "matches"),
                *("judgements", "pairwise", "requests", "judge_exam", "scores", "consensus"),
            )
        ),
        *(
            f"results/{{suite}}/{name}"
            for name in (
                *("agreement.parquet", "comparisons.parquet", "hallucination.parquet"),
                *("costs.parquet", "dialogue.parquet", "metrics.parquet"),
                *("vocabulary_audit.csv", "validity", "figures", "exports"),
            )
        ),
    ),
    makes=(Out("results/report.html"),),
    params=(
        *("suites", "snapshot", "render", "vocabulary", "reference", "filter", "consensus"),
        *("audit", "answer", "judge", "score", "statistics", "validity", "figures", "exports"),
        *("examiner", "validator", "labels", "report"),
    ),
    needs=lambda params, values: Needs(memory_mb=4000, minutes=60, threads=2),
    promises=(Promise(Exactness.EVERYWHERE, "shows what the other stages have made"),),
    at_home=True,
)
