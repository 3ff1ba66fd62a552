"""Replies that were paid for, so that nothing is asked twice.

One SQLite file holds the replies of all models, keyed by the hash of the request, of which the
image's bytes are a part: an image that was drawn anew is a new question. Each reply is committed
as it arrives, so a run that is killed loses only what was in flight. Several processes of one
machine may use the file at once (write-ahead log, busy timeout).
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import cast

from lvlmbench.errors import UserError
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


def default_path() -> Path:
    """``.lvlmbench/cache/answers.sqlite`` below the working directory.

    The environment variable ``LVLMBENCH_CACHE_DIR`` names another folder, e.g. one that several
    clones share.
    """
    return Path(os.environ.get("LVLMBENCH_CACHE_DIR", ".lvlmbench/cache")) / "answers.sqlite"


class AnswerCache:
    """Replies by request hash. Use as a context manager."""

    def __init__(self, path: Path, busy_s: float = 60.0) -> None:
        self.path = path
        with self._mendable():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._db = sqlite3.connect(path, timeout=busy_s, isolation_level=None)
            self._open(time.monotonic() + busy_s)

    def __enter__(self) -> AnswerCache:
        return self

    def __exit__(self, *_: object) -> None:
        self._db.close()

    def _open(self, deadline: float) -> None:
        """Make the file ready; several processes may do so at once.

        SQLite does not wait for other processes where the journal's mode is changed, whatever
        its busy timeout, but fails at once: so the waiting is done here.
        """
        while True:
            try:
                self._db.execute("PRAGMA journal_mode=WAL")
                self._db.execute("PRAGMA synchronous=NORMAL")
                self._db.execute(_CREATE)
                return
            except sqlite3.OperationalError as error:
                busy = error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
                if not busy or time.monotonic() > deadline:
                    raise
                time.sleep(0.02)

    @contextmanager
    def _mendable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise UserError(
                str(self.path),
                f"the answer cache cannot be used ({error})",
                "check free space and permissions; if the file is damaged, delete it "
                "(its answers will be asked again)",
            ) from None

    def get(self, requests: Sequence[str]) -> dict[str, Reply]:
        """The replies that are known among these requests."""
        columns = ", ".join(_FIELDS)
        found: dict[str, Reply] = {}
        with self._mendable():
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
        with self._mendable():
            self._db.execute(
                f"INSERT OR REPLACE INTO replies_v1 VALUES ({marks})",  # noqa: S608
                (request, *values),
            )
