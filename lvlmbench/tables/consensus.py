"""The table consensus."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.tables.declaration import BOOL, FLOAT, INT32, STRING, STRINGS, Column, Table

FLOATS = pa.list_(FLOAT)

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
        Column(
            "verdict",
            STRING,
            "`kept`; `dropped`; `unreliable` where enough of them are against it but are wrong too "
            "often themselves; `off` where the consensus is not to be applied.",
            words=("kept", "dropped", "unreliable", "off"),
        ),
        Column(
            "expected_bad",
            FLOAT,
            "Share of bad ones to be expected among questions of its subtask and type that as many "
            "are against; null where `kept`.",
            between=(0, 1),
        ),
        Column(
            "above_guessing",
            FLOATS,
            "How far each of the models is above guessing in questions of its subtask and type: 1 "
            "is always right, 0 a guesser, less is worse; the lower end of the 95 % interval.",
        ),
    ),
)
