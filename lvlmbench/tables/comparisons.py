"""The table comparisons."""

from __future__ import annotations

from lvlmbench.tables.declaration import FLOAT, INT64, RESULTS, STRING, Column, Table

COMPARISONS = Table(
    name="comparisons",
    what="Whether a difference between models, or between scenarios, is more than chance, over "
    "the questions that `statistics.questions` counts. docs/metrics.md tells how it is tested.",
    place="comparisons.parquet",
    key=(
        "family",
        "model",
        "scenario",
        "baseline_model",
        "baseline_scenario",
        "question_type",
    ),
    columns=(
        Column(
            "family",
            STRING,
            "`models`: a model and another one in the same scenario; `scenarios`: a model in a "
            "scenario and in clean.",
            filled=True,
        ),
        Column("model", STRING, "Name of the model.", filled=True),
        Column("scenario", STRING, "Condition.", filled=True),
        Column("baseline_model", STRING, "Model that it is compared with.", filled=True),
        Column("baseline_scenario", STRING, "Condition that it is compared with."),
        Column("question_type", STRING, "Question type, or `all`."),
        Column(
            "difference",
            FLOAT,
            "Score less the baseline's over the paired answers, in percentage points.",
        ),
        Column("stderr", FLOAT, "Standard error, clustered by scene."),
        Column("low", FLOAT, "Lower end of the 95 % interval."),
        Column("high", FLOAT, "Upper end of the 95 % interval."),
        Column(
            "p",
            FLOAT,
            "Two-sided p-value that there is no difference, by the statistic of the interval.",
        ),
        Column(
            "p_holm",
            FLOAT,
            "The same with Holm's correction over the family's rows of this question type.",
        ),
        Column("n", INT64, "Pairs of answers."),
        Column("n_better", INT64, "Pairs in which the model does better than the baseline."),
        Column("n_worse", INT64, "Pairs in which it does worse."),
        Column(
            "n_unpaired", INT64, "Answers without a partner, because either is missing or unscored."
        ),
    ),
    root=RESULTS,
    once=False,
)
