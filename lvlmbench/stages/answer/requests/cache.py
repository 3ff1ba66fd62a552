"""Replies that were paid for, so that nothing is asked twice.

One SQLite file holds the replies of all models, keyed by the hash of the request, of which the
image's bytes are a part: an image that was drawn anew is a new question. A reply goes to the
process's :mod:`journal <lvlmbench.stages.answer.requests.journal>` as it arrives, and to the file
with all others
of the process when that ends, or, after a kill, when the next one begins. Several processes of one
machine may use the file at once (write-ahead log, busy timeout).
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from lvlmbench.core.cache import default_folder, mendable, open_shared
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.engine import FINAL_STATUSES, Reply, request_hash
from lvlmbench.stages.answer.requests.journal import (
    FIELDS,
    SUFFIX,
    Journal,
    Kept,
    stored,
    take_over,
)

_FIELDS_V1 = (
    *("text", "status", "finish_reason", "error", "latency_s", "prompt_tokens"),
    *("completion_tokens", "cost_usd", "attempts"),
)
_FIELDS_V2 = (*_FIELDS_V1, "logprobs", "served_model")
#: Tables that versions before this one wrote, and their columns. They stay: such versions may share
#: the file.
_OLD = {
    "replies_v4": FIELDS,
    "replies_v3": (*_FIELDS_V2, "reasoning"),
    "replies_v2": _FIELDS_V2,
    "replies_v1": _FIELDS_V1,
}
_TABLE = "replies_v5"
_CREATE = f"""
CREATE TABLE IF NOT EXISTS {_TABLE} (
    request_sha256 TEXT PRIMARY KEY, text TEXT NOT NULL, status TEXT NOT NULL,
    finish_reason TEXT, error TEXT, latency_s REAL, prompt_tokens INTEGER,
    completion_tokens INTEGER, cost_usd REAL, attempts INTEGER NOT NULL,
    logprobs TEXT, served_model TEXT, reasoning TEXT, structured TEXT
) WITHOUT ROWID
"""

#: Requests that are looked up by one statement.
_AT_ONCE = 500

_NAME = "the answer cache"
_LOST = "its answers will be asked again"


def default_path() -> Path:
    """Return ``answers.sqlite`` in :func:`lvlmbench.core.cache.default_folder`."""
    return default_folder() / "answers.sqlite"


def answered_mark(base_url: str, model: str) -> Path:
    """Return the mark, beside the answers, that a server has answered as a model.

    It may call itself otherwise, so that what is kept does not tell; and nothing in the mark does,
    either.
    """
    return default_folder() / "answered" / request_hash(base_url.rstrip("/"), model)[:16]


def note_answered(base_url: str, model: str) -> None:
    """Leave that a server has answered as a model; where that is not possible nothing is lost."""
    mark = answered_mark(base_url, model)
    try:
        mark.parent.mkdir(parents=True, exist_ok=True)
        mark.touch()
    except OSError:
        return


def may_hold(path: Path, model: str) -> bool:
    """Return whether anything may have been answered by a model, by its id at its server.

    That is so where a reply says that this model gave it, or does not say which did, where an older
    version kept any, and where a killed run has left a journal.
    """
    if any((path.parent / "journal").glob(f"*{SUFFIX}")):
        return True
    if not path.is_file():
        return False
    own = f"SELECT 1 FROM {_TABLE} WHERE served_model IS NULL OR instr(served_model, ?) LIMIT 1"  # noqa: S608
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True)) as db:
            there = {name for (name,) in db.execute("SELECT name FROM sqlite_master")}
            older = (f"SELECT 1 FROM {name} LIMIT 1" for name in _OLD if name in there)  # noqa: S608
            return any(db.execute(query).fetchone() for query in older) or (
                _TABLE in there and db.execute(own, (model,)).fetchone() is not None
            )
    except sqlite3.Error:  # who opens it says what is wrong with it
        return True


def _to_row(request: str, reply: Reply) -> tuple[Any, ...]:
    values = {field: stored(reply, field) for field in FIELDS}
    if reply.logprobs is not None:
        values["logprobs"] = json.dumps(reply.logprobs)
    return (request, *values.values())


def _to_reply(fields: Sequence[str], row: Sequence[Any]) -> Reply:
    values = dict(zip(fields, row, strict=True))
    if values.get("logprobs") is not None:
        values["logprobs"] = tuple(json.loads(values["logprobs"]))
    return Reply(**values)


def _empty(reply: Reply) -> bool:
    """Whether nothing came: no text, no thought, no reason why it ended, no tokens."""
    said = reply.text.strip() or reply.reasoning or reply.finish_reason or reply.completion_tokens
    return reply.status == "answered" and not said


class AnswerCache:
    """Replies by request hash. Use as a context manager.

    Parameters
    ----------
    path
        The SQLite file; the journals lie in the folder ``journal`` beside it.
    busy_s
        Seconds to wait for other processes.

    Raises
    ------
    UserError
        The file or the folder cannot be used.
    """

    def __init__(self, path: Path, busy_s: float = 60.0) -> None:
        self.path = path
        self._folder = path.parent / "journal"
        self._journal: Journal | None = None
        self._new: dict[str, Reply] = {}
        #: Requests whose kept reply turned out to be none: they are to be asked again.
        self.broken: set[str] = set()
        with mendable(path, _NAME, _LOST):
            self._db = open_shared(path, _CREATE, busy_s)
        try:
            with mendable(path, _NAME, _LOST):
                # What was stored is on the disk before its journal goes.
                self._db.execute("PRAGMA synchronous=FULL")
                known = "SELECT name FROM sqlite_master WHERE type = 'table'"
                there = {name for (name,) in self._db.execute(known)}
                self._old = {name: found for name, found in _OLD.items() if name in there}
            take_over(self._folder, self._store)
        except BaseException:
            self._db.close()
            raise

    def __enter__(self) -> AnswerCache:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        try:
            if self._journal is not None:
                self._journal.close(lambda: self._store(list(self._new.items())))
        except UserError:
            if kind is None:  # else what went wrong before is what to tell
                raise
        finally:
            self._db.close()

    def get(self, requests: Sequence[str]) -> dict[str, Reply]:
        """Return the replies that are known among these requests.

        What was kept as an answer and is none is left out, and named by :attr:`broken`: a reply
        whose finish reason means failure, and, of older versions, one in which nothing came at all,
        as where an error stood beside it.
        """
        found = {request: self._new[request] for request in requests if request in self._new}
        with mendable(self.path, _NAME, _LOST):
            for table, fields in {_TABLE: FIELDS, **self._old}.items():
                left = [r for r in requests if r not in found]
                for request, reply in self._look_up(table, fields, left).items():
                    if reply.status in FINAL_STATUSES and not (table in _OLD and _empty(reply)):
                        found[request] = reply
                    else:
                        self.broken.add(request)
        return found

    def _look_up(
        self, table: str, fields: Sequence[str], requests: Sequence[str]
    ) -> dict[str, Reply]:
        found: dict[str, Reply] = {}
        columns = ", ".join(("request_sha256", *fields))
        for start in range(0, len(requests), _AT_ONCE):
            some = requests[start : start + _AT_ONCE]
            marks = ", ".join("?" * len(some))
            query = f"SELECT {columns} FROM {table} WHERE request_sha256 IN ({marks})"  # noqa: S608
            for request, *row in self._db.execute(query, some):
                found[request] = _to_reply(fields, row)
        return found

    def put(self, request: str, reply: Reply) -> None:
        """Keep a reply; failures are not kept, so that the next run asks again.

        Raises
        ------
        UserError
            The journal cannot be written.
        """
        if reply.status not in FINAL_STATUSES:
            return
        if self._journal is None:
            self._journal = Journal(self._folder)
        self._journal.add(request, reply)
        self._new[request] = reply

    def _store(self, replies: Kept) -> None:
        """Put replies into the file, all or none; what is there stays as it is, if it is one."""
        columns = ", ".join(("request_sha256", *FIELDS))
        marks = ", ".join("?" * (len(FIELDS) + 1))
        insert = f"INSERT OR IGNORE INTO {_TABLE} ({columns}) VALUES ({marks})"  # noqa: S608
        replies = [each for each in replies if each[1].status in FINAL_STATUSES]
        delete = f"DELETE FROM {_TABLE} WHERE request_sha256 = ?"  # noqa: S608
        with mendable(self.path, _NAME, _LOST):
            self._db.execute("BEGIN IMMEDIATE")
            try:
                there = self._look_up(_TABLE, FIELDS, [request for request, _ in replies])
                none = [r for r, kept in there.items() if kept.status not in FINAL_STATUSES]
                self._db.executemany(delete, [(request,) for request in none])
                self._db.executemany(insert, (_to_row(r, reply) for r, reply in replies))
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
