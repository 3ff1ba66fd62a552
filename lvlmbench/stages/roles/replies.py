"""Reading a reply strictly: one JSON object of a given form, or what is wrong with it.

The object stands alone, in a block of code, or is the first one in a text. Nothing is mended: a key
that stands twice, one that is unknown or a number in quotes make the reply malformed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import ValidationError

from lvlmbench.stages.answer.chat.protocol import one_line
from lvlmbench.stages.roles.request import Form

F = TypeVar("F", bound=Form)

#: Characters of a complaint, and of what it quotes from a reply.
LONGEST, _QUOTED = 300, 60

_BLOCK = re.compile(r"```[ \t]*(?:json|JSON)?[ \t]*\n(?P<inside>.*?)```", re.DOTALL)
#: What matters to where an object ends: strings, whole or cut off, and brackets.
_MARKS = re.compile(r'"(?:[^"\\]|\\.)*(?:"|\Z)|[{}]', re.DOTALL)


class _Wrong(ValueError):
    """What is wrong with a reply, in words for whoever wrote it."""


def read_reply(
    text: str, form: type[F], check: Callable[[F], str | None]
) -> tuple[F | None, str | None]:
    """Return what a reply says, or None and what is wrong with it, in one line."""
    try:
        value = form.model_validate(_object_in(text))
    except _Wrong as error:
        return None, one_line(str(error), LONGEST)
    except ValidationError as error:
        return None, one_line(_said(error), LONGEST)
    complaint = check(value)
    return (value, None) if complaint is None else (None, one_line(complaint, LONGEST))


def _object_in(text: str) -> dict[str, Any]:
    """The object of a text."""
    if not (bare := text.strip()):
        raise _Wrong("the reply is empty")
    block = _BLOCK.search(bare)
    if not bare.startswith(("{", "[")) and block is not None:
        bare = block["inside"].strip()
    found = _parsed(bare if bare.startswith("[") else _first_object(bare))
    if not isinstance(found, dict):
        raise _Wrong("the reply is no JSON object")
    return found


def _first_object(text: str) -> str:
    """The first object in a text, from its first bracket to the one that closes it."""
    start = text.find("{")
    if start < 0:
        raise _Wrong("the reply holds no JSON object")
    depth = 0
    for mark in _MARKS.finditer(text, start):
        depth += {"{": 1, "}": -1}.get(mark[0], 0)
        if not depth:
            return text[start : mark.end()]
    raise _Wrong("the JSON object breaks off before its end")


def _parsed(text: str) -> object:
    try:
        return json.loads(text, object_pairs_hook=_each_key_once, parse_constant=_no_number)
    except RecursionError:
        raise _Wrong("the JSON is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise _Wrong(f"it is not valid JSON: {error.msg} at character {error.pos}") from None
    except _Wrong:
        raise
    except ValueError:  # a number with thousands of digits
        raise _Wrong("a number is too long") from None


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise _Wrong(f"the key '{_quoted(key)}' stands twice in one object")
        found[key] = value
    return found


def _no_number(word: str) -> float:
    raise _Wrong(f"{word} is not valid JSON")


def _said(error: ValidationError) -> str:
    """The first mistake with its place, and how many there are beside it."""
    mistakes = error.errors(include_url=False, include_context=False, include_input=False)
    place = ".".join(_quoted(str(part)) for part in mistakes[0]["loc"])
    more = f" (and {len(mistakes) - 1} more)" if len(mistakes) > 1 else ""
    return f"{place or 'the object'}: {mistakes[0]['msg']}{more}"


def _quoted(text: str) -> str:
    return text if len(text) <= _QUOTED else f"{text[: _QUOTED - 1]}…"
