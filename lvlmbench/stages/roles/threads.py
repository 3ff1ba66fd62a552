"""A request on its way to an outcome: what is asked next, given what came back so far."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from lvlmbench.stages.answer.engine import Item, Reply
from lvlmbench.stages.roles.replies import read_reply
from lvlmbench.stages.roles.request import Call, Form, Outcome, Request, Status
from lvlmbench.stages.roles.templates import Template

F = TypeVar("F", bound=Form)

#: Template that asks again, and its fields.
REPAIR = "repair"
REPAIR_FIELDS = ("prompt", "reply", "complaint")
#: Characters of a malformed reply that it is shown again.
REPLY_SHOWN = 4000

_CUT = "the reply was cut off at the limit of tokens; be as short as the task allows"


class Thread(Generic[F]):
    """Asks one request until a reply is good, or has been malformed too often.

    A malformed reply is asked for again with what is wrong with it, then afresh, in turn. What is
    asked again is the first prompt with the last reply: it does not grow with the calls.

    Parameters
    ----------
    repairs
        How often a malformed reply is asked for again at most.
    repair
        Template of what asks again.
    hash_of
        Gives the key of the answer cache.

    Attributes
    ----------
    item, sha256
        What is asked next, and its hash.
    left
        Calls that may still be made; 0: there is an outcome.
    """

    def __init__(
        self, request: Request[F], repairs: int, repair: Template, hash_of: Callable[[Item], str]
    ) -> None:
        self.request = request
        self._repair, self._hash_of = repair, hash_of
        self._calls: list[Call] = []
        self._value: F | None = None
        self.left = 1 + repairs
        self._next(request.template, request.prompt)

    def _next(self, template: str, prompt: str) -> None:
        """Ask this next; an engine that gives it one reply only is not asked for another."""
        self._template = template
        self.item = self.request.as_item(prompt, self._fresh)
        self.sha256 = self._hash_of(self.item)
        if any(call.request_sha256 == self.sha256 for call in self._calls):
            self.left = 0

    @property
    def _fresh(self) -> int:
        """Attempts that began afresh after the first one."""
        return len(self._calls) // 2

    def take(self, reply: Reply) -> None:
        """Take the reply to what was asked."""
        status, complaint = self._judge(reply)
        self._calls.append(Call(self.sha256, self._template, reply, status, complaint))
        self.left = self.left - 1 if status == "malformed" else 0
        if not self.left:
            return
        if len(self._calls) % 2:
            fields = {"prompt": self.request.prompt, "complaint": complaint}
            prompt = self._repair.render(fields, {"reply": reply.text[:REPLY_SHOWN]})
            self._next(f"{self.request.template}, {self._repair.label}", prompt)
        else:
            self._next(self.request.template, self.request.prompt)

    def _judge(self, reply: Reply) -> tuple[Status, str | None]:
        if reply.status == "truncated":
            return "malformed", _CUT
        if reply.status != "answered":
            return reply.status, reply.error
        self._value, complaint = read_reply(reply.text, self.request.schema, self.request.check)
        return ("answered", None) if complaint is None else ("malformed", complaint)

    def outcome(self) -> Outcome[F]:
        """Return what came of it."""
        return Outcome(self.request, self._value, tuple(self._calls))
