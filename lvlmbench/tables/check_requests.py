"""The table check_requests."""

from __future__ import annotations

from lvlmbench.tables.declaration import STRING, Column, Table
from lvlmbench.tables.requests import calls

CHECK_REQUESTS = Table(
    name="check_requests",
    what="One call of a model that validates pictures: what was asked, what came back, and what it "
    "cost. What several checks took together stands with each of them, under one "
    "`request_sha256`.",
    place="check_requests/{validator}",
    key=("validator", "request_id", "call"),
    columns=calls(
        "hash of a picture and a check",
        "Always 0.",
        Column("validator", STRING, "Name of the validator.", filled=True),
    ),
)
