"""The table matches."""

from __future__ import annotations

from lvlmbench.tables.claims import ANSWER_COLUMNS, ANSWER_KEY
from lvlmbench.tables.declaration import FLOAT, INT16, STRING, Column, Table

#: What may become of a claim.
VERDICTS = (
    "matched", "broader", "narrower", "hallucinated", "contradicted", "false_denial",
    "true_denial", "unverifiable",
)  # fmt: skip

MATCHES = Table(
    name="matches",
    what="What became of one claim: the feature of the scene that it was held against.",
    place="matches/{judge}/{model}/{scenario}",
    key=(*ANSWER_KEY, "claim"),
    columns=(
        *ANSWER_COLUMNS,
        Column("claim", INT16, "The claim, by its number in `claims`.", filled=True),
        Column(
            "feature",
            STRING,
            "The feature of `truth` that it states, or that shows it to be wrong; null where there "
            "is none.",
        ),
        Column("verdict", STRING, "What became of it.", filled=True, words=VERDICTS),
        Column(
            "how",
            STRING,
            "How that was found: `word`, `synonym`, `ancestor`, `encoder`, `geometry`, "
            "`closed_world` (all that is there is listed) or `request`.",
            filled=True,
        ),
        Column("score", FLOAT, "Similarity where an encoder decided; else null.", between=(-1, 1)),
    ),
)
