"""The table metrics."""

from __future__ import annotations

from lvlmbench.tables.declaration import FLOAT, INT64, RESULTS, STRING, Column, Table

METRICS = Table(
    name="metrics",
    what="One number of the report. `all` in a key column means: over all of them. "
    "docs/metrics.md defines the metrics.",
    place="metrics.parquet",
    key=(
        "questions",
        "model",
        "scenario",
        "question_type",
        "subtask",
        "style",
        "perturbation",
        "severity",
        "level",
        "metric",
    ),
    columns=(
        Column(
            "questions",
            STRING,
            "Of which questions: `all`, or those that consensus keeps (`consensus`).",
            filled=True,
        ),
        Column("model", STRING, "Name of the model.", filled=True),
        Column("scenario", STRING, "Condition.", filled=True),
        Column("question_type", STRING, "Question type, or `all`."),
        Column("subtask", STRING, "Subtask asked about, or `all`."),
        Column("style", STRING, "Style, or `all`."),
        Column("perturbation", STRING, "Kind of perturbation, or `all`."),
        Column(
            "severity",
            STRING,
            "Severity of a corruption, or rank of a lower resolution, `1` to `5`; `0`: the clean "
            "answers to the same questions; or `all`.",
        ),
        Column("level", STRING, "Level of difficulty, or `all`."),
        Column("metric", STRING, "Name of the metric.", filled=True),
        Column(
            "value",
            FLOAT,
            "Point estimate, in percent except SQ, SC (squared percentage points), counts. "
            "Differences are in percentage points.",
        ),
        Column("stderr", FLOAT, "Standard error, clustered by scene."),
        Column("low", FLOAT, "Lower end of the 95 % interval."),
        Column("high", FLOAT, "Upper end of the 95 % interval."),
        Column("n", INT64, "Answers that the number rests on; pairs of answers for differences."),
        Column("n_unscored", INT64, "Answers left out of it because they could not be scored."),
        Column(
            "n_refused",
            INT64,
            "How many of these are refusals, the server's or in the answer's words.",
        ),
        Column("n_truncated", INT64, "How many of these were cut off at the limit of tokens."),
        Column("n_failed", INT64, "How many of these are failed requests: errors and time-outs."),
        Column(
            "n_scenes",
            INT64,
            "Scenes that the number rests on; twins, and a scene in several styles, count once. "
            "Null where they were not counted.",
        ),
    ),
    root=RESULTS,
    once=False,
)
