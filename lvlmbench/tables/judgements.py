"""The table judgements."""

from __future__ import annotations

from lvlmbench.tables.answers import STATUSES
from lvlmbench.tables.claims import ANSWER_COLUMNS, ANSWER_KEY
from lvlmbench.tables.declaration import FLOAT, INT16, STRING, STRINGS, Column, Table

#: What may come of judging an answer; ``unanswered``: there is none.
JUDGED_AS = ("judged", "unjudged", "unanswered", "refused", "malformed", "error", "timeout")

JUDGEMENTS = Table(
    name="judgements",
    what="How one free answer was judged, with the sums of its claims. Each answer has a row, "
    "whatever came of it.",
    place="judgements/{judge}/{model}/{scenario}",
    key=ANSWER_KEY,
    columns=(
        *ANSWER_COLUMNS,
        Column("scene_id", STRING, "Its scene: standard errors are clustered by it.", filled=True),
        Column("subtask", STRING, "Subtask that the question asks about.", filled=True),
        Column("answer_status", STRING, "Status of the answer.", filled=True, words=STATUSES),
        Column(
            "status",
            STRING,
            "`judged`; `unjudged` where the judge cannot judge such an answer, or its claims would "
            "tell nothing; `unanswered` where there is none; or what came of asking the judge: "
            "`refused`, `malformed`, `error`, `timeout`.",
            filled=True,
            words=JUDGED_AS,
        ),
        Column("why", STRING, "Why it was not judged, in one line; null where it was."),
        Column("true_claims", INT16, "Claims that are true; null where it was not judged."),
        Column("wrong_claims", INT16, "Claims that are hallucinated or contradicted."),
        Column("covered", INT16, "Features that the answer states, of those that are owed."),
        Column("owed", INT16, "Features that an answer owes."),
        Column("false_denials", INT16, "Features that the answer denies."),
        Column("unverifiable", INT16, "Claims that nobody can check."),
        Column(
            "unsure",
            INT16,
            "Features that an answer owes and of which the judge cannot tell whether it states them; "
            "they are not in `owed`.",
        ),
        Column(
            "unsure_features",
            STRINGS,
            "Names of all features of which the judge cannot tell it, in `truth`; null where it was "
            "not judged.",
        ),
        Column(
            "invented",
            FLOAT,
            "How much of the answer the judge calls made up, 0 (nothing) to 10 (all); null where "
            "it was not asked or did not say.",
            between=(0, 10),
        ),
    ),
)
