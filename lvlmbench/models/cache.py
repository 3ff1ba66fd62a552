"""Replies that were paid for, so that nothing is asked twice.

One SQLite file holds the replies of all models, keyed by the hash of the request, of which the
image's bytes are a part: an image that was drawn anew is a new question. Each reply is committed
as it arrives, so a run that is killed loses only what was in flight. Several processes of one
machine may use the file at once (write-ahead log, busy timeout).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import cast

from lvlmbench.cache import default_folder, mendable, open_shared
from lvlmbench.models.base import FINAL_STATUSES, Reply, Status

_FIELDS = (
    "text",
    "status",
    "finish_reason",
    "error",
    "latency_s",
    "prompt_tokens",
    "completion_tokens",
    "cost_usd",
    "attempts",
)
_CREATE = """
CREATE TABLE IF NOT EXISTS replies_v1 (
    request_sha256 TEXT PRIMARY KEY, text TEXT NOT NULL, status TEXT NOT NULL,
    finish_reason TEXT, error TEXT, latency_s REAL, prompt_tokens INTEGER,
    completion_tokens INTEGER, cost_usd REAL, attempts INTEGER NOT NULL
) WITHOUT ROWID
"""


_NAME = "the answer cache"
_LOST = "its answers will be asked again"


def default_path() -> Path:
    """``answers.sqlite`` in :func:`lvlmbench.cache.default_folder`."""
    return default_folder() / "answers.sqlite"


class AnswerCache:
    """Replies by request hash. Use as a context manager."""

    def __init__(self, path: Path, busy_s: float = 60.0) -> None:
        self.path = path
        with mendable(path, _NAME, _LOST):
            self._db = open_shared(path, _CREATE, busy_s)

    def __enter__(self) -> AnswerCache:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def get(self, requests: Sequence[str]) -> dict[str, Reply]:
        """The replies that are known among these requests."""
        columns = ", ".join(_FIELDS)
        found: dict[str, Reply] = {}
        with mendable(self.path, _NAME, _LOST):
            for request in requests:
                row = self._db.execute(
                    f"SELECT {columns} FROM replies_v1 WHERE request_sha256 = ?",  # noqa: S608
                    (request,),
                ).fetchone()
                if row is not None:
                    values = dict(zip(_FIELDS, row, strict=True))
                    values["status"] = cast(Status, values["status"])
                    found[request] = Reply(**values)
        return found

    def put(self, request: str, reply: Reply) -> None:
        """Keep a reply; failures are not kept, so that the next run asks again."""
        if reply.status not in FINAL_STATUSES:
            return
        values = [getattr(reply, field) for field in _FIELDS]
        marks = ", ".join("?" * (len(_FIELDS) + 1))
        with mendable(self.path, _NAME, _LOST):
            self._db.execute(
                f"INSERT OR REPLACE INTO replies_v1 VALUES ({marks})",  # noqa: S608
                (request, *values),
            )
