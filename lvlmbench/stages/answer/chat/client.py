"""The requests of one run to an OpenAI-compatible chat server: what is sent, how it is read."""

from __future__ import annotations

import dataclasses
from typing import Any

from lvlmbench.stages.answer.chat import protocol, replies
from lvlmbench.stages.answer.chat.forms import Forms
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import FINAL_STATUSES, Item, Reply, Structured
from lvlmbench.stages.requests import errors
from lvlmbench.stages.requests.client import Client, said_in
from lvlmbench.stages.requests.throttle import Throttle


class ChatClient(Client[Item, Reply]):
    """Questions to a chat server, and its answers.

    Parameters
    ----------
    forms
        What is known of the forms of replies that the server takes; outlives the run.
    """

    final = FINAL_STATUSES

    def __init__(
        self,
        name: str,
        endpoint: Endpoint,
        key: str | None,
        throttle: Throttle,
        forms: Forms | None = None,
    ) -> None:
        super().__init__(name, endpoint, key, throttle)
        self._endpoint = endpoint
        self._forms = Forms(name) if forms is None else forms
        # Some servers stream unless they are told not to.
        sampling = protocol.with_limit_name(protocol.sampling_fields(endpoint), endpoint)
        self._fields = {"model": endpoint.model, "stream": False, **sampling}
        self._renamed: tuple[str, str] | None = None  # names of the limit of tokens

    def _read(self, sent: tuple[bytes, Structured | None], item: Item) -> Reply:
        raw, way = sent
        options = len(item.options) if protocol.asks_logprobs(self._endpoint, item) else None
        payload = self._without_secret(replies.parsed(raw))
        reply = replies.read_reply(payload, self._endpoint.price_per_million, options)
        return dataclasses.replace(reply, structured=way)

    def _failed(self, failure: errors.Failure) -> Reply:
        return Reply("", failure.status, error=failure.what, rejected=failure.rejected)

    def _mended(self, said: errors.Said) -> bool:
        return self._rename(self._fields, said)

    async def _send(self, item: Item) -> tuple[bytes, Structured | None]:
        """The reply's bytes, and how they were held to the item's schema."""
        import openai

        if item.schema is None:
            return await self._within_limit(item, None), None
        way, refused = self._forms.way, ""
        while True:
            try:
                raw = await self._within_limit(item, way)
            except openai.APIStatusError as error:
                failure = self._failure(error)
                said = f"{error.param or ''} {failure.what}"
                looser = self._forms.looser(way, error.status_code, said)
                if looser is None or failure.status == "refused":
                    raise
                way, refused = looser, refused or failure.what
            else:
                self._forms.learn(way, refused)
                return raw, way

    async def _within_limit(self, item: Item, way: Structured | None) -> bytes:
        import openai

        fields = self._fields
        try:
            return await self._sent(item, fields, way)
        except openai.APIStatusError as error:
            if error.status_code not in (400, 422) or not self._rename(fields, said_in(error)):
                raise
            return await self._sent(item, self._fields, way)

    def _rename(self, fields: dict[str, Any], said: errors.Said) -> bool:
        """Send the limit of tokens under its other name from now on, where a server says that it
        does not know the one it was sent; whether it says so."""
        first, second = protocol.LIMIT_NAMES
        name, other = (first, second) if first in fields else (second, first)
        if self._renamed:  # a late complaint about what is sent no more
            return errors.names_parameter(said, *self._renamed)
        if self._endpoint.limit_name is not None or not errors.names_parameter(said, name, other):
            return False
        self._renamed = (name, other)
        self._fields = {**{k: v for k, v in fields.items() if k != name}, other: fields[name]}
        return True

    async def _sent(self, item: Item, fields: dict[str, Any], way: Structured | None) -> bytes:
        fields = fields | protocol.fields_of(item, self._endpoint.sampling.seed, way)
        if protocol.asks_logprobs(self._endpoint, item):
            fields = {**fields, **protocol.LOGPROB_FIELDS}
        shown = protocol.images_of(item, self._endpoint.several_images)
        body = protocol.request_body(fields, item, self._endpoint.image_detail, shown)
        return await self._post("/chat/completions", body)
