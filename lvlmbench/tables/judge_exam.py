"""The table judge_exam."""

from __future__ import annotations

from lvlmbench.tables.declaration import FLOAT, INT64, STRING, Column, Table

JUDGE_EXAM = Table(
    name="judge_exam",
    what="One number about a judge, from answers whose truth was planted (docs/judges.md).",
    place="judge_exam",
    key=("judge", "way", "treatment", "kind", "measure"),
    columns=(
        Column("judge", STRING, "Name of the judge; of those compared, by commas.", filled=True),
        Column(
            "way",
            STRING,
            "`claims`: it held planted claims against the truth; `text`: it read them out of the "
            "answer first; `pairs`: it compared two answers.",
            filled=True,
            words=("claims", "text", "pairs"),
        ),
        Column("treatment", STRING, "How the answers were made, or `all`.", filled=True),
        Column("kind", STRING, "Kind of the planted claims, or `all`.", filled=True),
        Column("measure", STRING, "Name of the measure.", filled=True),
        Column("value", FLOAT, "Share between 0 and 1, coefficient, or points of a score."),
        Column("low", FLOAT, "Lower end of the 95 % interval, clustered by scene."),
        Column("high", FLOAT, "Upper end of the 95 % interval."),
        Column("n", INT64, "Claims, answers or pairs that it rests on.", filled=True),
        Column("answers", INT64, "Answers or rounds that the judge was given.", filled=True),
        Column("unjudged", INT64, "How many of these it says it cannot judge.", filled=True),
        Column("refused", INT64, "How many of these it refused.", filled=True),
        Column("malformed", INT64, "How many replies broke the rules to the end.", filled=True),
        Column("failed", INT64, "How many requests failed: errors and time-outs.", filled=True),
        Column("calls", INT64, "Requests behind it.", filled=True),
        Column("cost", FLOAT, "What they cost, in dollars; null where that is not known."),
    ),
)
