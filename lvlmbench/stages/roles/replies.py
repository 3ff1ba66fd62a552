"""Replies that are bound to a schema: read strictly, or told in one line what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from lvlmbench.core.errors import first_line

V = TypeVar("V", bound="Bound")

#: Characters of a complaint, and of a reply that is read at all.
_COMPLAINT, _LARGEST = 240, 1 << 20
_FENCE = re.compile(r"```[a-zA-Z]*[ \t]*\n(.*?)```", re.DOTALL)


class Bound(BaseModel):
    """A reply's form: no other keys, no other types."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Malformed(Exception):
    """A reply breaks the rules; the message says how, in one line."""


def schema_text(form: type[Bound]) -> str:
    """Return the JSON schema of a form as text: equal for equal schemas."""
    schema = form.model_json_schema()
    return json.dumps(_bare(schema), sort_keys=True, separators=(",", ":"))


def _bare(node: Any) -> Any:
    """A schema without titles, which say nothing to a server."""
    if isinstance(node, dict):
        return {k: _bare(v) for k, v in node.items() if not (k == "title" and isinstance(v, str))}
    return [_bare(each) for each in node] if isinstance(node, list) else node


def read(text: str, form: type[V], check: Callable[[V], str | None]) -> V:
    """Return what a reply says.

    It may stand alone, in a fence, or behind some words.

    Parameters
    ----------
    check
        Says what is wrong with a reply of the right form, or None.

    Raises
    ------
    Malformed
        It is not of the form, or the check finds something.
    """
    if len(text) > _LARGEST:
        raise Malformed("the reply is too long")
    try:
        found = form.model_validate(_parsed(text))
    except ValidationError as problem:
        error = problem.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in error["loc"])
        raise Malformed(_line(f"{place}: {error['msg']}" if place else error["msg"])) from None
    except RecursionError:
        raise Malformed("the reply is nested too deeply") from None
    wrong = check(found)
    if wrong is not None:
        raise Malformed(_line(wrong))
    return found


def _line(text: str) -> str:
    return " ".join(text.split())[:_COMPLAINT]


def _parsed(text: str) -> Any:
    """The JSON in a reply.

    Raises
    ------
    Malformed
        There is none, or a key stands there twice.
    """
    fence = _FENCE.search(text)
    start = text.find("{")
    candidates = [text.strip(), *([fence[1].strip()] if fence else [])]
    why = "the reply holds no JSON object"
    for each in candidates:
        try:
            return _decoder().decode(each)
        except ValueError as error:
            why = f"the reply is not JSON ({first_line(error)})" if start >= 0 else why
    if start >= 0:
        try:
            return _decoder().raw_decode(text, start)[0]
        except ValueError as error:
            why = f"the reply is not JSON ({first_line(error)})"
    raise Malformed(_line(why))


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise Malformed(_line(f"the key '{twice}' stands there twice"))
    return found


def _no_number(name: str) -> Any:
    raise Malformed(f"{name} is no number of JSON")
