"""The table plan_requests."""

from __future__ import annotations

from lvlmbench.tables.declaration import INT8, STRING, Column, Table
from lvlmbench.tables.requests import HOW

PLAN_REQUESTS = Table(
    name="plan_requests",
    what="One call of a model that plans: what was asked, what came back, and what it cost "
    "(AutoDavis, appendix M).",
    place="plan_requests/{planner}",
    key=("planner", "request_id", "call"),
    columns=(
        Column("planner", STRING, "Name of the model.", filled=True),
        Column("request_id", STRING, "Hash of purpose, item and round.", filled=True),
        Column("call", INT8, "Which call of the request, from 0; later ones mend.", filled=True),
        Column(
            "purpose",
            STRING,
            "What was asked for: the template's name, `general`, `fine` or `describe`.",
            filled=True,
        ),
        Column("item", STRING, "What it is about: a request, or a scene.", filled=True),
        Column("round", INT8, "Of which general aspect, from 0.", filled=True),
        *HOW,
    ),
)
