"""The table check_requests."""

from __future__ import annotations

from lvlmbench.tables.declaration import INT8, STRING, Column, Table
from lvlmbench.tables.requests import HOW

CHECK_REQUESTS = Table(
    name="check_requests",
    what="One call of a model that validates pictures: what was asked, what came back, and what it "
    "cost. What several checks took together stands with each of them, under one "
    "`request_sha256`.",
    place="check_requests/{validator}",
    key=("validator", "request_id", "call"),
    columns=(
        Column("validator", STRING, "Name of the validator.", filled=True),
        Column("request_id", STRING, "Hash of purpose, item and round.", filled=True),
        Column("call", INT8, "Which call of the request, from 0; later ones mend.", filled=True),
        Column("purpose", STRING, "What was asked for: the template's name.", filled=True),
        Column("item", STRING, "What it is about: hash of a picture and a check.", filled=True),
        Column("round", INT8, "Always 0.", filled=True),
        *HOW,
    ),
)
