"""The table costs."""

from __future__ import annotations

from lvlmbench.tables.declaration import FLOAT, INT64, RESULTS, STRING, Column, Table

#: Stages of an exam, as AutoDavis counts costs by them (Table 18); it counts neither of the last.
STAGES = (
    "guidance", "description", "image", "validation", "question", "adjustment", "answer", "judge",
)  # fmt: skip

COSTS = Table(
    name="costs",
    what="What the requests to one model in one role took, for one purpose at one stage "
    "(AutoDavis, Table 18). A reply that several rows of the request tables share counts once. "
    "Models of the pipeline itself, and answers that their owner brought, are not among them.",
    place="costs.parquet",
    key=("stage", "role", "name", "purpose"),
    columns=(
        Column("stage", STRING, "Stage that was paid for.", filled=True, words=STAGES),
        Column(
            "role",
            STRING,
            "`planner`, `renderer`, `validator`, `examiner`, `judge`, or `model` for one that is "
            "under test.",
            filled=True,
        ),
        Column("name", STRING, "Name of the model in that role.", filled=True),
        Column("purpose", STRING, "What was asked for: the template's name.", filled=True),
        Column("requests", INT64, "Requests, each counted once.", filled=True),
        Column("failed", INT64, "Those without a reply that can be used.", filled=True),
        Column("prompt_tokens", INT64, "Tokens of the requests; null where no server tells."),
        Column("completion_tokens", INT64, "Tokens of the replies; null where no server tells."),
        Column("cost_usd", FLOAT, "Cost in US dollars; null where no price is known."),
        Column("unpriced", INT64, "Requests without a known price.", filled=True),
        Column("seconds", FLOAT, "Seconds of all requests, one after the other; null if not told."),
    ),
    root=RESULTS,
)
