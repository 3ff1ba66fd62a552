"""The table consensus."""

from __future__ import annotations

from lvlmbench.tables.declaration import BOOL, INT32, STRING, STRINGS, Column, Table

CONSENSUS = Table(
    name="consensus",
    what="Whether the best models agree with the answer of one closed question (Dysca, section "
    "3.3, step 3). Questions that none of them was asked have no row.",
    place="consensus",
    key=("question_id",),
    columns=(
        Column("question_id", STRING, "Question that was answered.", filled=True),
        Column("scene_id", STRING, "Its scene.", filled=True),
        Column("n_models", INT32, "Models of the consensus that were asked it."),
        Column("n_wrong", INT32, "How many of them chose another option than the answer."),
        Column(
            "n_none",
            INT32,
            "How many others of them said that the answer is not among the options.",
        ),
        Column(
            "keep",
            BOOL,
            "Whether the question counts where only questions that consensus keeps do.",
            filled=True,
        ),
        Column("models", STRINGS, "Their names, the best first."),
    ),
)
