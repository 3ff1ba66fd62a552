"""The requests of one run to a server over HTTP: sending them, and judging what fails.

What is sent and how a reply is read is for a subclass to say.
"""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
import ssl
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

from lvlmbench.core.amounts import duration
from lvlmbench.core.errors import UserError
from lvlmbench.core.untrusted import one_line
from lvlmbench.stages.requests import errors
from lvlmbench.stages.requests.dispatch import Later
from lvlmbench.stages.requests.errors import Broken, Usage
from lvlmbench.stages.requests.retry import (
    LONGEST_RETRY_AFTER_S,
    asked_wait,
    backoff,
    retry_after,
    spread,
)
from lvlmbench.stages.requests.server import Server
from lvlmbench.stages.requests.throttle import Permit, Throttle

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


class Replied(Protocol):
    """What a client makes of a reply or a failure: a dataclass with these fields."""

    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def status(self) -> str: ...
    @property
    def prompt_tokens(self) -> int | None: ...
    @property
    def completion_tokens(self) -> int | None: ...
    @property
    def cost_usd(self) -> float | None: ...
    @property
    def latency_s(self) -> float | None: ...
    @property
    def attempts(self) -> int: ...


I = TypeVar("I")  # noqa: E741 - an item
R = TypeVar("R", bound=Replied)
N = TypeVar("N", int, float)


@dataclass(slots=True)
class Ticket(Generic[I]):
    """An item and what its attempts so far came to.

    Attributes
    ----------
    name
        What tells the item from others: it spreads their pauses.
    """

    item: I
    name: str
    attempts: int = 0
    failures: int = 0
    turned_away: int = 0
    answered_before: int = 0  # replies of the run when it was last turned away
    usage: Usage = field(default_factory=Usage)  # of broken replies


class Client(ABC, Generic[I, R]):
    """Attempts at items, with what the run has learned about the server.

    Parameters
    ----------
    name
        What is asked, for messages.
    key
        The server's key; goes into the request's header and nowhere else.

    Attributes
    ----------
    final
        Statuses of replies that are kept: the server has done its work.
    """

    final: ClassVar[Collection[str]] = ()

    def __init__(self, name: str, server: Server, key: str | None, throttle: Throttle) -> None:
        import httpx2
        import openai

        self._name, self._server = name, server
        self._secret = key if key and len(key) >= _SHORTEST_SECRET else None
        self._key = self._secret or (key if key and len(key) > 3 and not key.isalpha() else None)
        self._throttle, self._now = throttle, throttle.clock
        self._responses = self._answered = self._unconnected = 0
        self._last_failure = ""
        self._silent_until = 0.0
        self._raw = httpx2.Response
        # aiohttp parses HTTP in C and finds a free connection at once: about a third less time
        # than the package's own transport at 64 requests in flight, far less at 512.
        self._api = openai.AsyncOpenAI(
            api_key=key or "none",
            base_url=server.base_url,
            timeout=None,  # timed here, from the first byte sent to the last received
            max_retries=0,  # retried here, where every attempt is counted
            http_client=openai.DefaultAioHttpClient(
                timeout=None, limits=httpx2.Limits(max_connections=server.concurrency)
            ),
        )

    @abstractmethod
    async def _send(self, item: I) -> Any:
        """Send a request; returns what :meth:`_read` reads."""

    @abstractmethod
    def _read(self, sent: Any, item: I) -> R:
        """Return the reply; raises :class:`~lvlmbench.stages.requests.errors.Broken` for none."""

    @abstractmethod
    def _failed(self, failure: errors.Failure) -> R:
        """Return what stands in a reply's place where no retry mends a failure."""

    def _mended(self, said: errors.Said) -> bool:
        """Whether what a server complains of is sent otherwise from now on."""
        return False

    async def _post(self, path: str, body: bytes) -> bytes:
        """The body of a reply, by the package's call for requests that it does not know: it
        leaves what is sent as it is."""
        raw = await self._api.post(path, content=body, cast_to=self._raw)
        return bytes(raw.content)

    async def close(self) -> None:
        """Close the connections."""
        await self._api.close()

    async def ask(self, ticket: Ticket[I]) -> R | Later:
        """One attempt: a reply, a failure that no retry mends, or when to ask again.

        Raises
        ------
        UserError
            Nothing can be asked of this server.
        """
        ticket.attempts += 1
        permit = self._throttle.permit()
        began = permit.flight.began
        reply: R | None = None
        try:
            async with asyncio.timeout(self._server.timeout_s):
                sent = await self._send(ticket.item)
            self._responses += 1
            reply = self._read(sent, ticket.item)
            failure = wait = None
        except Exception as error:
            if isinstance(error, Broken):
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
            reply = self._failed(failure)
        assert reply is not None
        self._answered += reply.status in self.final
        seconds = round(self._now() - began, 3)
        usage = _both(
            ticket.usage,
            Usage(reply.prompt_tokens, reply.completion_tokens, reply.cost_usd),
        )
        return dataclasses.replace(
            reply,
            latency_s=seconds,
            attempts=ticket.attempts,
            prompt_tokens=usage.prompt,
            completion_tokens=usage.completion,
            cost_usd=usage.cost,
        )

    def _without_secret(self, payload: object) -> object:
        """A reply's body without the key, before anything is cut short: a part of the key would not
        be known again."""
        if self._secret is None:
            return payload
        try:
            return self._without_key(payload)
        except RecursionError:
            raise Broken(errors.Said("the reply is nested too deeply")) from None

    def _without_key(self, value: Any) -> Any:
        """A reply's body with the key taken out of all its texts."""
        if isinstance(value, str):
            return self._scrubbed(value)
        if isinstance(value, list):
            return [self._without_key(each) for each in value]
        if isinstance(value, dict):
            return {name: self._without_key(each) for name, each in value.items()}
        return value

    def _leave(self, permit: Permit, failure: errors.Failure | None, reply: R | None) -> None:
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

    def _may_retry(self, ticket: Ticket[I], failure: errors.Failure) -> bool:
        """Count a failure, and say whether it was one too many."""
        retries = self._server.retries
        if failure.pushed_back:
            ticket.turned_away += 1
            served_others = self._answered > ticket.answered_before
            ticket.answered_before = self._answered
            if served_others:
                return ticket.turned_away <= _PATIENCE * retries
        ticket.failures += 1
        return ticket.failures <= retries

    def _pause(self, ticket: Ticket[I], asked: float | None) -> float:
        if asked is not None:
            return spread(asked, ticket.name, ticket.attempts)
        return backoff(ticket.name, ticket.attempts)

    def _judge(self, error: Exception) -> tuple[errors.Failure, float | None]:
        """What a failure means, and how long the server asks to wait."""
        import aiohttp
        import openai

        if isinstance(error, openai.APIStatusError | Broken):
            self._responses += 1
            failure = self._failure(error)
            if isinstance(error, Broken) and self._mended(error.said):
                return errors.Failure("retry", "error", failure.what), None
            if failure.action != "retry":
                return failure, None
            return self._when(failure, error)
        if isinstance(error, TimeoutError):  # not retried: it may have been worked for, and paid
            what = f"no reply within {self._server.timeout_s:g} s"
            return errors.Failure("row", "timeout", what), None
        if isinstance(error, openai.APIConnectionError | aiohttp.ClientError):
            # What the package does not know the transport's exception for comes as it is.
            what = _BROKE if isinstance(error, openai.APIConnectionError) else _NOT_HTTP
            refused = _cannot_connect(error)
            self._unconnected += 1
            self._last_failure = what if refused is None else refused
            if refused is None:
                return errors.Failure("retry", "error", what), None
            fix = self._correct
            if self._responses:
                return errors.Failure("retry", "error", refused, fix), None
            return errors.Failure("stop", "error", refused, fix), None
        if isinstance(error, ValueError):  # an image that cannot be sent
            what = one_line(self._scrubbed(str(error)))
            return errors.Failure("row", "error", what), None
        raise error

    def _failure(self, error: openai.APIStatusError | Broken) -> errors.Failure:
        inside = isinstance(error, Broken)
        said = error.said if isinstance(error, Broken) else said_in(error)
        said = said._replace(
            message=self._scrubbed(said.message), quoted=self._scrubbed(said.quoted)
        )
        code = None if isinstance(error, Broken) else error.status_code
        failure = errors.judge(code, said, self._server)
        if inside and said.status is None and not said.codes:
            return dataclasses.replace(failure, what=one_line(said.message))
        return failure

    def _when(
        self, failure: errors.Failure, error: openai.APIStatusError | Broken
    ) -> tuple[errors.Failure, float | None]:
        """How long to wait, as the server asks; a wait that nobody sits out ends the run."""
        if isinstance(error, Broken):
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
        fix = failure.fix or self._correct
        return UserError(self._where, failure.what, fix)

    @property
    def _where(self) -> str:
        return f"{self._server.who} '{self._name}' at {self._server.base_url}"

    @property
    def _correct(self) -> str:
        return f"start the server, or correct {self._server.place}.base_url"

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
                self._where,
                f"every request failed: {self._last_failure}",
                f"check that the server runs and that {self._server.place}.base_url is right",
            )


def said_in(error: openai.APIStatusError) -> errors.Said:
    """Return what a server says of a failure with HTTP's status."""
    said = errors.said_of(error.response.content)
    return said if said.message else errors.said_of(error.body)


def _both(one: Usage, other: Usage) -> Usage:
    """What two replies took together; what neither tells is not known."""
    cost = _sum(one.cost, other.cost)
    return Usage(
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
    return f"{_REFUSED} ({one_line(str(why))})"
