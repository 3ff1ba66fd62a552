"""Asking a model with a role: many requests at once, each until a reply has its form."""

from __future__ import annotations

import hashlib
import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from lvlmbench.config import Params
from lvlmbench.config.models import Model as ModelParams
from lvlmbench.core.errors import UserError
from lvlmbench.stages.answer.answering import answer_items
from lvlmbench.stages.answer.endpoint import Endpoint
from lvlmbench.stages.answer.engine import MODELS, Model, Weights
from lvlmbench.stages.answer.requests.budget import Budget
from lvlmbench.stages.answer.requests.cache import AnswerCache
from lvlmbench.stages.roles.plan import plan_of
from lvlmbench.stages.roles.request import Call, Form, Outcome, Request, schema_of
from lvlmbench.stages.roles.templates import Template, load_template
from lvlmbench.stages.roles.threads import REPAIR, REPAIR_FIELDS, Thread

F = TypeVar("F", bound=Form)


@dataclass(frozen=True)
class Means:
    """What whoever has a role is asked with.

    Attributes
    ----------
    cache
        Replies that are paid for; None: nothing is kept.
    repairs
        How often a malformed reply is asked for again at most.
    prompts
        Folder of templates that lie over the default ones.
    weights
        Folders of reference models.
    """

    cache: AnswerCache | None = None
    repairs: int = 2
    prompts: Path | None = None
    weights: Weights | None = None

    def template(self, purpose: str, fields: Iterable[str]) -> Template:
        """Return the template of a purpose; see :func:`~.templates.load_template`."""
        return load_template(purpose, frozenset(fields), self.prompts)


class RoleClient:
    """A model that has a role, and how it is asked.

    Parameters
    ----------
    given
        The model's parameters, under the name of whoever has the role.
    where
        Place of the parameters, for messages.

    Raises
    ------
    UserError
        The engine is not known, or a template is wrong.
    """

    def __init__(self, params: Params, given: ModelParams, means: Means, where: str) -> None:
        engine = MODELS.get(given.engine, f"{where}: {given.name}: engine")
        self.name, self._engine, self._means = given.name, given.engine, means
        self._where = f"{where}: {given.name}"
        self._model: Model = engine(params, given, means.weights or {})
        self._endpoint = given.find(Endpoint)
        self._cache = means.cache if self._model.cached else None
        self._budget = None if self._cache is None else Budget.of(given, self._cache.path)
        self._repair = means.template(REPAIR, REPAIR_FIELDS)

    def ask(self, requests: Sequence[Request[F]]) -> list[Outcome[F]]:
        """Return one outcome a request, in their order.

        What the cache knows is not asked. Before the first call, what there is to ask and what it
        may cost is told in a line on standard error.

        Raises
        ------
        UserError
            As :func:`~lvlmbench.stages.answer.answering.answer_items`; or there are several
            images, and the engine shows one.
        """
        if len({request.request_id for request in requests}) < len(requests):
            raise ValueError("a request is there twice")
        several = any(len(request.images) > 1 for request in requests)
        if several and not getattr(self._model, "several", False):
            what = f"the engine '{self._engine}' shows one image, and there are more to compare"
            raise UserError(self._where, what, "give an engine that shows several images")
        hash_of = self._model.request_sha256
        repairs, repair = self._means.repairs, self._repair
        threads = [Thread(request, repairs, repair, hash_of) for request in requests]
        self._take_known(threads)
        label = " ".join([self.name, *dict.fromkeys(request.purpose for request in requests)])
        self._tell_plan(label, threads)
        again = ""
        while left := [thread for thread in threads if thread.left]:
            items = [thread.item for thread in left]
            replies = answer_items(self._model, items, self._cache, label + again, self._budget)
            for thread, reply in zip(left, replies, strict=True):
                thread.take(reply)
            again = " (again)"
        return [thread.outcome() for thread in threads]

    def _take_known(self, threads: Sequence[Thread[F]]) -> None:
        """Take what the cache knows, for as long as it knows what is asked next."""
        left = list(threads) if self._cache is not None else []
        while left and self._cache is not None:
            known = self._cache.get(list({thread.sha256: None for thread in left}))
            left = [thread for thread in left if thread.sha256 in known]
            for thread in left:
                thread.take(known[thread.sha256])
            left = [thread for thread in left if thread.left]

    def _tell_plan(self, label: str, threads: Sequence[Thread[F]]) -> None:
        # Equal requests are one; what no cache keeps is asked each time.
        left = {
            thread.sha256 if self._cache is not None else thread.request.request_id: thread
            for thread in threads
            if thread.left
        }
        if left:
            asked = [(thread.item, thread.left) for thread in left.values()]
            known = sum(not thread.left for thread in threads)
            plan = plan_of(label, len(threads), known, asked, self._endpoint)
            print(plan.line, file=sys.stderr)

    def rows(self, outcomes: Iterable[Outcome[Any]]) -> list[dict[str, object]]:
        """Return rows of the table requests, one a call."""
        parameters = json.dumps(self._model.parameters, sort_keys=True)
        about = {"judge": self.name, "engine": self._engine, "parameters": parameters}
        return [
            about | _row(outcome.request, number, call)
            for outcome in outcomes
            for number, call in enumerate(outcome.calls)
        ]


def _row(request: Request[Any], number: int, call: Call) -> dict[str, object]:
    reply = call.reply
    said = call.status not in ("error", "timeout")
    kept = ("attempts", "prompt_tokens", "completion_tokens", "cost_usd", "latency_s")
    return {
        "request_id": request.request_id,
        "call": number,
        "purpose": request.purpose,
        "item": request.item,
        "round": request.round,
        "template": call.template,
        "schema": hashlib.sha256(schema_of(request.schema).text.encode()).hexdigest(),
        "served_model": reply.served_model,
        "structured": (reply.structured or "text") if said else None,
        "reply": reply.text if said else None,
        "status": call.status,
        "complaint": call.complaint,
        "request_sha256": call.request_sha256,
        **{name: getattr(reply, name) for name in kept},
    }


def spent(rows: Iterable[Mapping[str, Any]]) -> float:
    """Return the US dollars that calls have cost: those that are one request were paid once."""
    return math.fsum({row["request_sha256"]: row["cost_usd"] or 0.0 for row in rows}.values())
