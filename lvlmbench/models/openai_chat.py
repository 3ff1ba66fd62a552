"""Any server that speaks the OpenAI chat-completions protocol, asked concurrently.

The key is read from the environment variable that the parameters name, just before something is
asked, and goes nowhere but into the request's header: server messages are searched for it before
they reach a log or a table.
"""

from __future__ import annotations

import asyncio
import dataclasses
import itertools
import json
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from lvlmbench.config import Params
from lvlmbench.config.models import Endpoint
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.errors import UserError
from lvlmbench.models import chat_protocol as protocol
from lvlmbench.models.base import MODELS, Item, Model, Reply, Weights, request_hash
from lvlmbench.models.retry import LONGEST_RETRY_AFTER_S, Gate, backoff, retry_after

if TYPE_CHECKING:
    import openai

#: Keys shorter than this ("EMPTY", "none") are placeholders, and words that answers hold.
_SHORTEST_SECRET = 12


def read_key(name: str, endpoint: Endpoint) -> str | None:
    """The key for an endpoint; None where it needs none.

    Raises
    ------
    UserError
        The variable is unset or empty, or holds what cannot be a key. The message names the
        variable and never shows its value.
    """
    variable = endpoint.api_key_env
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    where = f"model '{name}': environment variable {variable}"
    if not key:
        fix = f"export {variable}=<your key>, or set endpoint.api_key_env to null for a server "
        raise UserError(where, "is not set", fix + "without keys")
    if not (key.isascii() and key.isprintable() and " " not in key):
        raise UserError(where, "holds characters that no key has", "set it to the key alone")
    return key


class OpenAIChat:
    """Engine ``openai_chat``."""

    cached = True

    def __init__(self, name: str, endpoint: Endpoint) -> None:
        self.name, self.endpoint = name, endpoint

    @property
    def parameters(self) -> Mapping[str, object]:
        """Server, model and decoding parameters."""
        return {
            "base_url": self.endpoint.base_url.rstrip("/"),
            "model": self.endpoint.model,
            "detail": self.endpoint.image_detail,
            **protocol.sampling_fields(self.endpoint),
        }

    def request_sha256(self, item: Item) -> str:
        """Server, model, decoding parameters, prompt, and the image by its bytes."""
        sent = json.dumps(self.parameters, sort_keys=True)
        return request_hash("openai_chat", sent, item.prompt, item.image_sha256 or "")

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        """Replies as they arrive, at most ``endpoint.concurrency`` requests in flight.

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
        source = itertools.chain([first], source)
        pending: set[asyncio.Task[tuple[Item, Reply]]] = set()
        with asyncio.Runner() as runner:
            client = _Client(self, key)
            try:
                while True:
                    room = self.endpoint.concurrency - len(pending)
                    for item in itertools.islice(source, room):
                        pending.add(runner.get_loop().create_task(client.ask(item)))
                    if not pending:
                        break
                    done, pending = runner.run(_first_of(pending))
                    # What was paid for is handed out before a failure of another ends the run.
                    for task in sorted(done, key=lambda t: t.exception() is not None):
                        yield task.result()
            finally:
                runner.run(client.close(pending))
            client.raise_if_nothing_connected()


async def _first_of(
    pending: set[asyncio.Task[tuple[Item, Reply]]],
) -> tuple[set[asyncio.Task[tuple[Item, Reply]]], set[asyncio.Task[tuple[Item, Reply]]]]:
    return await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)


class _Client:
    """The requests of one run: shared pause, shared knowledge about the server."""

    def __init__(self, model: OpenAIChat, key: str | None) -> None:
        import openai

        self._name, self._endpoint, self._key = model.name, model.endpoint, key
        self._fields = protocol.sampling_fields(model.endpoint)
        self._gate = Gate()
        self._responses = self._unconnected = 0
        self._last_failure = ""
        self._api = openai.AsyncOpenAI(
            api_key=key or "none",
            base_url=model.endpoint.base_url,
            timeout=model.endpoint.timeout_s,
            max_retries=0,  # retried here, where every attempt is counted and Retry-After shared
        )

    async def close(self, pending: set[asyncio.Task[tuple[Item, Reply]]]) -> None:
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        await self._api.close()

    async def ask(self, item: Item) -> tuple[Item, Reply]:
        """Ask until there is a reply, a failure that no retry mends, or no retry left."""
        conversation = protocol.messages(item, self._endpoint.image_detail)
        attempt = 0
        while True:
            await self._gate.passed()
            attempt += 1
            began = time.monotonic()
            try:
                async with asyncio.timeout(self._endpoint.timeout_s):
                    raw = await self._send(conversation)
                self._responses += 1
                reply = protocol.read_reply(json.loads(raw), self._endpoint.price_per_million)
                reply = dataclasses.replace(reply, text=self._scrubbed(reply.text))
            except Exception as error:
                failure, wait = self._judge(error)
                if failure.action == "stop":
                    raise self._stopped(failure) from None
                if failure.action == "retry" and attempt <= self._endpoint.retries:
                    if wait is not None:
                        self._hold(wait, failure)
                    await asyncio.sleep(backoff(item.question_id, attempt))
                    continue
                if failure.what == _REFUSED:
                    raise self._stopped(failure) from None
                reply = Reply(text="", status=failure.status, error=failure.what)
            seconds = round(time.monotonic() - began, 3)
            return item, dataclasses.replace(reply, latency_s=seconds, attempts=attempt)

    async def _send(self, conversation: list[dict[str, Any]]) -> bytes:
        import openai

        fields = self._fields
        try:
            return await self._post(conversation, fields)
        except openai.BadRequestError as error:
            # Some newer models take the limit under its newer name only.
            if error.param != "max_tokens" or "max_tokens" not in fields:
                raise
            limit = self._endpoint.sampling.max_tokens
            renamed = {k: v for k, v in fields.items() if k != "max_tokens"}
            self._fields = {**renamed, "max_completion_tokens": limit}
            return await self._post(conversation, self._fields)

    async def _post(self, conversation: list[dict[str, Any]], fields: dict[str, Any]) -> bytes:
        send: Any = self._api.chat.completions.with_raw_response.create
        raw = await send(model=self._endpoint.model, messages=conversation, **fields)
        content: bytes = raw.http_response.content
        return content

    def _judge(self, error: Exception) -> tuple[protocol.Failure, float | None]:
        """What a failure means, and how long the server asks to wait."""
        import openai

        if isinstance(error, openai.APIStatusError):
            self._responses += 1
            message = protocol.one_line(self._scrubbed(_message_of(error)))
            failure = protocol.judge_status(
                error.status_code, error.code or "", message, self._endpoint
            )
            wait = retry_after(error.response.headers)
            if failure.action == "retry" and wait is not None and wait > LONGEST_RETRY_AFTER_S:
                what = f"{failure.what} (the server asks to wait {wait:.0f} s)"
                failure = protocol.Failure("row", "error", what)
            return failure, wait
        if isinstance(error, openai.APITimeoutError | TimeoutError):
            what = f"no reply within {self._endpoint.timeout_s:g} s"
            return protocol.Failure("retry", "timeout", what), None
        if isinstance(error, openai.APIConnectionError):
            # httpx raises ConnectError where nothing listens or the name is unknown; everything
            # else happened to a link that had been there.
            refused = type(error.__cause__).__name__ == "ConnectError"
            what = _REFUSED if refused else "the connection broke"
            fix = "start the server, or correct endpoint.base_url"
            action = "stop" if refused and not self._responses else "retry"
            self._unconnected += 1
            self._last_failure = what
            return protocol.Failure(action, "error", what, fix), None  # type: ignore[arg-type]
        if isinstance(error, ValueError):  # a reply that is not JSON, or not a chat completion
            what = protocol.one_line(self._scrubbed(str(error)))
            if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
                what = "the reply is not JSON"
            return protocol.Failure("row", "error", what), None
        raise error

    def _stopped(self, failure: protocol.Failure) -> UserError:
        fix = failure.fix or "start the server, or correct endpoint.base_url"
        return UserError(f"model '{self._name}' at {self._endpoint.base_url}", failure.what, fix)

    def _hold(self, seconds: float, failure: protocol.Failure) -> None:
        self._gate.close_for(seconds)
        if seconds >= 5:  # or the run would look hung
            print(f"{self._name}: waiting {seconds:.0f} s ({failure.what})", file=sys.stderr)

    def _scrubbed(self, text: str) -> str:
        key = self._key
        return text.replace(key, "[key]") if key and len(key) >= _SHORTEST_SECRET else text

    def raise_if_nothing_connected(self) -> None:
        """One line instead of a shard full of rows that say the server was not there."""
        if self._unconnected and not self._responses:
            raise UserError(
                f"model '{self._name}' at {self._endpoint.base_url}",
                f"every request failed: {self._last_failure}",
                "check that the server runs and that endpoint.base_url is right",
            )


_REFUSED = "cannot connect"


def _message_of(error: openai.APIStatusError) -> str:
    """The server's own words; the package's message would repeat the whole body."""
    body = error.body
    if isinstance(body, dict):
        for value in (body.get("message"), body.get("detail"), body.get("error")):
            if isinstance(value, str):
                return value
    return body if isinstance(body, str) else ""


@MODELS.register("openai_chat")
def make(params: Params, model: ModelParams, weights: Weights) -> Model:
    """Engine ``openai_chat``: needs ``endpoint``."""
    if model.endpoint is None:  # the configuration's own check comes first; outside callers
        raise UserError(f"model '{model.name}'", "has no endpoint", "add 'endpoint' to it")
    return OpenAIChat(model.name, model.endpoint)
