"""The table hallucination."""

from __future__ import annotations

from lvlmbench.tables.declaration import FLOAT, INT64, RESULTS, STRING, Column, Table

HALLUCINATION = Table(
    name="hallucination",
    what="One number about what free answers make up and leave out. `all` in a key column means: "
    "over all of them. docs/valor.md defines the measures.",
    place="hallucination.parquet",
    key=("judge", "model", "scenario", "subtask", "stratum", "measure"),
    columns=(
        Column("judge", STRING, "Name of the judge.", filled=True),
        Column("model", STRING, "Name of the model.", filled=True),
        Column("scenario", STRING, "Condition.", filled=True),
        Column("subtask", STRING, "Subtask that was asked about, or `all`.", filled=True),
        Column(
            "stratum",
            STRING,
            "Which of the subtask's answers, claims or scenes the number is about, or `all`.",
            filled=True,
        ),
        Column("measure", STRING, "Name of the measure.", filled=True),
        Column("value", FLOAT, "Point estimate, in percent but for counts and correlations."),
        Column("low", FLOAT, "Lower end of the 95 % interval, clustered by scene."),
        Column("high", FLOAT, "Upper end of the 95 % interval."),
        Column("n", INT64, "Claims, features, answers or scenes that it rests on."),
        Column("answers", INT64, "Answers that were asked for."),
        Column("unjudged", INT64, "Answers of these that could not be judged, or are none."),
    ),
    root=RESULTS,
    once=False,
)
