"""What a model with a role is asked, and what came of it."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, Literal, TypeAlias, TypeVar

from pydantic import BaseModel, ConfigDict

from lvlmbench.core.seeding import item_id
from lvlmbench.stages.answer.engine import Item, Picture, Reply, Schema

#: What may come of a call. A reply that was cut off is malformed.
Status: TypeAlias = Literal["answered", "refused", "error", "timeout", "malformed"]


class Form(BaseModel):
    """What a reply must look like: no key but these, all of them there, no type turned to another.

    Give its fields no defaults: servers hold replies to a schema only where it requires each key.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


F = TypeVar("F", bound=Form)


@cache
def schema_of(form: type[Form]) -> Schema:
    """Return the JSON schema of a form, in one line that does not depend on Python's hashing."""
    schema = _without_titles(form.model_json_schema())
    return Schema(form.__name__.lower(), json.dumps(schema, sort_keys=True))


def _without_titles(value: Any) -> Any:
    """Leave out what repeats the keys."""
    if isinstance(value, list):
        return [_without_titles(each) for each in value]
    if not isinstance(value, dict):
        return value
    kept = {k: v for k, v in value.items() if not (k == "title" and isinstance(v, str))}
    kept.pop("description", None) if isinstance(kept.get("description"), str) else None
    return {key: _without_titles(each) for key, each in kept.items()}


@dataclass(frozen=True)
class Request(Generic[F]):
    """One thing that a model is asked.

    Attributes
    ----------
    purpose, item, round
        What for, about what (any name), and the how manieth time about it, e.g. of a pair's two
        orders; together they name the request.
    template
        Label of the template that made ``prompt``.
    schema
        Form of the reply.
    check
        Says in one line what is wrong with a reply that has the form; None: nothing is.
    """

    purpose: str
    item: str
    round: int
    template: str
    prompt: str
    schema: type[F]
    check: Callable[[F], str | None]
    images: tuple[bytes, ...] = field(default=(), repr=False)

    @property
    def request_id(self) -> str:
        """32 hexadecimal digits that name it within its purpose."""
        return item_id("request", self.purpose, self.item, self.round)

    def as_item(self, prompt: str | None = None, attempt: int = 0) -> Item:
        """Return it as engines are asked, with another prompt or as another attempt."""
        pictures = [Picture(image, hashlib.sha256(image).hexdigest()) for image in self.images]
        first = pictures[0] if pictures else None
        return Item(
            question_id=self.request_id,
            scene_id=self.item,
            subtask=self.purpose,
            question_type="free_form",
            question="",
            options=(),
            prompt=self.prompt if prompt is None else prompt,
            image=first and first.file,
            image_id=None,
            image_sha256=first and first.sha256,
            further=tuple(pictures[1:]),
            schema=schema_of(self.schema),
            attempt=attempt,
        )


@dataclass(frozen=True)
class Call:
    """One time that a request was asked.

    Attributes
    ----------
    request_sha256
        Key of the answer cache; calls that agree in it are one, paid once.
    status, complaint
        What came of it, and what is wrong with the reply, or what failed.
    template
        Labels of the templates that the prompt was made with.
    """

    request_sha256: str
    template: str
    reply: Reply
    status: Status
    complaint: str | None


@dataclass(frozen=True)
class Outcome(Generic[F]):
    """What came of a request.

    Attributes
    ----------
    value
        The reply; None where there is none that has the form and passes the check.
    calls
        Each time that it was asked, in order; the last one decides.
    """

    request: Request[F]
    value: F | None
    calls: tuple[Call, ...]

    @property
    def status(self) -> Status:
        """What came of the last call."""
        return self.calls[-1].status

    @property
    def complaint(self) -> str | None:
        """What is wrong with the last reply, or what failed."""
        return self.calls[-1].complaint

    @property
    def reply(self) -> Reply:
        """The last reply, with the attempts, tokens, dollars and seconds of all calls."""
        replies = [call.reply for call in self.calls]
        names = ("attempts", "prompt_tokens", "completion_tokens", "cost_usd", "latency_s")
        pairs = {name: [getattr(reply, name) for reply in replies] for name in names}
        sums = {name: sum(found) for name, found in pairs.items() if None not in found}
        return dataclasses.replace(replies[-1], **sums)
