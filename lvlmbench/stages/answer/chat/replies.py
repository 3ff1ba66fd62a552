"""Replies of chat servers: a body's bytes become an answer, or the failure that it tells.

Nothing broken passes for an answer: an error inside HTTP 200, a finish reason that means failure,
no choice, no message, a stream that breaks off. What finish reasons mean stands in
``data/replies/finish_reasons.yaml``.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from lvlmbench.core.untrusted import one_line, well_formed
from lvlmbench.stages.answer.chat import logprobs as chat_logprobs
from lvlmbench.stages.answer.chat.streams import assembled
from lvlmbench.stages.answer.engine import Reply, Status
from lvlmbench.stages.replies.data import finish_meaning, plain
from lvlmbench.stages.requests import errors
from lvlmbench.stages.requests.errors import Broken, Said, Usage, said_of

#: Fields in which servers put what a model thought.
_THOUGHTS = ("reasoning_content", "reasoning", "thinking", "reasoning_details")
#: Types of a message's parts that are thought.
_THINKING = {"thinking", "reasoning", "reasoning_content", "redacted_thinking", "thought"}
#: What a guardrail says that has stepped in.
_INTERVENED = {"intervened", "guardrailintervened", "blocked", "denied"}
#: What stands under the key of an error where there is none.
_NO_ERROR = {"", "none", "null", "ok", "success", "0", "200"}
#: Keys by which a body without choices, or a choice, says that something went wrong.
_ERRORS = ("error", "errors", "base_resp")


def parsed(raw: bytes) -> object:
    """Return a body as parsed JSON; the pieces of a stream are put together.

    Raises
    ------
    Broken
        It is no JSON and no stream, is nested too deeply, or the stream broke off.
    """
    return errors.parsed(raw, assembled)


def read_reply(
    payload: object, price: tuple[float, float] | None, n_options: int | None = None
) -> Reply:
    """Return the reply from the body of a successful response (parsed JSON).

    The model's text may be empty: that is an answer without content, which scoring counts as
    unanswered. A filled ``refusal`` field, a finish reason of a filter and a prompt that was
    filtered are refusals. What the server keeps apart as thought is no part of the text.

    Parameters
    ----------
    price
        US dollars for a million prompt and completion tokens.
    n_options
        Options whose letters' log-probabilities are read; None where they were not asked for.

    Raises
    ------
    Broken
        It tells an error, its finish reason means failure, or it is no chat completion.
    """
    usage = _usage(payload, price)
    choice = _choice(payload)
    if choice is None or not isinstance(payload, dict):
        if isinstance(payload, dict) and _blocks_prompt(payload):
            return _made(payload, "", "refused", "content_filter", usage)
        raise Broken(_said_of_body(payload), usage, payload)
    finish = _finish(choice)
    meaning = None if finish is None else finish_meaning(finish)
    message = _message(choice)
    told = _told(payload, choice, message)
    if told is not None:
        raise Broken(told, usage, {k: v for k, v in payload.items() if k != "choices"})
    if meaning == "failed":
        raise Broken(_failed(choice, finish or "", message), usage)
    text, parts_thought, refusal = _content(message, meaning, usage)
    status: Status = "answered"
    if meaning == "filtered" or refusal or _intervened(payload):
        status, text = "refused", text or refusal
    thought = _thought(message) or parts_thought
    logprobs = None
    if n_options is not None and isinstance(given := choice.get("logprobs"), dict):
        logprobs = chat_logprobs.option_logprobs(given.get("content"), n_options)
    return _made(payload, text, status, finish, usage, thought, logprobs)


def _made(
    payload: Mapping[str, Any],
    text: str,
    status: Status,
    finish: str | None,
    usage: Usage,
    thought: str = "",
    logprobs: tuple[float | None, ...] | None = None,
) -> Reply:
    served = payload.get("model")
    return Reply(
        text=well_formed(text),
        status=status,
        finish_reason=None if finish is None else one_line(finish, 40),
        prompt_tokens=usage.prompt,
        completion_tokens=usage.completion,
        cost_usd=usage.cost,
        logprobs=logprobs,
        served_model=one_line(served, 200) or None if isinstance(served, str) else None,
        reasoning=well_formed(thought) if thought else None,
    )


def _choice(payload: object) -> dict[str, Any] | None:
    choices = payload.get("choices") if isinstance(payload, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first if isinstance(first, dict) else None


def _message(choice: Mapping[str, Any]) -> dict[str, Any] | None:
    """The message of a choice; what a completion of text or a single piece of a stream has."""
    for key in ("message", "delta"):
        if isinstance(found := choice.get(key), dict):
            return found
    return {"content": choice["text"]} if isinstance(choice.get("text"), str) else None


def _finish(choice: Mapping[str, Any]) -> str | None:
    """Why a reply ended; some servers give an object."""
    given = choice.get("finish_reason") or choice.get("stop_reason")
    if isinstance(given, dict):
        given = given.get("type") or given.get("reason")
    nothing = not isinstance(given, str) or given.strip().lower() in ("", "null", "none")
    return None if nothing else given


def _told(
    payload: Mapping[str, Any], choice: Mapping[str, Any], message: Mapping[str, Any] | None
) -> Said | None:
    """The error that a body with a choice tells, if it tells one."""
    for holder in (payload, choice, message or {}):
        for key in _ERRORS:
            if (found := holder.get(key)) and not _is_fine(found):
                return said_of({key: found})
    return said_of(payload) if payload.get("success") is False else None


def _is_fine(found: object) -> bool:
    """Whether what stands under an error's key says that nothing went wrong."""
    if not isinstance(found, dict):
        return isinstance(found, str) and found.strip().lower() in _NO_ERROR
    told = [found[key] for key in ("code", "status_code", "message") if found.get(key) is not None]
    return all(str(each).strip().lower() in _NO_ERROR for each in told or found.values())


def _failed(choice: Mapping[str, Any], finish: str, message: Mapping[str, Any] | None) -> Said:
    given = choice.get("finish_reason")
    said = said_of(given) if isinstance(given, dict) else Said()
    why = f"the reply ended with the finish reason '{one_line(finish, 80)}'"
    return said._replace(
        message=f"{why}: {said.message}" if said.message else why,
        codes=(*said.codes, plain(finish)),
        quoted=_texts((message or {}).get("content"))[:2000],
    )


def _said_of_body(payload: object) -> Said:
    """What a body without a choice says of its failure."""
    said = said_of(payload)
    if said.message:
        return said
    return said._replace(message="the reply is not a chat completion: no choices")


def _blocks_prompt(payload: Mapping[str, Any]) -> bool:
    """Whether a filter kept the prompt from the model."""
    feedback = payload.get("promptFeedback") or payload.get("prompt_feedback")
    if isinstance(feedback, dict) and (feedback.get("blockReason") or feedback.get("block_reason")):
        return True
    return '"filtered": true' in json.dumps(payload.get("prompt_filter_results") or [])


def _intervened(payload: Mapping[str, Any]) -> bool:
    """Whether a guardrail says that it has put words of its own in the answer's place."""
    told = (value for key, value in payload.items() if "guardrail" in str(key).lower())
    return any(isinstance(value, str) and plain(value) in _INTERVENED for value in told)


def _content(
    message: Mapping[str, Any] | None, meaning: str | None, usage: Usage
) -> tuple[str, str, str]:
    """A message's text, the thought in its parts, and the words of its refusal."""
    if message is None:
        if meaning in ("length", "filtered"):
            return "", "", ""
        raise Broken(Said("the reply is not a chat completion: no message"), usage)
    content = message.get("content")
    refusal = message.get("refusal")
    refused = refusal.strip() if isinstance(refusal, str) else ""
    if content is None or isinstance(content, str):
        return content or "", "", refused
    if not isinstance(content, list):
        raise Broken(Said("the reply is not a chat completion: no message content"), usage)
    said: list[str] = []
    thought: list[str] = []
    for part in content:
        if isinstance(part, str):
            said.append(part)
        elif isinstance(part, dict) and (
            str(part.get("type")) in _THINKING or part.get("thought") is True
        ):
            thought.append(_texts(part))
        elif isinstance(part, dict) and part.get("type") == "refusal":
            refused = refused or str(part.get("refusal") or "").strip()
        elif isinstance(part, dict) and isinstance(part.get("text"), str):
            said.append(part["text"])
    return "".join(said), "".join(thought), refused


def _texts(node: object) -> str:
    """All texts of a nested part, without the names of its types."""
    if isinstance(node, str):
        return node
    if isinstance(node, list):
        return "".join(map(_texts, node))
    if isinstance(node, dict):
        held = ("text", "content", "summary", *_THINKING)
        return "".join(_texts(node[key]) for key in held if key in node)
    return ""


def _thought(message: Mapping[str, Any] | None) -> str:
    found = (_texts((message or {}).get(key)) for key in _THOUGHTS)
    return next((text for text in found if text.strip()), "").strip()


def _usage(payload: object, price: tuple[float, float] | None) -> Usage:
    usage = payload.get("usage") if isinstance(payload, dict) else None
    prompt = _count(usage, "prompt_tokens", "input_tokens")
    completion = _count(usage, "completion_tokens", "output_tokens")
    cost = None
    if price is not None and prompt is not None and completion is not None:
        cost = round((prompt * price[0] + completion * price[1]) / 1e6, 9)
    return Usage(prompt, completion, cost)


def _count(usage: object, *keys: str) -> int | None:
    """A number of tokens; some servers write 12.0 or "12"."""
    for key in keys:
        value = usage.get(key) if isinstance(usage, dict) else None
        if isinstance(value, str):
            try:
                value = float(value)
            except ValueError:
                continue
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < 2**53:
            return int(value) if value == int(value) else None
    return None
