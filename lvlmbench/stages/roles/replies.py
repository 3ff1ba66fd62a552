"""Replies that are bound to a schema: read strictly, or told in one line what is wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from lvlmbench.core.errors import first_line
from lvlmbench.core.untrusted import one_line
from lvlmbench.stages.replies.answer_text import final_answer

V = TypeVar("V", bound="Bound")

#: Characters of a complaint, and of a reply that is read at all.
_COMPLAINT, _LARGEST = 240, 1 << 20
#: The beginning of a second object, not a brace in prose.
_OBJECT = re.compile(r'\{\s*(?:"|\})')
#: A string, or a comma before a closing bracket.
_TRAILING = re.compile(r'("(?:[^"\\]|\\.)*")|,(?=\s*[\]}])')
_FENCE = re.compile(r"```[a-zA-Z]*[ \t]*\n(.*?)```", re.DOTALL)


class Bound(BaseModel):
    """A reply's form: its own types. Keys that it does not have are not read, and a whole number
    may be written as 3.0."""

    model_config = ConfigDict(
        extra="ignore",
        strict=True,
        frozen=True,
        allow_inf_nan=False,
        json_schema_extra={"additionalProperties": False},
    )

    @field_validator("*", mode="before")
    @classmethod
    def _whole(cls, value: object) -> object:
        return int(value) if isinstance(value, float) and value.is_integer() else value


class Lines(Bound):
    """A reply whose texts are single lines: they are put into prompts and tables."""

    model_config = ConfigDict(str_strip_whitespace=True)

    @field_validator("*")
    @classmethod
    def _one_line(cls, value: object) -> object:
        texts = value if isinstance(value, list) else [value]
        if any(isinstance(text, str) and not text.isprintable() for text in texts):
            raise ValueError("write it in one line, without control characters")
        return value


class Malformed(Exception):
    """A reply breaks the rules; the message says how, in one line."""


#: What a form may bound and a schema does not say: servers refuse schemas with some of it, or make
#: grammars of it that are too large. A reply is held to it all the same.
_UNSAID = ("title", "description", "minLength", "maxLength", "minItems", "maxItems")


@cache
def schema_text(form: type[Bound]) -> str:
    """Return the JSON schema of a form as text: equal for equal schemas."""
    schema = form.model_json_schema()
    return json.dumps(_bare(schema), sort_keys=True, separators=(",", ":"))


def _bare(node: Any) -> Any:
    """A schema without what servers need not know; a key called so is an object's own."""
    if isinstance(node, dict):
        bare = {k: v for k, v in node.items() if k not in _UNSAID or isinstance(v, dict)}
        return {key: _bare(value) for key, value in bare.items()}
    return [_bare(each) for each in node] if isinstance(node, list) else node


def read(text: str, form: type[V], check: Callable[[V], str | None]) -> V:
    """Return what a reply says.

    It may stand alone, in a fence, or beside some words. Thoughts and marks of chat templates are
    left out, as of all answers.

    Parameters
    ----------
    check
        Says what is wrong with a reply of the right form, or None.

    Raises
    ------
    Malformed
        It is not of the form, or the check finds something.
    """
    try:
        found = form.model_validate(parsed(text))
    except ValidationError as problem:
        error = problem.errors(include_url=False, include_input=False)[0]
        place = ".".join(str(part) for part in error["loc"])
        raise Malformed(_line(f"{place}: {error['msg']}" if place else error["msg"])) from None
    wrong = check(found)
    if wrong is not None:
        raise Malformed(_line(wrong))
    return found


def _line(text: str) -> str:
    return one_line(text, _COMPLAINT)


def parsed(text: str) -> Any:
    """Return the JSON in a reply: alone, in a fence, or beside some words.

    Raises
    ------
    Malformed
        There is none, a key stands there twice, or it is too long or nested too deeply.
    """
    try:
        return _found(text)
    except RecursionError:
        raise Malformed("the reply is nested too deeply") from None


def _found(text: str) -> Any:
    if len(text) > _LARGEST:
        raise Malformed("the reply is too long")
    whole, why = _decoded(text.strip())
    if why is None:
        return whole
    text = _without_commas(final_answer(text))
    whole, why = _decoded(text.strip())
    if why is None:
        return whole
    fences = [fence.strip() for fence in _FENCE.findall(text) if fence.strip()[:1] in ("{", "[")]
    if len(fences) == 1:
        found, why = _decoded(fences[0])
        if why is None:
            return found
    start = text.find("{")
    if start < 0:
        raise Malformed("the reply holds no JSON object")
    try:
        found, end = _decoder().raw_decode(text, start)
    except ValueError as error:
        raise Malformed(_line(f"the reply is not JSON ({first_line(error)})")) from None
    if len(fences) > 1 or _OBJECT.search(text, end):
        raise Malformed("the reply holds more than one JSON object")
    return found


def _decoded(text: str) -> tuple[Any, str | None]:
    """The JSON that a text is, or why it is none."""
    try:
        return _decoder().decode(text), None
    except ValueError as error:
        return None, first_line(error)


def _without_commas(text: str) -> str:
    """A text without commas that stand before a closing bracket, outside of strings."""
    return _TRAILING.sub(lambda found: found[1] or "", text)


def _decoder() -> json.JSONDecoder:
    return json.JSONDecoder(object_pairs_hook=_once, parse_constant=_no_number)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise Malformed(_line(f"the key '{name}' stands there twice"))
        found[name] = value
    return found


def _no_number(name: str) -> Any:
    raise Malformed(f"{name} is no number of JSON")
