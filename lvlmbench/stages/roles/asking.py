"""Ask a model in a role: all requests at once, those with malformed replies again."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lvlmbench.core.errors import UserError
from lvlmbench.core.untrusted import one_line
from lvlmbench.stages.answer.answering import answer_items
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import Item, Model, Picture, Reply, Schema
from lvlmbench.stages.answer.requests.cache import AnswerCache
from lvlmbench.stages.requests.budget import Budget
from lvlmbench.stages.roles.plan import plan_of
from lvlmbench.stages.roles.replies import Malformed, read, schema_text
from lvlmbench.stages.roles.request import Outcome, Request
from lvlmbench.stages.roles.templates import fenced

#: Characters of a malformed reply that the next prompt shows.
_SHOWN = 4000
_REPAIR = """{prompt}
Your reply to this was:

{reply}

It cannot be used: {complaint}. Reply again, with the JSON object alone.
"""


@dataclasses.dataclass(frozen=True)
class _Call:
    """One call of a request: what is sent, and in which turn."""

    request: Request
    prompt: str
    turn: int = 0
    before: frozenset[str] = frozenset()  # hashes of the calls before it

    def item(self) -> Item:
        images = [Picture(i, hashlib.sha256(i).hexdigest()) for i in self.request.images]
        first = images[0] if images else None
        schema = schema_text(self.request.form)
        return Item(
            question_id=f"{self.request.request_id}/{self.turn}",
            scene_id=self.request.item,
            subtask=self.request.template.purpose,
            question_type="",
            question="",
            options=(),
            prompt=self.prompt,
            image=first.file if first else None,
            image_id=None,
            image_sha256=first.sha256 if first else None,
            further=tuple(images[1:]),
            schema=Schema(self.request.template.purpose, schema),
            attempt=self.turn // 2,
        )

    def next(self, reply: str, complaint: str, request_sha256: str) -> _Call:
        """What is asked after a malformed reply: to mend it, then afresh, and so on.

        A prompt holds one repair at most, so it does not grow.
        """
        turn, prompt = self.turn + 1, self.request.prompt
        if turn % 2:
            shown = fenced(reply[:_SHOWN])
            prompt = _REPAIR.format(prompt=prompt, reply=shown, complaint=complaint)
        return _Call(self.request, prompt, turn, self.before | {request_sha256})


class Asker:
    """One model in a role.

    Parameters
    ----------
    name
        Of the role's item, in messages.
    repairs
        How often a malformed reply is asked for again.
    cache
        File of the answer cache.
    budget
        What may be spent, if that is limited or counted.
    endpoint
        Says what tokens cost, if anything does.
    """

    def __init__(
        self,
        model: Model,
        name: str,
        repairs: int,
        cache: Path,
        budget: Budget | None = None,
        endpoint: Endpoint | None = None,
    ) -> None:
        self._model, self._name, self._repairs = model, name, repairs
        self._path, self._budget, self._endpoint = cache, budget, endpoint
        #: Rows of the table ``requests`` as they came, without the columns that name an answer.
        self.rows: list[dict[str, Any]] = []

    def ask(self, requests: Sequence[Request]) -> list[Outcome]:
        """Return what became of each request, in their order.

        What there is to ask and what it may cost is told in a line on standard error, before
        anything is asked.

        Raises
        ------
        UserError
            The model cannot be asked, or its budget is reached; what was answered is kept. It is
            to be shown several images, and shows one.
        """
        if any(len(request.images) > 1 for request in requests):
            self._check_several()
        found: dict[int, Outcome] = {}
        calls = {n: _Call(request, request.prompt) for n, request in enumerate(requests)}
        with self._cache() as cache:
            while known := self._known(calls, cache):
                calls = self._settle(calls, known, found)
            self._tell_plan(requests, calls, cache)
            while calls:
                items = [call.item() for call in calls.values()]
                replies = self._replies(items, cache, max(c.turn for c in calls.values()))
                calls = self._settle(calls, dict(zip(calls, replies, strict=True)), found)
        return [found[n] for n in range(len(requests))]

    def _check_several(self) -> None:
        if not getattr(self._model, "several", False):
            what = "is to be shown several images, and its engine shows one"
            raise UserError(self._name, what, "name an engine that shows several")

    def _known(self, calls: Mapping[int, _Call], cache: AnswerCache | None) -> dict[int, Reply]:
        """Replies that are there already."""
        if cache is None or not calls:
            return {}
        hashes = {n: self._model.request_sha256(call.item()) for n, call in calls.items()}
        known = cache.get([*dict.fromkeys(hashes.values())])
        return {n: known[sha256] for n, sha256 in hashes.items() if sha256 in known}

    def _settle(
        self, calls: Mapping[int, _Call], replies: Mapping[int, Reply], found: dict[int, Outcome]
    ) -> dict[int, _Call]:
        """Read replies; what is decided is found, and the rest is still to be asked."""
        left = {n: call for n, call in calls.items() if n not in replies}
        for n, reply in replies.items():
            call = calls[n]
            item, outcome = call.item(), _outcome(call, reply)
            row = self._row(call, item, reply, outcome)
            self.rows.append(row)
            found[n] = outcome
            if outcome.status == "malformed" and call.turn < self._repairs:
                more = call.next(reply.text, outcome.why or "", row["request_sha256"])
                # An engine that knows of no attempts would only repeat itself.
                if self._model.request_sha256(more.item()) not in more.before:
                    left[n] = more
        return left

    def _tell_plan(
        self, requests: Sequence[Request], calls: Mapping[int, _Call], cache: AnswerCache | None
    ) -> None:
        if not calls:
            return
        purposes = dict.fromkeys(request.template.purpose for request in requests)
        asked = {}
        for n, call in calls.items():
            item = call.item()
            # Equal requests are one, where replies are kept.
            key = str(n) if cache is None else self._model.request_sha256(item)
            asked[key] = item, 1 + self._repairs - call.turn
        plan = plan_of(
            f"{self._name}: {', '.join(purposes)}",
            len(requests),
            len(requests) - len(calls),
            list(asked.values()),
            self._endpoint,
        )
        print(plan.line, file=sys.stderr)

    @contextmanager
    def _cache(self) -> Iterator[AnswerCache | None]:
        if not self._model.cached:
            yield None
            return
        with AnswerCache(self._path) as cache:
            yield cache

    def _replies(self, items: Sequence[Item], cache: AnswerCache | None, turn: int) -> list[Reply]:
        label = self._name + (f" (again: {turn})" if turn else "")
        return answer_items(self._model, items, cache, label, self._budget)

    def _row(self, call: _Call, item: Item, reply: Reply, outcome: Outcome) -> dict[str, Any]:
        template = call.request.template
        schema = item.schema.text if item.schema else ""
        came = reply.status not in ("error", "timeout")
        return {
            "request_id": call.request.request_id,
            "call": call.turn,
            "purpose": template.purpose,
            "item": call.request.item,
            "round": call.request.round,
            "template": template.name,
            "template_sha256": template.sha256,
            "schema_sha256": hashlib.sha256(schema.encode()).hexdigest(),
            "request_sha256": self._model.request_sha256(item),
            "parameters": json.dumps(self._model.parameters, sort_keys=True),
            "served_model": reply.served_model,
            "structured": (reply.structured or "text") if came else None,
            "reply": reply.text if came else None,
            "status": outcome.status,
            "complaint": outcome.why,
            **{
                name: getattr(reply, name)
                for name in ("attempts", "prompt_tokens", "completion_tokens", "cost_usd",
                             "latency_s")
            },
        }  # fmt: skip


def _outcome(call: _Call, reply: Reply) -> Outcome:
    """What a reply says, or why it says nothing."""
    if reply.status in ("refused", "error", "timeout"):
        return Outcome(reply.status, why=reply.error or one_line(reply.text) or reply.status)
    if reply.status == "truncated":
        return Outcome("malformed", why="the reply was cut off at the limit of tokens")
    try:
        return Outcome("answered", read(reply.text, call.request.form, call.request.check))
    except Malformed as wrong:
        return Outcome("malformed", why=str(wrong))
