"""What is asked and what was answered, matched in a file: answers may be many and long."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from lvlmbench.core.cache import mendable
from lvlmbench.stages.answer.asked import item_id
from lvlmbench.stages.answer.engine import Item
from lvlmbench.submissions.given import About, Answer, Given

_CREATE = """
CREATE TABLE items (position INTEGER PRIMARY KEY, id TEXT UNIQUE, scenario TEXT, question_id TEXT,
                    image_id TEXT, image_sha256 TEXT, prompt TEXT);
CREATE INDEX by_question ON items (question_id, scenario);
CREATE TABLE answers (position INTEGER PRIMARY KEY, line INTEGER, differ INTEGER, empty INTEGER,
                      text TEXT, status TEXT, error TEXT, latency_s REAL, prompt_tokens INTEGER,
                      completion_tokens INTEGER, cost_usd REAL);
CREATE TABLE again (position INTEGER, line INTEGER);
CREATE TABLE strays (reason TEXT, line INTEGER, id TEXT, question_id TEXT, image_id TEXT,
                     scenario TEXT);
"""
#: Why a row or a question is listed, in the order of the list.
UNKNOWN, CONTRADICTORY = "unknown", "contradictory"
ELSEWHERE, SEVERAL = "other_scenario", "several_images"
REPEATED, CONFLICT, MISSING, EMPTY = "repeated", "conflict", "missing", "empty"

_STRAYS = (
    "SELECT line, id, scenario, question_id, image_id FROM strays WHERE reason = ? ORDER BY line"
)
_TWICE = """
SELECT line, id, scenario, question_id, image_id FROM items JOIN (
    SELECT position, line FROM again UNION ALL
    SELECT position, line FROM answers WHERE position IN (SELECT position FROM again)
) USING (position) WHERE position IN (SELECT position FROM answers WHERE differ = ?) ORDER BY line
"""
_MISSING = """
SELECT NULL, id, scenario, question_id, image_id FROM items
WHERE position NOT IN (SELECT position FROM answers)
AND scenario IN (SELECT scenario FROM items JOIN answers USING (position)) ORDER BY position
"""
_EMPTY = """
SELECT line, id, scenario, question_id, image_id FROM items JOIN answers USING (position)
WHERE empty AND NOT differ ORDER BY line
"""

#: The item of an id that a row's other names do not fit; those it leaves out say nothing.
_CONTRADICTS = (
    "SELECT 1 FROM items WHERE id = ?1 AND (question_id != ?2 OR image_id != ?3 OR scenario != ?4)"
)

#: Reason -> query of what is listed for it, and its parameters.
_LISTED: dict[str, tuple[str, tuple[object, ...]]] = {
    UNKNOWN: (_STRAYS, (UNKNOWN,)),
    CONTRADICTORY: (_STRAYS, (CONTRADICTORY,)),
    ELSEWHERE: (_STRAYS, (ELSEWHERE,)),
    SEVERAL: (_STRAYS, (SEVERAL,)),
    CONFLICT: (_TWICE, (1,)),
    REPEATED: (_TWICE, (0,)),
    MISSING: (_MISSING, ()),
    EMPTY: (_EMPTY, ()),
}

REASONS = tuple(_LISTED)


class Listed(NamedTuple):
    """A row of the file, or a question without one (``line`` is None), that is listed."""

    reason: str
    line: int | None
    id: str
    scenario: str | None
    question_id: str | None
    image_id: str | None


class Asked(NamedTuple):
    """An item with what was answered; ``answer`` is None where nothing was."""

    question_id: str
    image_id: str | None
    image_sha256: str | None
    prompt: str
    answer: Answer | None
    conflict: bool


class Spool:
    """Items and answers of one file, in a temporary database.

    Raises
    ------
    UserError
        The database cannot be written (in any method).
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        with self._mendable():
            self._db = sqlite3.connect(path, isolation_level=None)
            for setting in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-65536"):
                self._db.execute(f"PRAGMA {setting}")
            self._db.executescript(_CREATE)
            self._db.execute("BEGIN")

    @contextmanager
    def _mendable(self) -> Iterator[None]:
        with mendable(self._path, "the temporary file of the answers", "it is made anew"):
            yield

    def close(self) -> None:
        """Drop everything."""
        self._db.close()
        self._path.unlink(missing_ok=True)

    def expect(self, scenario: str, items: Iterable[Item]) -> None:
        """Items that may be answered, in the order in which their answers shall come."""
        rows = (
            (item_id(scenario, i), scenario, i.question_id, i.image_id, i.image_sha256, i.prompt)
            for i in items
        )
        with self._mendable():
            self._db.executemany("INSERT INTO items VALUES (NULL, ?, ?, ?, ?, ?, ?)", rows)

    def take(self, given: Given, scenario: str, only: bool) -> None:
        """A row of the file: kept with its item, or as a stray.

        Parameters
        ----------
        scenario
            The scenario of a row that names none.
        only
            Whether rows of other scenarios are strays.
        """
        about = given.about
        with self._mendable():
            found, reason = self._look(about, scenario, only)
            if found is None:
                names = about.question_id, about.image_id, about.scenario
                row = (reason, given.line, about.shown, *names)
                self._db.execute("INSERT INTO strays VALUES (?, ?, ?, ?, ?, ?)", row)
                return
            answer = given.answer
            empty = answer.status == "answered" and not answer.text.strip()
            values = (found, given.line, 0, empty, *answer)
            statement = "INSERT OR IGNORE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
            if not self._db.execute(statement, values).rowcount:
                self._again(found, given)

    def _look(self, about: About, scenario: str, only: bool) -> tuple[int | None, str]:
        """The item that a row is about, or why there is none."""
        named = about.scenario or scenario
        if about.item_id is not None:
            query, values = "id = ?", [about.item_id]
            if self._db.execute(_CONTRADICTS, about).fetchone():
                return None, CONTRADICTORY
        else:
            if only and named != scenario:
                return None, ELSEWHERE
            query, values = "question_id = ? AND scenario = ?", [about.question_id or "", named]
            if about.image_id is not None:
                query, values = f"{query} AND image_id = ?", [*values, about.image_id]
        statement = f"SELECT position, scenario FROM items WHERE {query} LIMIT 2"  # noqa: S608
        found = self._db.execute(statement, values).fetchall()
        if len(found) == 1:
            return (None, ELSEWHERE) if only and found[0][1] != scenario else (found[0][0], "")
        return None, SEVERAL if found else UNKNOWN

    def _again(self, position: int, given: Given) -> None:
        """A second answer: of equal ones one is kept, whichever came first in the file."""
        query = (
            "SELECT text, status, error, latency_s, prompt_tokens, completion_tokens, cost_usd "
            "FROM answers WHERE position = ?"
        )
        before = Answer(*self._db.execute(query, (position,)).fetchone())
        answer = given.answer
        if (before.text, before.status) != (answer.text, answer.status):
            self._db.execute("UPDATE answers SET differ = 1 WHERE position = ?", (position,))
        elif _order(answer) < _order(before):
            statement = (
                "UPDATE answers SET error = ?, latency_s = ?, prompt_tokens = ?, "
                "completion_tokens = ?, cost_usd = ? WHERE position = ?"
            )
            self._db.execute(statement, (*answer[2:], position))
        self._db.execute("INSERT INTO again VALUES (?, ?)", (position, given.line))

    def scenarios(self) -> list[str]:
        """Scenarios that the file has answers to, in the order in which they were expected."""
        query = (
            "SELECT scenario FROM items JOIN answers USING (position) "
            "GROUP BY scenario ORDER BY MIN(position)"
        )
        with self._mendable():
            return [name for (name,) in self._db.execute(query)]

    def asked(self, scenario: str) -> Iterator[Asked]:
        """All items of a scenario, in their order."""
        query = (
            "SELECT question_id, image_id, image_sha256, prompt, line, differ, text, status, "
            "error, latency_s, prompt_tokens, completion_tokens, cost_usd FROM items "
            "LEFT JOIN answers USING (position) WHERE scenario = ? ORDER BY position"
        )
        with self._mendable():
            for row in self._db.execute(query, (scenario,)):
                question, image, sha256, prompt, line, differ, *answer = row
                given = None if line is None else Answer(*answer)
                yield Asked(question, image, sha256, prompt, given, bool(differ))

    def listed(self) -> Iterator[Listed]:
        """Rows and questions with which something is wrong, by reason and line.

        Missing are items of the scenarios that the file has answers to, and of no other.
        """
        with self._mendable():
            for reason, query in _LISTED.items():
                for row in self._db.execute(*query):
                    yield Listed(reason, *row)


def _order(answer: Answer) -> tuple[tuple[bool, object], ...]:
    """An order of answers whose texts and statuses are the same."""
    return tuple((value is not None, 0 if value is None else value) for value in answer[2:])
