"""The journal of replies: what survives a kill, damage, two at once, an older version's table."""

from __future__ import annotations

import errno
import multiprocessing
import os
import signal
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from multiprocessing.synchronize import Event
from pathlib import Path

import pytest

from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer import engine
from lvlmbench.stages.answer.engine import Reply
from lvlmbench.stages.answer.requests import journal as journal_module
from lvlmbench.stages.answer.requests.cache import AnswerCache
from lvlmbench.stages.answer.requests.journal import Journal, decode, encode, read, take_over

SPAWN = multiprocessing.get_context("spawn")

FULL = Reply(
    "\x00\n\u2028 \U0001f98a",
    "answered",
    finish_reason="stop",
    latency_s=1.5,
    prompt_tokens=10,
    completion_tokens=2,
    cost_usd=0.25,
    attempts=3,
    logprobs=(-0.1, None, float("-inf")),
    served_model="org/model-2026",
)


def journals(folder: Path) -> list[Path]:
    return sorted((folder / "journal").glob("*.jsonl"))


def known(folder: Path, *requests: str) -> set[str]:
    with AnswerCache(folder / "answers.sqlite") as cache:
        return set(cache.get(requests))


def test_a_line_holds_a_reply_whole() -> None:
    line = encode("r", FULL)
    assert line.count(b"\n") == 1 and decode(line) == ("r", FULL)
    assert decode(encode("r", Reply("", "refused"))) == ("r", Reply("", "refused"))


@pytest.mark.parametrize(
    "line",
    [
        *(b"", b"null", b"{}", b"\0" * 100, b"\xff{", b"[" * 100_000, encode("r", FULL)[:-5]),
        *(encode("r", FULL).replace(b'"answered"', b'"error"'), b'{"request_sha256": "r"}'),
        *(encode("r", FULL).replace(b'"attempts": 3', b'"attempts": "many"'), b'"\\ud800"'),
        encode("r", FULL).replace(b'"org/', b'"\\ud800'),
    ],
)
def test_what_is_no_line_is_a_value_error(line: bytes, tmp_path: Path) -> None:
    with pytest.raises((ValueError, RecursionError)):
        decode(line)
    path = tmp_path / "x"
    path.write_bytes(encode("a", FULL) + line.rstrip() + b"\n" + encode("b", FULL))
    with path.open("rb") as file:
        assert read(file) == ([("a", FULL), ("b", FULL)], 1)


def _write_and_hang(folder: Path, names: list[str], written: Event) -> None:
    cache = AnswerCache(folder / "answers.sqlite")
    for name in names:
        cache.put(name, FULL)
    written.set()
    time.sleep(60)


def killed(folder: Path, *names: str, while_writing: Callable[[], None] = lambda: None) -> None:
    """A process that kept these replies and was killed then."""
    written = SPAWN.Event()
    process = SPAWN.Process(target=_write_and_hang, args=(folder, list(names), written))
    process.start()
    assert written.wait(300) and process.pid is not None
    while_writing()
    os.kill(process.pid, signal.SIGKILL)
    process.join()


def test_what_a_killed_process_kept_is_known_to_the_next(tmp_path: Path) -> None:
    def living() -> None:
        # Its journal is its own until then.
        assert known(tmp_path, "a", "b") == set() and len(journals(tmp_path)) == 1

    killed(tmp_path, "a", "b", while_writing=living)
    assert len(journals(tmp_path)) == 1
    with AnswerCache(tmp_path / "answers.sqlite") as cache:
        assert cache.get(["a", "b", "c"]) == {"a": FULL, "b": FULL}
    assert journals(tmp_path) == []


def test_two_writers_have_a_journal_each(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with AnswerCache(path) as one, AnswerCache(path) as two:
        one.put("a", FULL)
        two.put("b", FULL)
        assert len(journals(tmp_path)) == 2
        assert set(one.get(["a", "b"])) == {"a"}  # its own at once, the other's once that has ended
        with AnswerCache(path):  # takes over neither
            assert len(journals(tmp_path)) == 2
    assert known(tmp_path, "a", "b") == {"a", "b"} and journals(tmp_path) == []


def _count(folder: Path, begin: Event, kept: str) -> None:
    begin.wait(300)

    def keep(replies: list[tuple[str, Reply]]) -> None:
        with open(kept, "a") as file:  # noqa: PTH123 - one write, appended
            file.write("".join(f"{request}\n" for request, _ in replies))

    take_over(folder, keep)


def test_processes_that_start_at_once_take_each_journal_once(tmp_path: Path) -> None:
    folder, kept = tmp_path / "journal", tmp_path / "kept"
    folder.mkdir()
    names = [f"r{n}" for n in range(40)]
    for name in names:
        (folder / f"{name}.jsonl").write_bytes(encode(name, FULL))
    begin = SPAWN.Event()
    workers = [SPAWN.Process(target=_count, args=(folder, begin, str(kept))) for _ in range(3)]
    for worker in workers:
        worker.start()
    begin.set()
    for worker in workers:
        worker.join(300)
        assert worker.exitcode == 0
    assert sorted(kept.read_text().split()) == sorted(names)


def test_torn_and_damaged_lines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "journal"
    folder.mkdir()
    whole, torn = encode("a", FULL), encode("b", FULL)[:-30]
    (folder / "torn.jsonl").write_bytes(whole + torn)
    assert known(tmp_path, "a", "b") == {"a"}
    assert capsys.readouterr().err == ""
    (folder / "damaged.jsonl").write_bytes(torn + b"\n" + encode("c", FULL) + b"\0\0\0\n" + torn)
    assert known(tmp_path, "b", "c") == {"c"}
    (line,) = capsys.readouterr().err.splitlines()
    assert "damaged.jsonl: left 2 damaged lines out" in line
    assert journals(tmp_path) == []


def test_taking_over_twice_changes_nothing(tmp_path: Path) -> None:
    """A kill between storing and removing; and what is stored is never replaced."""
    folder = tmp_path / "journal"
    folder.mkdir()
    other = Reply("another", "answered")
    for reply in (FULL, FULL, other):
        (folder / "again.jsonl").write_bytes(encode("a", reply))
        with AnswerCache(tmp_path / "answers.sqlite") as cache:
            assert cache.get(["a"]) == {"a": FULL}


def test_a_journal_is_kept_where_the_file_cannot_be_written(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with pytest.raises(UserError, match="database is locked"), AnswerCache(path, busy_s=0.1) as c:
        c.put("a", FULL)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
    other.close()
    (left,) = journals(tmp_path)
    left.rename(aside := tmp_path / left.name)
    # What went wrong before is what is told.
    with pytest.raises(KeyError), AnswerCache(path, busy_s=0.1) as cache:
        cache.put("b", FULL)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        raise KeyError
    other.close()
    aside.rename(left)
    assert len(journals(tmp_path)) == 2
    assert known(tmp_path, "a", "b") == {"a", "b"}


def test_failures_are_not_kept_and_reading_makes_no_journal(tmp_path: Path) -> None:
    with AnswerCache(tmp_path / "answers.sqlite") as cache:
        cache.put("e", Reply("", "error", error="x"))
        assert cache.get(["e"]) == {}
        assert not (tmp_path / "journal").exists()


def test_a_full_disk_is_one_line_and_leaves_whole_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk takes a part of a line, then no more."""
    room = [len(encode("a", FULL)) + 20]

    def write(descriptor: int, data: bytes) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        taken = real(descriptor, data[: room[0]])
        room[0] -= taken
        return taken

    real = os.write
    journal = Journal(tmp_path)
    monkeypatch.setattr(journal_module.os, "write", write)
    journal.add("a", FULL)
    with pytest.raises(UserError, match=r"cannot be written \(no space left on device\); see to"):
        journal.add("b", FULL)
    room[0] = 10_000
    journal.add("c", FULL)
    with journal.path.open("rb") as file:
        assert read(file) == ([("a", FULL), ("c", FULL)], 0)
    journal.close(lambda: None)
    assert not journal.path.exists()


def test_a_file_where_the_folder_should_be_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "journal").write_text("a file")
    path = tmp_path / "answers.sqlite"
    with AnswerCache(path) as cache, pytest.raises(UserError, match="journal: is not a folder"):
        cache.put("a", FULL)


def test_written_replies_are_synced_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where no further reply comes; and nothing is synced where nothing was written."""
    synced: list[int] = []
    monkeypatch.setattr(journal_module.os, "fsync", lambda d: synced.append(os.fstat(d).st_size))
    journal = Journal(tmp_path, sync_s=0.01)
    time.sleep(0.05)
    assert synced == []
    journal.add("a", FULL)
    deadline = time.monotonic() + 300
    while not synced and time.monotonic() < deadline:
        time.sleep(0.01)
    time.sleep(0.05)
    assert synced == [len(encode("a", FULL))]
    journal.add("b", FULL)
    journal.close(lambda: None)
    assert synced[-1] == 2 * synced[0]


def test_a_disk_that_fails_to_sync_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    monkeypatch.setattr(journal_module.os, "fsync", fail)
    journal = Journal(tmp_path, sync_s=0.01)
    journal.add("a", FULL)
    deadline = time.monotonic() + 300
    with pytest.raises(UserError, match="input/output error"):
        while time.monotonic() < deadline:
            journal.add("a", FULL)
            time.sleep(0.01)
    journal.close(lambda: None)


OLD = """
CREATE TABLE replies_v1 (
    request_sha256 TEXT PRIMARY KEY, text TEXT NOT NULL, status TEXT NOT NULL,
    finish_reason TEXT, error TEXT, latency_s REAL, prompt_tokens INTEGER,
    completion_tokens INTEGER, cost_usd REAL, attempts INTEGER NOT NULL
) WITHOUT ROWID
"""


def test_an_older_versions_answers_are_found_and_it_may_go_on(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    old = sqlite3.connect(path, isolation_level=None)
    old.execute("PRAGMA journal_mode=WAL")
    old.execute(OLD)
    insert = "INSERT OR REPLACE INTO replies_v1 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
    values = ("(A)", "answered", "stop", None, 1.5, 10, 2, 0.25, 3)
    reply = Reply("(A)", "answered", "stop", None, 1.5, 10, 2, 0.25, 3)
    old.execute(insert, ("a", *values))
    with AnswerCache(path) as cache:
        assert cache.get(["a", "b"]) == {"a": reply}
        cache.put("b", FULL)
        old.execute(insert, ("c", *values))
        assert cache.get(["a", "b", "c"]) == {"a": reply, "b": FULL, "c": reply}
    old.close()
    assert known(tmp_path, "a", "b", "c") == {"a", "b", "c"}


def test_many_requests_are_looked_up(tmp_path: Path) -> None:
    names = [f"r{n}" for n in range(2500)]
    with AnswerCache(tmp_path / "answers.sqlite") as cache:
        for name in names[::2]:
            cache.put(name, Reply(name, "answered"))
    with AnswerCache(tmp_path / "answers.sqlite") as cache:
        assert cache.get(names) == {n: Reply(n, "answered") for n in names[::2]}


def test_what_older_versions_kept_as_answers_and_is_none_is_asked_again(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    old = {
        "error": Reply("(A) is", "answered", "abort"),
        "nothing": Reply("", "answered"),
        "filtered": Reply("", "answered", "SAFETY"),
        "length": Reply("(A) is", "answered", "MAX_TOKENS"),
        "whole": Reply("(B)", "answered", "stop"),
        "empty": Reply("", "answered", "stop", completion_tokens=3),
    }
    with AnswerCache(path):
        pass
    with closing(sqlite3.connect(path)) as db:
        db.execute("ALTER TABLE replies_v5 RENAME TO replies_v4")
        for name, reply in old.items():
            values = [name, reply.text, "answered", reply.finish_reason]
            more = [reply.completion_tokens, reply.attempts]
            db.execute(
                "INSERT INTO replies_v4 (request_sha256, text, status, finish_reason,"
                " completion_tokens, attempts) VALUES (?, ?, ?, ?, ?, ?)",
                values + more,
            )
        db.commit()
    with AnswerCache(path) as cache:
        found = cache.get([*old])
        assert {name: reply.status for name, reply in found.items()} == {
            "filtered": "refused", "length": "truncated", "whole": "answered", "empty": "answered",
        }  # fmt: skip
        assert cache.broken == {"error", "nothing"}
        cache.put("error", Reply("(C)", "answered", "stop"))
    with AnswerCache(path) as cache:
        assert cache.get(["error"])["error"].text == "(C)"


def test_a_reason_that_is_added_to_the_table_later_is_asked_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "answers.sqlite"
    with AnswerCache(path) as cache:
        cache.put("a", Reply("half", "answered", "odd_reason"))
        assert cache.get(["a"])["a"].status == "answered"
    meaning = {"odd_reason": "failed", "stop": "complete"}
    monkeypatch.setattr(engine, "finish_meaning", meaning.get)
    with AnswerCache(path) as cache:
        assert cache.get(["a"]) == {} and cache.broken == {"a"}
        cache.put("a", Reply("whole", "answered", "stop"))
    with AnswerCache(path) as cache:
        assert cache.get(["a"])["a"].text == "whole"
