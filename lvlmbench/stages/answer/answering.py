"""From images and questions to the answers table."""

from __future__ import annotations

import dataclasses
import json
import reprlib
import sys
from collections.abc import Container, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import get_args

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.core.amounts import amount
from lvlmbench.core.blame import source_of
from lvlmbench.core.errors import UserError, meant_or
from lvlmbench.snapshot.kept import kept_scenes
from lvlmbench.stages.answer.asking_on import AskingOn
from lvlmbench.stages.answer.dialogue import panels_of, turns_of
from lvlmbench.stages.answer.engine import Item, Model, Reply, Schema, Status
from lvlmbench.stages.answer.requests.cache import AnswerCache
from lvlmbench.stages.answer.requests.progress import Progress
from lvlmbench.stages.replies.answer_text import read_parts
from lvlmbench.stages.requests.budget import Budget
from lvlmbench.suites.instructions import Prompts, Schemas

#: What make_items reads of a question.
_SHOWN = (
    "question_id", "scene_id", "subtask", "question_type", "question", "options", "replaced",
    "program", "turns", "panels",
)  # fmt: skip


def make_items(
    images: pa.Table,
    verdicts: pa.Table,
    questions: pa.Table,
    filters: Sequence[str],
    prompts: Prompts,
    schemas: Schemas | None = None,
) -> list[Item]:
    """Return what a suite asks, in the order of ``questions``, each with its image.

    An image that belongs to a question (print attack) is shown with that question alone, any
    other with every question about its scene; where a scene has several images, each question is
    asked with each of them. Filters judge the clean image: a scene that they keep is asked about
    in every scenario. Questions without an image in this scenario are not asked.
    """
    kept = set(kept_scenes(images["scene_id"], verdicts, filters).to_pylist())
    by_question, by_scene = _linked(images, kept)
    ids = images["image_id"].to_pylist()
    sha256 = images["sha256"].to_pylist()
    pictures = pc.struct_field(images["image"], "bytes")  # null where the struct is
    # One copy of an image for all its questions: a shard's copies may come to gigabytes.
    held: dict[int, bytes | None] = {}
    items = []
    orders = images["order"].to_pylist()
    for values in zip(*(questions[name].to_pylist() for name in _SHOWN), strict=True):
        question_id, scene_id, subtask, question_type, question, its_own, replaced = values[:7]
        program, turns, panels = values[7:]
        schema = None if schemas is None else schemas(question_type, subtask)
        for found in by_question.get(question_id, by_scene.get(scene_id, [])):
            options = tables.offered(its_own or (), replaced, orders[found])
            if found not in held:
                held[found] = pictures[found].as_py()
            items.append(
                Item(
                    question_id=question_id,
                    scene_id=scene_id,
                    subtask=subtask,
                    question_type=question_type,
                    question=question,
                    options=tuple(options),
                    prompt=prompts(question_type, question, options),
                    image=held[found],
                    image_id=ids[found],
                    image_sha256=sha256[found],
                    program=program,
                    schema=None if schema is None else Schema("description", schema),
                    turns=turns_of(turns),
                    panels=panels_of(panels),
                )
            )
    return items


def _linked(
    images: pa.Table, kept: Container[str]
) -> tuple[dict[str, list[int]], dict[str, list[int]]]:
    """Rows of the images that belong to each question, and of the others of each scene."""
    by_question: dict[str, list[int]] = {}
    by_scene: dict[str, list[int]] = {}
    links = zip(images["scene_id"].to_pylist(), images["question_id"].to_pylist(), strict=True)
    for row, (scene_id, question_id) in enumerate(links):
        if scene_id not in kept:
            continue
        if question_id is not None:
            by_question.setdefault(question_id, []).append(row)
        else:
            by_scene.setdefault(scene_id, []).append(row)
    return by_question, by_scene


def answer_items(
    model: Model,
    items: Sequence[Item],
    cache: AnswerCache | None,
    label: str,
    budget: Budget | None = None,
) -> list[Reply]:
    """One reply for each item, in the items' order.

    What the cache knows is not asked, and equal requests are one; each reply goes to the cache as
    it arrives, before anything else is done with it. Once the budget is reached nothing more is
    asked, but what is under way is waited for and kept.

    Raises
    ------
    UserError
        Too many questions in a row failed, or the server rejects every request
        (:mod:`lvlmbench.stages.answer.asking_on`).

        The budget is reached and questions are left, or the server does not tell what it takes.
    """
    use = cache if model.cached else None
    # Equal requests (a question without its image may be another's, word for word) are one request.
    requests = {i.key: _request(model, i) if use is not None else repr(i.key) for i in items}
    to_ask: dict[str, Item] = {}
    for item in items:
        to_ask.setdefault(requests[item.key], item)
    replies = _known(use, to_ask, label)
    left = [item for request, item in to_ask.items() if request not in replies]
    asking = AskingOn(label, len(to_ask), len(replies), budget)
    progress = Progress(
        label,
        total=len(to_ask),
        known=len(replies),
        note=lambda: getattr(model, "note", ""),
        budget=lambda: budget.state if budget is not None else "",
        served=getattr(model, "served", False),
    )
    with progress:
        first = len(left)
        while left:
            with _closing(model, model.answer(asking.feed(left))) as coming:
                for given in coming:
                    item, reply = _checked(model, given, requests, replies)
                    if use is not None:
                        use.put(requests[item.key], reply)
                    replies[requests[item.key]] = reply
                    progress.add(reply)
                    asking.add(item, reply)
            before, left = len(left), [i for i in left if requests[i.key] not in replies]
            asking.check(len(left))
            if len(left) == before:
                again = ", though asked again" if before < first else ""
                what = f"gives no reply for {amount(before, 'item')} that it was asked{again}"
                raise UserError(_place(model), what, _FIX)
    return [replies[requests[item.key]] for item in items]


def _known(use: AnswerCache | None, to_ask: Mapping[str, Item], label: str) -> dict[str, Reply]:
    """Replies that are kept; how many are none is told."""
    if use is None:
        return {}
    replies = use.get(list(to_ask))
    if broken := len(use.broken & to_ask.keys()):
        what = f"{amount(broken, 'kept reply', 'kept replies')} had ended in an error of the server"
        print(f"{label}: {what}: asked again", file=sys.stderr)
    return replies


#: What to do where an engine gives what nobody can use.
_FIX = "yield (item, Reply(text=..., status='answered')) for each item: docs/models.md"


def _checked(
    model: Model,
    given: object,
    requests: Mapping[tuple[str, str | None], str],
    replied: Container[str],
) -> tuple[Item, Reply]:
    """What an engine has given: an item that it was asked and has not ``replied`` to, and a reply.

    Raises
    ------
    UserError
        It is something else.
    """
    if not (
        isinstance(given, tuple)
        and len(given) == 2
        and isinstance(given[0], Item)
        and isinstance(given[1], Reply)
        and given[0].key in requests
    ):
        what = f"gives {reprlib.repr(given)}: no pair of an item that was asked and a Reply"
        raise UserError(_place(model), what, _FIX)
    reply: Reply = given[1]
    if not isinstance(reply.text, str):
        what = f"gives a Reply whose text is {reply.text!r}, which is no text"
        raise UserError(_place(model), what, _FIX)
    if reply.status not in get_args(Status):
        what = f"gives a Reply with the status {reply.status!r}"
        raise UserError(_place(model), what, meant_or(str(reply.status), get_args(Status)))
    if requests[given[0].key] in replied:
        what = "gives a second reply for an item that it has answered"
        raise UserError(_place(model), what, _FIX)
    return given


def _request(model: Model, item: Item) -> str:
    """What an engine calls the request for an item.

    Raises
    ------
    UserError
        It is no text.
    """
    found: object = model.request_sha256(item)
    if isinstance(found, str) and found:
        return found
    what, fix = f"gives {found!r}, which is no text", "return request_hash(...): docs/models.md"
    raise UserError(_place(model, "request_sha256"), what, fix)


def _place(model: Model, method: str = "answer") -> str:
    """Where the mistakes of an engine are told."""
    return f"{source_of(type(model))}: {type(model).__name__}.{method}"


@contextmanager
def _closing(
    model: Model, coming: Iterable[tuple[Item, Reply]]
) -> Iterator[Iterable[tuple[Item, Reply]]]:
    """Have an engine's requests end with the block, not when the engine is collected."""
    if not isinstance(coming, Iterable):
        what = f"returns {coming!r}, which holds no answers"
        raise UserError(_place(model), what, "yield (item, Reply(...)): docs/models.md")
    try:
        yield coming
    finally:
        if isinstance(coming, Generator):
            coming.close()


def answer_rows(
    model: Model,
    items: Sequence[Item],
    cache: AnswerCache | None,
    name: str,
    scenario: str,
    budget: Budget | None = None,
) -> list[dict[str, object]]:
    """Rows of the answers table, one an item, in the items' order; see :func:`answer_items`.

    An answer that was cut off is asked for again with more room, where the model has it. What that
    took is added to what the first one took. ``text`` is the answer in the reply
    (:func:`lvlmbench.stages.replies.answer_text.final_answer`), ``reply`` what came, where that is
    more.
    """
    label = f"{name}/{scenario}"
    replies = answer_items(model, items, cache, label, budget)
    askers = [model] * len(items)
    cut = [i for i, reply in enumerate(replies) if reply.status == "truncated"]
    again: Model | None = getattr(model, "again", None) if cut else None
    if again is not None:
        second = answer_items(again, [items[i] for i in cut], cache, f"{label} (cut off)", budget)
        for i, reply in zip(cut, second, strict=True):
            replies[i], askers[i] = _with_costs(reply, replies[i]), again
    parameters = {id(m): json.dumps(m.parameters, sort_keys=True) for m in (model, again) if m}
    return [
        {
            "model": name,
            "scenario": scenario,
            "question_id": item.question_id,
            "image_id": item.image_id,
            "image_sha256": item.image_sha256,
            "request_sha256": _request(asker, item),
            "prompt": item.prompt,
            "parameters": parameters[id(asker)],
            **{k: v for k, v in vars(reply).items() if k in tables.ANSWERS.names},
            **said_in(reply.text, reply.reasoning, item.prompt),
        }
        for item, reply, asker in zip(items, replies, askers, strict=True)
    ]


def said_in(reply: str, reasoning: str | None, prompt: str | None) -> dict[str, str | None]:
    """Return the columns ``text``, ``reasoning`` and ``reply`` of a reply to a prompt."""
    parts = read_parts(reply, prompt)
    whole = parts.thought is None and parts.answer.strip() == reply.strip()
    return {
        "text": reply if whole else parts.answer,
        "reasoning": "\n".join(part for part in (reasoning, parts.thought) if part) or None,
        "reply": None if whole else reply,
    }


def _with_costs(reply: Reply, before: Reply) -> Reply:
    """A reply with the requests, tokens, dollars and seconds that the one before it took, too."""
    pairs = {
        name: [getattr(r, name) for r in (before, reply)]
        for name in ("attempts", "prompt_tokens", "completion_tokens", "cost_usd", "latency_s")
    }
    sums = {name: sum(found) for name, found in pairs.items() if None not in found}
    return dataclasses.replace(reply, **sums)
