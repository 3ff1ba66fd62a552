"""Requests of the chat-completions protocol, as plain data."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence
from typing import Any

from lvlmbench.stages.answer.dialogue import Cut, cut_files
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import Item, Structured

#: Names of the limit of tokens: the usual one, and that of some newer models.
LIMIT_NAMES = ("max_tokens", "max_completion_tokens")

#: What asks for log-probabilities; 20 is the most that the protocol allows.
LOGPROB_FIELDS: dict[str, object] = {"logprobs": True, "top_logprobs": 20}


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


def with_limit_name(fields: dict[str, Any], endpoint: Endpoint) -> dict[str, Any]:
    """Return fields with the limit of tokens under the name that the parameters give it."""
    name = endpoint.limit_name or LIMIT_NAMES[0]
    return {name if key in LIMIT_NAMES else key: value for key, value in fields.items()}


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
