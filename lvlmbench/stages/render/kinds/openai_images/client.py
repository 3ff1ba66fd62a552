"""Requests of the images API: what is sent, and how replies are read."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple, TypeAlias

from lvlmbench.core.decoding import picture_of
from lvlmbench.core.errors import UserError
from lvlmbench.core.untrusted import one_line, well_formed
from lvlmbench.stages.render.kinds.openai_images.settings import OpenAIImages
from lvlmbench.stages.requests import errors
from lvlmbench.stages.requests.client import Client, said_in
from lvlmbench.stages.requests.throttle import Throttle

Status: TypeAlias = Literal["made", "refused", "wrong_size", "damaged", "error", "timeout"]

#: What is kept for good; the others are asked again in the next run.
FINAL: frozenset[str] = frozenset({"made", "refused"})
#: What was paid for and is no use: a server that sends such pictures sends no others.
UNUSABLE: frozenset[str] = frozenset({"wrong_size", "damaged"})
#: What servers send; other formats need decoders that nobody needs here.
FORMATS = ("PNG", "JPEG", "WEBP")
#: What asks for pictures in the reply itself.
_FORM = "response_format"


class Asked(NamedTuple):
    """What one request asks for."""

    prompt: str
    seed: int | None


@dataclass(frozen=True)
class Picture:
    """What came of a request.

    Attributes
    ----------
    file
        The picture's file as it came; None where none of use came.
    error
        What went wrong, in one line.
    rejected
        The server says that the request itself is wrong, whatever the prompt.
    """

    status: Status
    file: bytes | None = field(default=None, repr=False)
    error: str | None = None
    revised_prompt: str | None = None
    served_model: str | None = None
    latency_s: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cost_usd: float | None = None
    attempts: int = 1
    rejected: bool = False


def fields_of(settings: OpenAIImages, side: int) -> dict[str, Any]:
    """Return what all requests have in common."""
    quality = {} if settings.quality is None else {"quality": settings.quality}
    common = {"model": settings.model, "n": 1, "size": f"{side}x{side}"}
    return {**common, **quality, **settings.fields}


class ImagesClient(Client[Asked, Picture]):
    """Prompts to a server, and its pictures.

    Parameters
    ----------
    side
        Of the square pictures that are asked for, in pixels.
    """

    final = FINAL

    def __init__(
        self, name: str, settings: OpenAIImages, key: str | None, throttle: Throttle, side: int
    ) -> None:
        super().__init__(name, settings, key, throttle)
        self._settings, self._side = settings, side
        self._fields = {**fields_of(settings, side), _FORM: "b64_json"}

    async def _send(self, item: Asked) -> bytes:
        import openai

        try:
            return await self._sent(item)
        except openai.APIStatusError as error:
            if error.status_code not in (400, 422) or not self._mended(said_in(error)):
                raise
            return await self._sent(item)

    async def _sent(self, item: Asked) -> bytes:
        seed = {} if item.seed is None else {"seed": item.seed}
        body = {**self._fields, "prompt": item.prompt, **seed}
        return await self._post("/images/generations", json.dumps(body).encode())

    def _mended(self, said: errors.Said) -> bool:
        """Newer models of OpenAI's send pictures in any case, and take no field that asks so."""
        known = errors.names_parameter(said, _FORM, _FORM)
        if known:
            self._fields.pop(_FORM, None)
        return known

    def _failed(self, failure: errors.Failure) -> Picture:
        return Picture(failure.status, error=failure.what, rejected=failure.rejected)

    def _read(self, sent: bytes, item: Asked) -> Picture:
        payload = self._without_secret(errors.parsed(sent))
        first = _first(payload)
        if first is None or not isinstance(payload, dict):
            said = errors.said_of(payload)
            if not said.message:
                said = said._replace(message="the reply holds no picture")
            raise errors.Broken(said, body=payload)
        encoded = first.get("b64_json")
        if not isinstance(encoded, str) and isinstance(first.get("url"), str):
            raise UserError(  # or all others would be paid for in vain, too
                self._where,
                "it sends the addresses of pictures in place of pictures",
                "have the server take response_format: b64_json",
            )
        usage = payload.get("usage")
        told = Picture(
            "made",
            revised_prompt=well_formed(_text(first, "revised_prompt")) or None,
            served_model=one_line(_text(payload, "model"), 200) or None,
            prompt_tokens=_count(usage, "input_tokens"),
            completion_tokens=_count(usage, "output_tokens"),
            cost_usd=self._settings.price_per_image,
        )
        return self._looked_at(encoded, told)

    def _looked_at(self, encoded: object, told: Picture) -> Picture:
        """What came, once its picture is decoded."""
        try:  # some servers send a data URL
            text = "".join(str(encoded or "").rpartition(",")[2].split())
            file = base64.b64decode(text, validate=True)
        except (binascii.Error, ValueError):
            return replace(told, status="damaged", error="what came is not Base64")
        image = picture_of(file, FORMATS)
        if image is None:
            what = f"what came is no {', '.join(FORMATS)} that can be read"
            return replace(told, status="damaged", error=what)
        if image.size != (self._side, self._side):
            came = f"{image.width}x{image.height}"
            what = f"{came} came where {self._side}x{self._side} was asked for"
            return replace(told, status="wrong_size", error=what)
        return replace(told, file=file)


def _first(payload: object) -> Mapping[str, Any] | None:
    data = payload.get("data") if isinstance(payload, dict) else None
    first = data[0] if isinstance(data, list) and data else None
    return first if isinstance(first, dict) else None


def _text(holder: Mapping[str, Any], key: str) -> str:
    value = holder.get(key)
    return value.strip() if isinstance(value, str) else ""


def _count(usage: object, key: str) -> int | None:
    value = usage.get(key) if isinstance(usage, dict) else None
    whole = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 2**53
    return value if whole else None
