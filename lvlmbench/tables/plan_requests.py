"""The table plan_requests."""

from __future__ import annotations

from lvlmbench.tables.declaration import STRING, Column, Table
from lvlmbench.tables.requests import calls

PLAN_REQUESTS = Table(
    name="plan_requests",
    what="One call of a model that plans: what was asked, what came back, and what it cost "
    "(AutoDavis, appendix M).",
    place="plan_requests/{planner}",
    key=("planner", "request_id", "call"),
    columns=calls(
        "a request, or a scene",
        "Of which general aspect, from 0.",
        Column("planner", STRING, "Name of the model.", filled=True),
        purpose="the template's name, `general`, `fine`, `raw` or of a description",
    ),
)
