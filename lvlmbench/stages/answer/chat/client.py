"""The requests of one run to an OpenAI-compatible server: sending them, and judging what fails."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import ssl
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.chat import errors, protocol, replies
from lvlmbench.stages.answer.chat.forms import Forms
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import FINAL_STATUSES, Item, Reply, Structured
from lvlmbench.stages.answer.requests.dispatch import Later
from lvlmbench.stages.answer.requests.progress import duration
from lvlmbench.stages.answer.requests.retry import (
    LONGEST_RETRY_AFTER_S,
    asked_wait,
    backoff,
    retry_after,
    spread,
)
from lvlmbench.stages.answer.requests.throttle import Permit, Throttle

if TYPE_CHECKING:
    import openai

#: Keys shorter than this may be words that answers hold; they are taken out of what a server says
#: of an error alone, and plain words ("EMPTY", "none"), which keep no secret, out of nothing.
_SHORTEST_SECRET = 12
#: While a server answers others, it may turn a request away this many times as often as it may
#: fail: that is a queue, not a failure.
_PATIENCE = 5
#: Waits this long are told, or the run would look hung.
_TOLD_S, _TOLD_EVERY_S = 5.0, 60.0
#: Bytes of an error's body that are searched for a time.
_READ = 8000
_REFUSED, _BROKE = "cannot connect", "the connection broke"
_NOT_HTTP = "the reply is not HTTP"

N = TypeVar("N", int, float)


@dataclass(slots=True)
class Ticket:
    """An item and what its attempts so far came to."""

    item: Item
    attempts: int = 0
    failures: int = 0
    turned_away: int = 0
    answered_before: int = 0  # replies of the run when it was last turned away
    usage: replies.Usage = dataclasses.field(default_factory=replies.Usage)  # of broken replies


class ChatClient:
    """Attempts at items, with what the run has learned about the server.

    Parameters
    ----------
    name
        The model's name, for messages.
    key
        The server's key; goes into the request's header and nowhere else.
    forms
        What is known of the forms of replies that the server takes; outlives the run.
    """

    def __init__(
        self,
        name: str,
        endpoint: Endpoint,
        key: str | None,
        throttle: Throttle,
        forms: Forms | None = None,
    ) -> None:
        import httpx2
        import openai

        self._name, self._endpoint = name, endpoint
        self._secret = key if key and len(key) >= _SHORTEST_SECRET else None
        self._key = self._secret or (key if key and len(key) > 3 and not key.isalpha() else None)
        self._throttle, self._now = throttle, throttle.clock
        self._forms = Forms(name) if forms is None else forms
        # Some servers stream unless they are told not to.
        sampling = protocol.with_limit_name(protocol.sampling_fields(endpoint), endpoint)
        self._fields = {"model": endpoint.model, "stream": False, **sampling}
        self._responses = self._answered = self._unconnected = 0
        self._last_failure = ""
        self._renamed: tuple[str, str] | None = None  # names of the limit of tokens
        self._silent_until = 0.0
        self._raw = httpx2.Response
        # aiohttp parses HTTP in C and finds a free connection at once: about a third less time
        # than the package's own transport at 64 requests in flight, far less at 512.
        self._api = openai.AsyncOpenAI(
            api_key=key or "none",
            base_url=endpoint.base_url,
            timeout=None,  # timed here, from the first byte sent to the last received
            max_retries=0,  # retried here, where every attempt is counted
            http_client=openai.DefaultAioHttpClient(
                timeout=None, limits=httpx2.Limits(max_connections=endpoint.concurrency)
            ),
        )

    async def close(self) -> None:
        """Close the connections."""
        await self._api.close()

    async def ask(self, ticket: Ticket) -> Reply | Later:
        """One attempt: a reply, a failure that no retry mends, or when to ask again.

        Raises
        ------
        UserError
            Nothing can be asked of this endpoint.
        """
        ticket.attempts += 1
        permit = self._throttle.permit()
        began = permit.flight.began
        reply: Reply | None = None
        try:
            async with asyncio.timeout(self._endpoint.timeout_s):
                raw, way = await self._send(ticket.item)
            self._responses += 1
            reply = dataclasses.replace(self._read(raw, ticket.item), structured=way)
            failure = wait = None
        except Exception as error:
            if isinstance(error, replies.Broken):
                ticket.usage = _both(ticket.usage, error.usage)
            failure, wait = self._judge(error)
        if failure is None or not failure.pushed_back:
            self._leave(permit, failure, reply)
        else:
            paused = self._throttle.pushed_back(permit, wait, failure.what)
            if paused is not None and paused >= _TOLD_S:
                self._tell(paused, failure.what)
        if failure is not None:
            if failure.action == "stop":
                raise self._stopped(failure) from None
            if failure.action == "retry" and self._may_retry(ticket, failure):
                return Later(self._pause(ticket, wait))
            if failure.what.startswith(_REFUSED):
                raise self._stopped(failure) from None
            reply = Reply("", failure.status, error=failure.what, rejected=failure.rejected)
        assert reply is not None
        self._answered += reply.status in FINAL_STATUSES
        seconds = round(self._now() - began, 3)
        usage = _both(
            ticket.usage,
            replies.Usage(reply.prompt_tokens, reply.completion_tokens, reply.cost_usd),
        )
        return dataclasses.replace(
            reply,
            latency_s=seconds,
            attempts=ticket.attempts,
            prompt_tokens=usage.prompt,
            completion_tokens=usage.completion,
            cost_usd=usage.cost,
        )

    def _read(self, raw: bytes, item: Item) -> Reply:
        options = len(item.options) if protocol.asks_logprobs(self._endpoint, item) else None
        payload = replies.parsed(raw)
        # Before anything is cut short, or a part of the key would not be known again.
        if self._secret is not None:
            try:
                payload = self._without_key(payload)
            except RecursionError:
                raise replies.Broken(errors.Said("the reply is nested too deeply")) from None
        return replies.read_reply(payload, self._endpoint.price_per_million, options)

    def _without_key(self, value: Any) -> Any:
        """A reply's body with the key taken out of all its texts."""
        if isinstance(value, str):
            return self._scrubbed(value)
        if isinstance(value, list):
            return [self._without_key(each) for each in value]
        if isinstance(value, dict):
            return {name: self._without_key(each) for name, each in value.items()}
        return value

    def _leave(self, permit: Permit, failure: errors.Failure | None, reply: Reply | None) -> None:
        """Tell the throttle that an attempt has ended which the server did not turn away."""
        if failure is None or (failure.action == "row" and failure.status != "timeout"):
            tokens = None
            if reply is not None and reply.prompt_tokens is not None:
                tokens = reply.prompt_tokens + (reply.completion_tokens or 0)
            self._throttle.served(permit, tokens)
        elif failure.status == "timeout":
            self._throttle.timed_out(permit)
        else:
            self._throttle.failed()

    def _may_retry(self, ticket: Ticket, failure: errors.Failure) -> bool:
        """Count a failure, and say whether it was one too many."""
        retries = self._endpoint.retries
        if failure.pushed_back:
            ticket.turned_away += 1
            served_others = self._answered > ticket.answered_before
            ticket.answered_before = self._answered
            if served_others:
                return ticket.turned_away <= _PATIENCE * retries
        ticket.failures += 1
        return ticket.failures <= retries

    def _pause(self, ticket: Ticket, asked: float | None) -> float:
        request = ticket.item.question_id
        if asked is not None:
            return spread(asked, request, ticket.attempts)
        return backoff(request, ticket.attempts)

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
            return await self._post(item, fields, way)
        except openai.APIStatusError as error:
            if error.status_code not in (400, 422) or not self._rename(fields, _said(error)):
                raise
            return await self._post(item, self._fields, way)

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

    async def _post(self, item: Item, fields: dict[str, Any], way: Structured | None) -> bytes:
        fields = fields | protocol.fields_of(item, self._endpoint.sampling.seed, way)
        if protocol.asks_logprobs(self._endpoint, item):
            fields = {**fields, **protocol.LOGPROB_FIELDS}
        shown = protocol.images_of(item, self._endpoint.several_images)
        body = protocol.request_body(fields, item, self._endpoint.image_detail, shown)
        # The package's call for requests that it does not know: it leaves the body as it is.
        raw = await self._api.post("/chat/completions", content=body, cast_to=self._raw)
        return bytes(raw.content)

    def _judge(self, error: Exception) -> tuple[errors.Failure, float | None]:
        """What a failure means, and how long the server asks to wait."""
        import aiohttp
        import openai

        if isinstance(error, openai.APIStatusError | replies.Broken):
            self._responses += 1
            failure = self._failure(error)
            if isinstance(error, replies.Broken) and self._rename(self._fields, error.said):
                return errors.Failure("retry", "error", failure.what), None
            if failure.action != "retry":
                return failure, None
            return self._when(failure, error)
        if isinstance(error, TimeoutError):  # not retried: it may have been worked for, and paid
            what = f"no reply within {self._endpoint.timeout_s:g} s"
            return errors.Failure("row", "timeout", what), None
        if isinstance(error, openai.APIConnectionError | aiohttp.ClientError):
            # What the package does not know the transport's exception for comes as it is.
            what = _BROKE if isinstance(error, openai.APIConnectionError) else _NOT_HTTP
            refused = _cannot_connect(error)
            self._unconnected += 1
            self._last_failure = what if refused is None else refused
            if refused is None:
                return errors.Failure("retry", "error", what), None
            fix = "start the server, or correct endpoint.base_url"
            if self._responses:
                return errors.Failure("retry", "error", refused, fix), None
            return errors.Failure("stop", "error", refused, fix), None
        if isinstance(error, ValueError):  # an image that cannot be sent
            what = protocol.one_line(self._scrubbed(str(error)))
            return errors.Failure("row", "error", what), None
        raise error

    def _failure(self, error: openai.APIStatusError | replies.Broken) -> errors.Failure:
        inside = isinstance(error, replies.Broken)
        said = error.said if isinstance(error, replies.Broken) else _said(error)
        said = said._replace(
            message=self._scrubbed(said.message), quoted=self._scrubbed(said.quoted)
        )
        code = None if isinstance(error, replies.Broken) else error.status_code
        failure = errors.judge(code, said, self._endpoint)
        if inside and said.status is None and not said.codes:
            return dataclasses.replace(failure, what=protocol.one_line(said.message))
        return failure

    def _when(
        self, failure: errors.Failure, error: openai.APIStatusError | replies.Broken
    ) -> tuple[errors.Failure, float | None]:
        """How long to wait, as the server asks; a wait that nobody sits out ends the run."""
        if isinstance(error, replies.Broken):
            wait = asked_wait({}, json.dumps(error.body)[:_READ] if failure.pushed_back else "")
        elif failure.pushed_back:
            body = error.response.content[:_READ].decode("utf-8", "replace")
            wait = asked_wait(error.response.headers, body)
        else:
            wait = retry_after(error.response.headers)
        fix = "run the same command again then: what was answered is kept"
        if wait is None and failure.quota:
            what = f"{failure.what}; its quota is used up, and it does not say until when"
            fix = "run the same command again once it is reset: what was answered is kept"
            return errors.Failure("stop", "error", what, fix), None
        if wait is None or wait <= LONGEST_RETRY_AFTER_S:
            return failure, wait
        at = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(time.time() + wait))
        what = f"{failure.what}; it takes no request before {at}, in {duration(wait)}"
        return errors.Failure("stop", "error", what, fix), None

    def _stopped(self, failure: errors.Failure) -> UserError:
        fix = failure.fix or "start the server, or correct endpoint.base_url"
        return UserError(f"model '{self._name}' at {self._endpoint.base_url}", failure.what, fix)

    def _tell(self, seconds: float, what: str) -> None:
        """Say that the whole model waits, now and then."""
        if self._now() >= self._silent_until:
            self._silent_until = self._now() + seconds + _TOLD_EVERY_S
            print(f"{self._name}: waiting {seconds:.0f} s ({what})", file=sys.stderr)

    def _scrubbed(self, text: str) -> str:
        return text if self._key is None else text.replace(self._key, "[key]")

    def raise_if_nothing_connected(self) -> None:
        """One line instead of a shard full of rows that say the server was not there."""
        if self._unconnected and not self._responses:
            raise UserError(
                f"model '{self._name}' at {self._endpoint.base_url}",
                f"every request failed: {self._last_failure}",
                "check that the server runs and that endpoint.base_url is right",
            )


def _said(error: openai.APIStatusError) -> errors.Said:
    said = errors.said_of(error.response.content)
    return said if said.message else errors.said_of(error.body)


def _both(one: replies.Usage, other: replies.Usage) -> replies.Usage:
    """What two replies took together; what neither tells is not known."""
    cost = _sum(one.cost, other.cost)
    return replies.Usage(
        _sum(one.prompt, other.prompt),
        _sum(one.completion, other.completion),
        None if cost is None else round(cost, 9),
    )


def _sum(one: N | None, other: N | None) -> N | None:
    return one if other is None else other if one is None else one + other


def _cannot_connect(error: BaseException) -> str | None:
    """Why no connection was made, where none was, by what the transport says below."""
    import aiohttp

    cause = error.__cause__
    while cause is not None and not isinstance(cause, aiohttp.ClientConnectorError):
        cause = cause.__cause__
    if cause is None:
        return None
    below = getattr(cause, "os_error", None)  # a certificate has none
    other = isinstance(below, ssl.SSLError) or isinstance(cause, aiohttp.ClientConnectorDNSError)
    if isinstance(below, ssl.SSLError) and getattr(below, "reason", "") == "WRONG_VERSION_NUMBER":
        why: object = "it speaks no TLS: http:// may be meant in place of https://"
    elif not other and below is not None and (below.errno or 0) > 0:
        why = os.strerror(below.errno).lower()
    else:
        why = cause.strerror or getattr(cause, "certificate_error", None) or cause
    return f"{_REFUSED} ({protocol.one_line(str(why))})"
