"""The table pairwise."""

from __future__ import annotations

from lvlmbench.tables.claims import ANSWER_COLUMNS, ANSWER_KEY
from lvlmbench.tables.declaration import FLOAT, STRING, Column, Table
from lvlmbench.tables.judgements import JUDGED_AS

_SCORE = (1, 10)

PAIRWISE = Table(
    name="pairwise",
    what="One free answer against the reference, judged in both orders (TouchStone, section 3.2). "
    "Where one order has failed, the pair has no score.",
    place="pairwise/{judge}/{model}/{scenario}",
    key=ANSWER_KEY,
    columns=(
        *ANSWER_COLUMNS,
        Column("scene_id", STRING, "Its scene: standard errors are clustered by it.", filled=True),
        Column(
            "status",
            STRING,
            "`judged`, or what came of the first order that failed.",
            filled=True,
            words=JUDGED_AS,
        ),
        Column("why", STRING, "Why the pair has no score, in one line; null where it has one."),
        Column("reasons", STRING, "The judge's reasons where the answer was shown first, if any."),
        Column("reasons_swapped", STRING, "The judge's reasons where it was shown second, if any."),
        Column("as_first", FLOAT, "Score of the answer, shown first.", between=_SCORE),
        Column("reference_second", FLOAT, "Score of the reference after it.", between=_SCORE),
        Column("as_second", FLOAT, "Score of the answer, shown second.", between=_SCORE),
        Column("reference_first", FLOAT, "Score of the reference before it.", between=_SCORE),
    ),
)
