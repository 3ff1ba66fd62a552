"""The table claims."""

from __future__ import annotations

from lvlmbench.tables.declaration import BOOL, INT16, INT32, STRING, Column, Table

#: What a claim or a feature is about.
KINDS = (
    "object", "attribute", "garment", "action", "count", "relation", "place", "rank", "scene",
)  # fmt: skip

#: What names an answer that a judge was given, in all tables about it.
ANSWER_KEY = ("judge", "model", "scenario", "question_id", "image_id")

#: Their columns.
ANSWER_COLUMNS = (
    Column("judge", STRING, "Name of the judge.", filled=True),
    Column("model", STRING, "Name of the model whose answer it is.", filled=True),
    Column("scenario", STRING, "Condition under which the scene was shown.", filled=True),
    Column("question_id", STRING, "Question that was answered.", filled=True),
    Column("image_id", STRING, "Image that it was answered by."),
)

CLAIMS = Table(
    name="claims",
    what="One thing that a free answer says of its picture, as a judge reads it. docs/claims.md "
    "tells what the parts mean.",
    place="claims/{judge}/{model}/{scenario}",
    key=(*ANSWER_KEY, "claim"),
    columns=(
        *ANSWER_COLUMNS,
        Column("claim", INT16, "Number of the claim in its answer, from 0.", filled=True),
        Column("kind", STRING, "What it is about.", filled=True, words=KINDS),
        Column("subject", STRING, "The thing, without attributes.", filled=True),
        Column("relation", STRING, "What is said of it: a canonical name."),
        Column("object", STRING, "The other thing; null where there is none."),
        Column("value", STRING, "The attribute, the number, the place; null where there is none."),
        Column("about", INT16, "The claim of kind `object` that `subject` stands for."),
        Column("other", INT16, "The claim of kind `object` that `object` stands for."),
        Column("start", INT32, "First character of the answer that says it.", filled=True),
        Column("end", INT32, "One past the last.", filled=True),
        Column("negated", BOOL, "Whether the answer denies it.", filled=True),
        Column("hedged", BOOL, "Whether the answer leaves it open.", filled=True),
    ),
)
