"""The table exam_requests."""

from __future__ import annotations

from lvlmbench.tables.declaration import INT8, STRING, Column, Table
from lvlmbench.tables.requests import HOW

EXAM_REQUESTS = Table(
    name="exam_requests",
    what="One call of a model that examines: what was asked, what came back, and what it cost "
    "(AutoDavis, appendix M). What several items took together stands with each of them, under one "
    "`request_sha256`.",
    place="exam_requests/{examiner}",
    key=("examiner", "request_id", "call"),
    columns=(
        Column("examiner", STRING, "Name of the examiner.", filled=True),
        Column("request_id", STRING, "Hash of purpose, item and round.", filled=True),
        Column("call", INT8, "Which call of the request, from 0; later ones mend.", filled=True),
        Column(
            "purpose",
            STRING,
            "What was asked for: the template's name, `question` or `eoa`.",
            filled=True,
        ),
        Column("item", STRING, "What it is about: a scene.", filled=True),
        Column("round", INT8, "Which wrong option is asked for, from 0.", filled=True),
        *HOW,
    ),
)
