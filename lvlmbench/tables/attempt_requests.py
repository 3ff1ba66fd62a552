"""The table attempt_requests."""

from __future__ import annotations

from lvlmbench.tables.declaration import INT8, STRING, Column, Table
from lvlmbench.tables.requests import HOW

ATTEMPT_REQUESTS = Table(
    name="attempt_requests",
    what="One call of a model that validates attempts at pictures while they are drawn: what was "
    "asked, what came back, and what it cost. Without such validators there are no rows.",
    place="attempt_requests",
    key=("validator", "request_id", "call"),
    columns=(
        Column("validator", STRING, "Name of the validator.", filled=True),
        Column("request_id", STRING, "Hash of purpose, item and round.", filled=True),
        Column("call", INT8, "Which call of the request, from 0; later ones mend.", filled=True),
        Column("purpose", STRING, "What was asked for: the template's name.", filled=True),
        Column("item", STRING, "What it is about: hash of a picture and a check.", filled=True),
        Column("round", INT8, "Which attempt at the scene, from 0.", filled=True),
        *HOW,
    ),
)
