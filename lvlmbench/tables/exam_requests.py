"""The table exam_requests."""

from __future__ import annotations

from lvlmbench.tables.declaration import STRING, Column, Table
from lvlmbench.tables.requests import calls

EXAM_REQUESTS = Table(
    name="exam_requests",
    what="One call of a model that examines: what was asked, what came back, and what it cost "
    "(AutoDavis, appendix M). What several items took together stands with each of them, under one "
    "`request_sha256`.",
    place="exam_requests/{examiner}",
    key=("examiner", "request_id", "call"),
    columns=calls(
        "a scene",
        "Which wrong option is asked for, from 0.",
        Column("examiner", STRING, "Name of the examiner.", filled=True),
        purpose="the template's name, `question` or `eoa`",
    ),
)
