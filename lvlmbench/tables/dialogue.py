"""The table dialogue."""

from __future__ import annotations

from lvlmbench.tables.declaration import FLOAT, INT64, RESULTS, STRING, Column, Table

DIALOGUE = Table(
    name="dialogue",
    what="One number about answers that were compared with references (TouchStone). `all` in a key "
    "column means: over all of them, or of none. docs/touchstone.md defines the measures.",
    place="dialogue.parquet",
    key=("judge", "model", "scenario", "stratum", "beside", "measure"),
    columns=(
        Column("judge", STRING, "Name of the judge.", filled=True),
        Column(
            "model",
            STRING,
            "Name of the model; `reference` for the references among the models that are ranked.",
            filled=True,
        ),
        Column("scenario", STRING, "Condition.", filled=True),
        Column(
            "stratum", STRING, "The task or the ability that was asked for, or `all`.", filled=True
        ),
        Column(
            "beside",
            STRING,
            "Of measures of agreement: the other judge, or `people`; else `all`. The judge is "
            "`people`, too, where people are compared with one another.",
            filled=True,
        ),
        Column("measure", STRING, "Name of the measure.", filled=True),
        Column("value", FLOAT, "Point estimate."),
        Column("low", FLOAT, "Lower end of the 95 % interval, clustered by scene."),
        Column("high", FLOAT, "Upper end of the 95 % interval."),
        Column("n", INT64, "Pairs or answers that it rests on."),
        Column("answers", INT64, "Answers that were asked for."),
        Column("unjudged", INT64, "Answers of these without a score, for whatever reason."),
    ),
    root=RESULTS,
    once=False,
)
