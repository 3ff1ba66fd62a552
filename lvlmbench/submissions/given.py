"""One row of a file of answers, checked: what it is about, and what it says."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from lvlmbench import tables
from lvlmbench.core.untrusted import one_line, well_formed
from lvlmbench.submissions.answers_file import IMAGE, ITEM, QUESTION, SCENARIO, AnswersFile

#: No count of tokens is that large; the tables hold 64 bits.
_MOST = 2**53


class About(NamedTuple):
    """What a row says that it answers: an item, or a question with what tells its items apart."""

    item_id: str | None
    question_id: str | None
    image_id: str | None
    scenario: str | None

    @property
    def shown(self) -> str:
        """The id by which the row goes; empty where it has none."""
        return self.item_id or self.question_id or ""


class Answer(NamedTuple):
    """What a row says. ``text`` is empty where the file has nothing."""

    text: str
    status: str
    error: str | None
    latency_s: float | None
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None


@dataclass(frozen=True)
class Given:
    """A row of a file of answers."""

    line: int
    about: About
    answer: Answer


class Rows:
    """Turns rows of ``file`` into :class:`Given`.

    Raises
    ------
    UserError
        A value is not of its column's kind (when a row is read).
    """

    def __init__(self, file: AnswersFile) -> None:
        self._file = file

    def read(self, line: int, values: dict[str, object]) -> Given:
        """One row."""
        ids = (self._text(line, values, name) for name in (ITEM, QUESTION, IMAGE, SCENARIO))
        about = About(*((value or "").strip() or None for value in ids))
        text = self._text(line, values, self._file.text_column) or ""
        error = one_line(self._text(line, values, "error") or "") or None
        status = (self._text(line, values, "status") or "").strip().lower()
        if not status:
            status = "error" if error and not text.strip() else "answered"
        if status not in tables.STATUSES:
            fix = f"write one of: {', '.join(tables.STATUSES)}"
            raise self._file.bad(line, f"status '{one_line(status, 40)}' is not known", fix)
        answer = Answer(
            text, status, error, self._number(line, values, "latency_s"),
            self._count(line, values, "prompt_tokens"),
            self._count(line, values, "completion_tokens"),
            self._number(line, values, "cost_usd"),
        )  # fmt: skip
        return Given(line, about, answer)

    def _text(self, line: int, values: dict[str, object], name: str) -> str | None:
        value = values.get(name)
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return None  # how pandas writes a missing text
        if not isinstance(value, str):
            kind = type(value).__name__
            raise self._file.bad(line, f"'{name}' is not text but {kind}", "write it as text")
        return well_formed(value)

    def _number(self, line: int, values: dict[str, object], name: str) -> float | None:
        value = values.get(name)
        if isinstance(value, str):
            value = value.strip() or None
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return None
        try:
            if isinstance(value, bool) or not isinstance(value, int | float | str):
                raise ValueError
            number = float(value)
        except (ValueError, OverflowError):
            number = math.inf
        if not 0 <= number < math.inf:
            shown = one_line(str(value)[:40])
            raise self._file.bad(
                line, f"'{name}' is '{shown}'", "write a number from 0, or nothing"
            )
        return number + 0.0  # no negative zero

    def _count(self, line: int, values: dict[str, object], name: str) -> int | None:
        number = self._number(line, values, name)
        if number is None:
            return None
        if number != int(number) or number > _MOST:
            raise self._file.bad(
                line, f"'{name}' is {number:g}", "write a whole number, or nothing"
            )
        return int(number)
