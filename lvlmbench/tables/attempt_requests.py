"""The table attempt_requests."""

from __future__ import annotations

from lvlmbench.tables.declaration import STRING, Column, Table
from lvlmbench.tables.requests import calls

ATTEMPT_REQUESTS = Table(
    name="attempt_requests",
    what="One call of a model that validates attempts at pictures while they are drawn: what was "
    "asked, what came back, and what it cost. Without such validators there are no rows.",
    place="attempt_requests",
    key=("validator", "request_id", "call"),
    columns=calls(
        "hash of a picture and a check",
        "Which attempt at the scene, from 0.",
        Column("validator", STRING, "Name of the validator.", filled=True),
    ),
)
