"""Any server that speaks the OpenAI chat-completions protocol, asked concurrently.

The key is read from the environment variable that the parameters name, just before something is
asked, and goes nowhere but into the request's header: server messages are searched for it before
they reach a log or a table.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from lvlmbench.stages.answer.chat import protocol
from lvlmbench.stages.answer.chat.client import ChatClient
from lvlmbench.stages.answer.chat.forms import Forms
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import (
    FINAL_STATUSES,
    Item,
    Reply,
    hash_parts,
    request_hash,
    usual_tokens,
)
from lvlmbench.stages.answer.requests.cache import note_answered
from lvlmbench.stages.requests.client import Ticket
from lvlmbench.stages.requests.dispatch import Dispatcher
from lvlmbench.stages.requests.pacing import START
from lvlmbench.stages.requests.running import dispatching
from lvlmbench.stages.requests.server import read_key
from lvlmbench.stages.requests.throttle import Throttle


class OpenAIChat:
    """Engine ``openai_chat``."""

    cached = several = served = True

    def __init__(self, name: str, endpoint: Endpoint) -> None:
        self.name, self.endpoint = name, endpoint
        self._forms, self._pace = Forms(name), float(START)  # what runs have learned
        self._has_answered = False
        self._running: tuple[Throttle, Dispatcher[Ticket[Item], Reply]] | None = None

    @cached_property
    def again(self) -> OpenAIChat | None:
        """The same with ``max_tokens_if_cut``."""
        sampling = self.endpoint.sampling
        if sampling.max_tokens_if_cut is None:
            return None
        more = {"max_tokens": sampling.max_tokens_if_cut, "max_tokens_if_cut": None}
        update = {"sampling": sampling.model_copy(update=more)}
        return OpenAIChat(self.name, self.endpoint.model_copy(update=update))

    @property
    def parameters(self) -> Mapping[str, object]:
        """Server, model and decoding parameters."""
        return {
            "base_url": self.endpoint.base_url.rstrip("/"),
            "model": self.endpoint.model,
            "detail": self.endpoint.image_detail,
            **protocol.sampling_fields(self.endpoint),
            **(protocol.LOGPROB_FIELDS if self.endpoint.logprobs else {}),
            **({"several_images": True} if self.endpoint.several_images else {}),
        }

    @property
    def note(self) -> str:
        """What it is doing right now, in a few words; empty while nothing is asked."""
        if self._running is None:
            return ""
        throttle, dispatcher = self._running
        return throttle.note(dispatcher.waiting)

    def request_sha256(self, item: Item) -> str:
        """Server, model, decoding parameters, prompt, what was said before, images by their bytes,
        schema, attempt."""
        parameters = dict(self.parameters)
        parameters.pop("several_images", None)  # it matters where there are panels
        if not protocol.asks_logprobs(self.endpoint, item):
            parameters = {k: v for k, v in parameters.items() if k not in protocol.LOGPROB_FIELDS}
        sent = json.dumps(parameters, sort_keys=True)
        parts: list[object] = ["openai_chat", sent, item.prompt, item.image_sha256 or ""]
        parts += hash_parts(item, self.endpoint.several_images)
        # What most items have none of is no part of their hashes.
        if item.schema is not None:
            parts += ["schema", *item.schema]
        if item.attempt:
            parts += ["attempt", item.attempt]
        return request_hash(*parts)

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        """Replies as they arrive, at most ``endpoint.concurrency`` requests in flight.

        What is in flight once ``items`` has ended is waited for.

        Raises
        ------
        UserError
            The key is missing, the endpoint does not accept it, does not know the model or
            cannot be reached; or every single request failed on its connection.
        """
        source = iter(items)
        first = next(source, None)
        if first is None:
            return
        key = read_key(self.name, self.endpoint)
        throttle = Throttle(self.endpoint, self._usual_tokens(first), first=self._pace)

        def client() -> ChatClient:
            return ChatClient(self.name, self.endpoint, key, throttle, self._forms)

        with dispatching(client, throttle) as dispatcher:
            self._running = throttle, dispatcher
            try:
                asked = itertools.chain([first], source)
                tickets = (Ticket(item, item.question_id) for item in asked)
                for ticket, reply in dispatcher.run(tickets):
                    self._note(reply)
                    yield ticket.item, reply
            finally:
                self._running, self._pace = None, throttle.pace.limit

    def _note(self, reply: Reply) -> None:
        if not self._has_answered and reply.status in FINAL_STATUSES:
            self._has_answered = True
            note_answered(self.endpoint.base_url, self.endpoint.model)

    def _usual_tokens(self, item: Item) -> float:
        """What a request takes, as far as one can tell before a reply."""
        apart = self.endpoint.several_images
        return usual_tokens(item, apart) + protocol.most_tokens(self.endpoint)
