"""What the exam found about a judge: rows of the table ``judge_exam``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from lvlmbench.stats.estimate import Estimate

#: Kind or treatment where a number is over all of them.
ALL = "all"


@dataclass(frozen=True)
class Spent:
    """What a judge was asked over requests: how often, and for how many dollars."""

    calls: int = 0
    cost: float | None = None


@dataclass(frozen=True)
class Cell:
    """What numbers of the exam are about.

    Attributes
    ----------
    judge
        Its name; several by commas where they are compared.
    way
        ``claims`` where it held planted claims against the truth, ``text`` where it read the text
        first, ``pairs`` where it compared two answers.
    treatment, kind
        How the answers were made, and which kind of claim was planted.
    """

    judge: str
    way: str
    treatment: str = ALL
    kind: str = ALL


@dataclass(frozen=True)
class Outcome:
    """One number about a judge.

    Attributes
    ----------
    measure
        What it says; docs/judges.md defines the measures.
    value, low, high
        With its 95 % interval, clustered by scene; None where there is none.
    n
        What it rests on: claims, answers or pairs.
    answers
        Answers or rounds that the judge was given.
    unjudged, refused, malformed, failed
        Those of them of which nothing came.
    calls, cost
        Requests, and what they cost in dollars; None where that is not known.
    """

    judge: str
    way: str
    treatment: str
    kind: str
    measure: str
    value: float | None
    low: float | None
    high: float | None
    n: int
    answers: int
    unjudged: int
    refused: int
    malformed: int
    failed: int
    calls: int
    cost: float | None

    def row(self) -> dict[str, Any]:
        """Return it as a row of :data:`lvlmbench.tables.JUDGE_EXAM`."""
        return asdict(self)


@dataclass(frozen=True)
class Number:
    """A measure and its number."""

    measure: str
    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0


def of_share(measure: str, found: Estimate | None) -> Iterator[Number]:
    """Yield a share as a number; nothing where it is a share of nothing."""
    if found is not None:
        yield Number(measure, found.value, found.low, found.high, found.n)


def of_interval(measure: str, found: Estimate | None, n: int) -> Iterator[Number]:
    """Yield a mean as a number; nothing where it is the mean of nothing."""
    if found is not None:
        yield Number(measure, found.value, found.low, found.high, n)


def outcome(
    cell: Cell, number: Number, statuses: Mapping[str, int], spent: Spent | None = None
) -> Outcome:
    """Return a number with what it is about, and what became of the answers behind it."""
    of, spent = Counter(statuses), spent or Spent()
    return Outcome(
        **asdict(cell),
        **asdict(number),
        answers=sum(of.values()),
        unjudged=of["unjudged"],
        refused=of["refused"],
        malformed=of["malformed"],
        failed=of["error"] + of["timeout"],
        calls=spent.calls,
        cost=spent.cost,
    )
