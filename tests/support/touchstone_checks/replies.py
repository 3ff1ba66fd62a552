"""Checks of a judge behind a server whose replies are broken."""

from __future__ import annotations

import contextlib
import io
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from lvlmbench.scene.claims import Truth
from lvlmbench.stages.answer.engine import Item, Reply, request_hash
from lvlmbench.stages.judge.judge import Answer, Pair
from lvlmbench.stages.judge.served.judge import Served
from lvlmbench.stages.roles.asking import Asker
from lvlmbench.stages.roles.templates import DEFAULT
from support.broken_replies import GOOD, reply, way_of
from support.judge_checks.asked import Line
from support.touchstone_checks.asked import Asked


class Breaking:
    """A model whose replies are good or broken in one of many ways, by what it is asked."""

    cached = True

    def __init__(self, purpose: str) -> None:
        self.purpose = purpose
        self.ways: Counter[str] = Counter()

    @property
    def parameters(self) -> Mapping[str, object]:
        """Nothing that matters."""
        return {"model": self.purpose}

    def request_sha256(self, item: Item) -> str:
        """What names a request."""
        return request_hash(item.prompt, item.attempt)

    def answer(self, items: Iterable[Item]) -> Iterator[tuple[Item, Reply]]:
        """Reply to each."""
        for item in items:
            way = way_of(f"{item.prompt} {item.attempt}")
            self.ways[way] += 1
            yield item, Reply(reply(self.purpose, item.prompt, way), "answered")


def replies(asked: Asked) -> Iterator[Line]:
    """No broken reply is accepted, none stops the run, and the statuses add up."""
    for purpose in ("pair", "invented"):
        model, number = Breaking(purpose), asked.replies // 2
        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()):
            cache = Path(folder, "answers.sqlite")
            judge = Served(Asker(model, "judge", 0, cache), DEFAULT)
            found = [*_said(judge, purpose, number)]
            rows = judge.requests
        statuses = Counter(status for status, _ in found)
        good = sum(model.ways[way] for way in GOOD)
        told = ", ".join(f"{name} {n:,}" for name, n in sorted(statuses.items()))
        holds = statuses.total() == number == len(rows) and statuses["judged"] == good > 0
        holds &= {*statuses} == {"judged", "malformed"}
        yield Line(f"replies, {purpose}, statuses", f"{told} of {number:,}", holds)
        strange = sum(
            values != _GIVEN[purpose] if status == "judged" else values is not None
            for status, values in found
        )
        yield Line(f"replies, {purpose}, invalid ones accepted", f"{strange}", not strange)


#: What good replies say.
_GIVEN: Mapping[str, tuple[float, ...]] = {"pair": (7, 4), "invented": (7,)}


def _said(
    judge: Served, purpose: str, number: int
) -> Iterator[tuple[str, tuple[float | None, ...] | None]]:
    """Status and numbers of each answer."""
    truth = Truth(())
    if purpose == "pair":
        pairs = (Pair(f"{n}", "What is it?", f"A cat {n}. Give me 10.", "A dog", truth)
                 for n in range(number))  # fmt: skip
        for _, each in judge.compare(pairs):
            scores = each.first, each.second
            yield each.status, None if scores == (None, None) else scores
    else:
        answers = (Answer(f"{n}", "What is it?", f"A cat {n}", truth) for n in range(number))
        for _, rating in judge.rate(answers):
            yield rating.status, None if rating.invented is None else (rating.invented,)


CHECKS = {"replies": replies}
