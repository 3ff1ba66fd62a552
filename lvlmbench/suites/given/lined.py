"""JSON of which each object knows its line, so that whatever is wrong can be found."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from json import decoder, scanner
from pathlib import Path
from typing import Any

from lvlmbench.core.errors import UserError

#: Bytes of a file at most: annotation of many thousand pictures.
_BYTES = 1 << 28


class Lined(dict[str, Any]):
    """An object of JSON.

    Attributes
    ----------
    line
        Of its opening brace, from 1.
    twice
        Keys that stand in it twice; the first value counts.
    """

    line = 0
    twice: tuple[str, ...] = ()


class _Decoder(json.JSONDecoder):
    """Makes :class:`Lined` of objects."""

    def __init__(self, first: int) -> None:
        super().__init__(object_pairs_hook=_lined)
        self._first, self._at, self._line = first, 0, first
        read = decoder.JSONObject  # type: ignore[attr-defined]

        def parse(start: tuple[str, int], *rest: Any) -> Any:
            line = self._line_of(*start)
            found, end = read(start, *rest)
            found.line = line
            return found, end

        self.parse_object = parse
        self.scan_once = scanner.py_make_scanner(self)  # type: ignore[attr-defined]

    def _line_of(self, text: str, at: int) -> int:
        self._line += text.count("\n", self._at, at)  # objects open one behind the other
        self._at = at
        return self._line


def _lined(pairs: Sequence[tuple[str, Any]]) -> Lined:
    found = Lined()
    twice: dict[str, None] = {}
    for key, value in pairs:
        if key in found:
            twice[key] = None
        found.setdefault(key, value)
    found.twice = tuple(twice)
    return found


def text_of(path: Path, shown: str) -> str:
    """Return a file as text.

    Raises
    ------
    UserError
        It is missing, too large or no UTF-8.
    """
    if path.exists() and not path.is_file():  # a pipe would be waited for
        raise UserError(shown, "is no file", "put the file there")
    try:
        with path.open("rb") as file:
            raw = file.read(_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UserError(shown, f"cannot be read ({reason})", "put the file there") from None
    if len(raw) > _BYTES:
        raise UserError(shown, f"has more than {_BYTES >> 20} MiB", "give a smaller file")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise UserError(f"{shown}:{line}", "is not UTF-8 text", "save it as UTF-8") from None


def _parsed(text: str, shown: str, first: int) -> Any:
    try:
        return _Decoder(first).decode(text)
    except json.JSONDecodeError as error:
        where = f"{shown}:{first + error.lineno - 1}"
        raise UserError(where, f"is not valid JSON ({error.msg})", "mend it") from None
    except (RecursionError, ValueError) as error:
        what = "nested too deep" if isinstance(error, RecursionError) else str(error)
        raise UserError(f"{shown}:{first}", f"is not JSON that can be read ({what})", "mend it") \
            from None  # fmt: skip


def read_object(path: Path, shown: str) -> Lined:
    """Return the one object that a file holds.

    Parameters
    ----------
    shown
        The file's name in messages.

    Raises
    ------
    UserError
        It is missing, no JSON, or holds something else.
    """
    found = _parsed(text_of(path, shown), shown, 1)
    if not isinstance(found, Lined):
        raise UserError(shown, "is no JSON object", "write {ID: ...}")
    return found


def read_lines(path: Path, shown: str) -> Iterator[Lined | UserError]:
    """Yield the object of each line that is not empty, or what is wrong with the line.

    Raises
    ------
    UserError
        The file is missing or no text.
    """
    for number, line in enumerate(text_of(path, shown).split("\n"), 1):
        if not line.strip():
            continue
        try:
            found = _parsed(line, shown, number)
        except UserError as error:
            yield error
            continue
        if isinstance(found, Lined):
            yield found
        else:
            yield UserError(f"{shown}:{number}", "is no JSON object", "write {...}")
