"""The table agreement."""

from __future__ import annotations

from lvlmbench.tables.declaration import FLOAT, INT64, RESULTS, STRING, Column, Table

AGREEMENT = Table(
    name="agreement",
    what="How far examiners agree on models (AutoDavis, section 3.7), over the questions that "
    "`statistics.questions` counts; empty where fewer than two asked, or nobody but guessers "
    "answered them.",
    place="agreement.parquet",
    key=("scenario", "condition", "examiner", "model", "figure"),
    columns=(
        Column("scenario", STRING, "Condition under which pictures were shown.", filled=True),
        Column(
            "condition",
            STRING,
            "Whose questions count: `baseline`: those of all examiners; `without`: of all but one; "
            "`single`: of one.",
            filled=True,
        ),
        Column(
            "examiner", STRING, "The one left out, or alone; `all` in the baseline.", filled=True
        ),
        Column("model", STRING, "Name of the model, or `all`.", filled=True),
        Column(
            "figure",
            STRING,
            "`accuracy` of a model, a mean over examiners; of the ranking beside that of the "
            "baseline `spearman`, `kendall`, and `shift`: most places that a model moves; "
            "`influence`: mean accuracy of the baseline less that without the examiner; `icc`: "
            "ICC(2,1); `squares_model`, `squares_examiner`, `squares_error`: sums of squares, of "
            "shares, and `share_...` of their total; `self_preference`: what a model's accuracy by "
            "an examiner of its own family has beyond what both let expect.",
            filled=True,
        ),
        Column(
            "value",
            FLOAT,
            "Percent for accuracies and shares, percentage points for differences of them.",
        ),
        Column(
            "low",
            FLOAT,
            "Lower end of the 95 % interval: over aspects, but of `icc`: over models and "
            "examiners.",
        ),
        Column("high", FLOAT, "Upper end of the 95 % interval."),
        Column("n", INT64, "Scored answers that it rests on."),
    ),
    root=RESULTS,
    once=False,
)
