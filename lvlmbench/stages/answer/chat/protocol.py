"""The chat-completions protocol as plain data: requests, replies, and what failures mean."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from lvlmbench.stages.answer import reasoning
from lvlmbench.stages.answer.chat import logprobs as chat_logprobs
from lvlmbench.stages.answer.dialogue import Cut, cut_files
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import Item, Reply, Status, Structured

_REFUSAL_CODES = {
    "content_filter",
    "content_policy_violation",
    "content_policy",
    "responsibleaipolicyviolation",
    "moderation_blocked",
    "safety",
}
_REFUSAL_WORDS = re.compile(
    r"content[ _](?:policy|filter|management)|safety (?:system|policy)", re.I
)
#: Codes of a 429 that no waiting mends.
_SPENT_CODES = {"insufficient_quota", "billing_hard_limit_reached"}
_RETRIED = {408, 409, 429}
#: There is no such path or model, or the server does nothing of the kind: no retry mends that.
_NOT_THERE = {404, 405, 501}
#: Too many requests; service unavailable; overloaded (not registered, but used).
_PUSHED_BACK = {429, 503, 529}

#: What asks for log-probabilities; 20 is the most that the protocol allows.
LOGPROB_FIELDS: dict[str, object] = {"logprobs": True, "top_logprobs": 20}

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]+|[\t\n]+")


def media_type(image: bytes) -> str:
    """MIME type by the file's first bytes.

    Raises
    ------
    ValueError
        Neither PNG, JPEG nor WebP.
    """
    if image.startswith(b"\x89PNG\r\n\x1a\n"):
        return "image/png"
    if image.startswith(b"\xff\xd8\xff"):
        return "image/jpeg"
    if image[:4] == b"RIFF" and image[8:12] == b"WEBP":
        return "image/webp"
    raise ValueError("the image is neither PNG, JPEG nor WebP")


def sampling_fields(endpoint: Endpoint) -> dict[str, Any]:
    """Decoding parameters in the form they are sent in."""
    sampling = endpoint.sampling
    fields: dict[str, Any] = {"max_tokens": most_tokens(endpoint)}
    if sampling.temperature is not None:
        fields["temperature"] = sampling.temperature
    if sampling.seed is not None:
        fields["seed"] = sampling.seed
    return fields


def fields_of(item: Item, seed: int | None, how: Structured | None) -> dict[str, Any]:
    """What one item's request has beside the fields of all: another seed, the reply's form."""
    fields: dict[str, Any] = {}
    if item.attempt:
        fields["seed"] = (seed or 0) + item.attempt
    if item.schema is not None and how == "json_schema":
        schema = json.loads(item.schema.text)
        wanted = {"name": item.schema.name, "schema": schema, "strict": True}
        fields["response_format"] = {"type": "json_schema", "json_schema": wanted}
    elif item.schema is not None and how == "json_object":
        fields["response_format"] = {"type": "json_object"}
    return fields


def most_tokens(endpoint: Endpoint) -> int:
    """The limit that is sent: servers have one, for reasoning and answer together."""
    return endpoint.sampling.max_tokens + (endpoint.sampling.reasoning_tokens or 0)


def asks_logprobs(endpoint: Endpoint, item: Item) -> bool:
    """Whether a request asks for log-probabilities: where there are letters to choose from."""
    return endpoint.logprobs and bool(item.options)


def images_of(item: Item, apart: bool = False) -> list[bytes]:
    """The files that an item shows, in their order; ``apart``: each panel by itself.

    Raises
    ------
    ValueError
        An image cannot be cut into its panels.
    """
    first = [] if item.image is None else [item.image]
    if apart and item.panels and item.image is not None:
        try:
            first = cut_files(item.image, item.panels)
        except Cut as error:
            raise ValueError(str(error)) from None
    return first + [picture.file for picture in item.further]


def request_body(
    fields: Mapping[str, object], item: Item, detail: str, images: Sequence[bytes] | None = None
) -> bytes:
    """JSON of a request: ``fields``, what was said before, and the prompt.

    The images, by default those of :func:`images_of`, go before the text of the user's first turn.
    Each goes in as a data URL. Its Base64 text, which needs no escapes, is put in as it is: the
    encoder of JSON would look at each of its characters.

    Raises
    ------
    ValueError
        An image is neither PNG, JPEG nor WebP.
    """
    parts = [json.dumps(fields).removesuffix("}").encode()]
    parts.append(b', "messages": [{"role": "user", "content": [')
    for image in images_of(item) if images is None else images:
        kind = media_type(image).encode()
        parts += [b'{"type": "image_url", "image_url": {"url": "data:', kind, b";base64,"]
        parts += [base64.b64encode(image), b'"']
        if detail != "auto":
            parts.append(f', "detail": {json.dumps(detail)}'.encode())
        parts.append(b"}}, ")
    for turn in item.turns:
        answered = json.dumps({"role": "assistant", "content": turn.answer}).encode()
        parts += [_text_part(turn.question), b"]}, ", answered, b', {"role": "user", "content": [']
    parts += [_text_part(item.prompt), b"]}]}"]
    return b"".join(parts)


def _text_part(text: str) -> bytes:
    return json.dumps({"type": "text", "text": text}).encode()


def well_formed(text: str) -> str:
    """Text that UTF-8 can hold: a lone surrogate, which JSON can carry, becomes U+FFFD."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def one_line(text: str, longest: int = 300) -> str:
    """A server's message made fit for a log line: no control characters, not endless."""
    text = _CONTROL.sub(" ", well_formed(text)).strip()
    return text if len(text) <= longest else text[: longest - 1] + "…"


def message_of(body: object) -> str:
    """Return a server's own words for a failure, from the body of its reply."""
    if isinstance(body, dict):
        for value in (body.get("message"), body.get("detail"), body.get("error")):
            if isinstance(value, str):
                return value
    return body if isinstance(body, str) else ""


def _text_of(content: object) -> str | None:
    """A message's content, given as a string or as a list of parts; None where it is neither."""
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [p.get("text") if isinstance(p, dict) else p for p in content]
        return "".join(p for p in parts if isinstance(p, str))
    return None


def _count(usage: object, key: str) -> int | None:
    value = usage.get(key) if isinstance(usage, dict) else None
    return value if isinstance(value, int) and 0 <= value < 2**53 else None


def read_reply(
    payload: object, price: tuple[float, float] | None, n_options: int | None = None
) -> Reply:
    """Reply from the body of a successful response (already parsed JSON).

    The model's text may be empty: that is an answer without content, which scoring counts as
    unanswered. A filled ``refusal`` field or the finish reason ``content_filter`` is a refusal.
    What it thought is kept apart: a field of its own (``reasoning_content``, ``reasoning``), or
    what stands between think tags in front of the answer.

    Parameters
    ----------
    price
        US dollars for a million prompt and completion tokens.
    n_options
        Options whose letters' log-probabilities are read; None where they were not asked for.

    Raises
    ------
    ValueError
        The body is not a chat completion.
    """
    choices = payload.get("choices") if isinstance(payload, dict) else None
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(payload, dict) or not isinstance(choice, dict):
        raise ValueError("the reply is not a chat completion: no choices")
    if not isinstance(message, dict) or (text := _text_of(message.get("content"))) is None:
        raise ValueError("the reply is not a chat completion: no message content")
    thoughts = [message.get(key) for key in ("reasoning_content", "reasoning")]
    told = next((t for t in thoughts if isinstance(t, str) and t.strip()), None)
    aloud, text = reasoning.split(text)
    thought = "\n".join(t.strip() for t in (told, aloud) if t) or None
    finish = choice.get("finish_reason")
    refusal = message.get("refusal")
    status: Status = "answered"
    if finish == "content_filter" or (isinstance(refusal, str) and refusal.strip()):
        status = "refused"
        text = text or (refusal if isinstance(refusal, str) else "")
    usage = payload.get("usage")
    prompt, completion = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
    cost = None
    if price is not None and prompt is not None and completion is not None:
        cost = round((prompt * price[0] + completion * price[1]) / 1e6, 9)
    logprobs = None
    if n_options is not None and isinstance(given := choice.get("logprobs"), dict):
        logprobs = chat_logprobs.option_logprobs(given.get("content"), n_options)
    served = payload.get("model")
    return Reply(
        text=well_formed(text),
        status=status,
        finish_reason=one_line(finish, 40) if isinstance(finish, str) else None,
        prompt_tokens=prompt,
        completion_tokens=completion,
        cost_usd=cost,
        logprobs=logprobs,
        served_model=one_line(served, 200) or None if isinstance(served, str) else None,
        reasoning=well_formed(thought) if thought else None,
    )


@dataclass(frozen=True)
class Failure:
    """What a failed request means for the question and for the run.

    ``action``: ``retry`` (it may pass), ``row`` (this question alone has failed), ``stop`` (no
    question can be asked of this endpoint as it is). ``rejected``: the server says that the
    request is wrong; ``pushed_back``: that it has too much to do.
    """

    action: Literal["retry", "row", "stop"]
    status: Status
    what: str
    fix: str = ""
    rejected: bool = False
    pushed_back: bool = False


def judge_status(code: int, error_code: str, message: str, endpoint: Endpoint) -> Failure:
    """What an HTTP status that is not 2xx means; ``error_code`` and ``message`` are the body's."""
    what = f"HTTP {code}" + (f": {message}" if message else "")
    if error_code.lower() in _REFUSAL_CODES or (
        code in (400, 403, 422) and _REFUSAL_WORDS.search(f"{error_code} {message}")
    ):
        return Failure("row", "refused", what)
    if code == 401:
        if endpoint.api_key_env is None:
            fix = "the server wants a key: name its environment variable in endpoint.api_key_env"
        else:
            fix = f"put a valid key into the environment variable {endpoint.api_key_env}"
        return Failure("stop", "error", what, fix)
    if code == 403:
        fix = f"use a key that may use model '{endpoint.model}', or another model"
        return Failure("stop", "error", what, fix)
    if code in _NOT_THERE:
        fix = (
            f"check endpoint.base_url (it usually ends in /v1) and that '{endpoint.model}' "
            "is a model of this server"
        )
        return Failure("stop", "error", what, fix)
    if error_code.lower() in _SPENT_CODES:
        return Failure("stop", "error", what, "add credit, or use another key; then run again")
    if code in _RETRIED or code >= 500:
        return Failure("retry", "error", what, pushed_back=code in _PUSHED_BACK)
    return Failure("row", "error", what, rejected=code == 400)
