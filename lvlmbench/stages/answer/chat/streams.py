"""Replies that come in pieces though none was asked for: server-sent events, and JSON by lines."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_DONE = "[DONE]"
_LINE = re.compile(r"\r\n|\n|\r")
#: Texts that are put together, and values of which the last counts.
_JOINED = ("content", "reasoning_content", "reasoning", "refusal", "text")


def assembled(text: str) -> dict[str, Any] | None:
    """Return the chat completion that a stream's pieces make; None where a text is no stream.

    A stream that ends without a finish reason and without its closing mark is broken off; so is one
    with a piece that is an error: both come back as an ``error`` object.
    """
    pieces, done, errors = [], False, []
    for kind, content in _events(text):
        if content.strip() == _DONE:
            done = True
            continue
        try:
            piece = json.loads(content)
        except ValueError:
            if kind is None:
                return None
            errors.append({"message": "the stream holds a piece that is not JSON"})
            continue
        if not isinstance(piece, dict):
            return None
        inner = (value.get("error") for value in piece.values() if isinstance(value, dict))
        error = piece.get("error") or next((each for each in inner if each), None)
        if kind == "error" or error:
            errors.append(error or piece)
        pieces.append(_as_chunk(piece))
    if errors:
        return {"error": errors[0], "usage": _last(pieces, "usage")}
    return _joined(pieces, done) if pieces else None


def _events(text: str) -> Iterator[tuple[str | None, str]]:
    """Name and data of each event; of lines of JSON the name is None."""
    name, data = "message", ""
    for line in _LINE.split(text.removeprefix("\ufeff")):
        if line.startswith("data:"):
            data += ("\n" if data else "") + line[5:].removeprefix(" ")
        elif line.startswith("event:"):
            name = line[6:].strip()
        elif not line.strip():
            if data:
                yield name, data
            name, data = "message", ""
        elif line.startswith("{"):
            yield None, line
        elif not line.startswith((":", "id:", "retry:")):
            yield None, line  # it is no stream
    if data:
        yield name, data


def _as_chunk(piece: Mapping[str, Any]) -> dict[str, Any]:
    """A piece in OpenAI's form; Ollama's own has a message and no choices."""
    if "choices" in piece or not isinstance(piece.get("message"), dict):
        return dict(piece)
    finish = piece.get("done_reason") or ("stop" if piece.get("done") else None)
    usage = {
        "prompt_tokens": piece.get("prompt_eval_count"),
        "completion_tokens": piece.get("eval_count"),
    }
    choice = {"index": 0, "delta": piece["message"], "finish_reason": finish}
    return {"model": piece.get("model"), "choices": [choice], "usage": usage if finish else None}


def _last(pieces: list[dict[str, Any]], key: str) -> Any:
    return next((piece[key] for piece in reversed(pieces) if piece.get(key)), None)


def _joined(pieces: list[dict[str, Any]], done: bool) -> dict[str, Any]:
    message: dict[str, Any] = {}
    finish, probabilities = None, []
    for piece in pieces:
        choices = piece.get("choices")
        choice = choices[0] if isinstance(choices, list) and choices else None
        if not isinstance(choice, dict) or choice.get("index") not in (None, 0, "0"):
            continue
        given = choice.get("finish_reason")
        finish = finish if given in (None, "", "null") else given
        delta = choice.get("delta") or choice.get("message") or {}
        delta = delta if isinstance(delta, dict) else {}
        for key in _JOINED:
            part = delta.get(key, choice.get(key))
            if isinstance(part, str):
                message[key] = message.get(key, "") + part
            elif isinstance(part, list):
                message.setdefault("parts", []).extend(part)
        logprobs = choice.get("logprobs")
        if isinstance(logprobs, dict) and isinstance(logprobs.get("content"), list):
            probabilities += logprobs["content"]
    usage, model = _last(pieces, "usage"), _last(pieces, "model")
    if finish is None and not done:
        what = "the stream broke off before the reply was whole"
        return {"error": {"message": what, "type": "connection_error"}, "usage": usage}
    content = message.pop("text", "") or message.get("content")
    if parts := message.pop("parts", None):
        content = [*([content] if content else []), *parts]
    choice = {"index": 0, "message": {**message, "content": content}, "finish_reason": finish}
    if probabilities:
        choice["logprobs"] = {"content": probabilities}
    return {"model": model, "choices": [choice], "usage": usage}
