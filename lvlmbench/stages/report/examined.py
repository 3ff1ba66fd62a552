"""What the exam found about the judges, in the lines that the report shows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lvlmbench import tables
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.judge.exam.natural import NATURAL

#: How readers see the two ways in which claims are judged.
FROM_TEXT = "claims as read from the text"
_WAYS = {"claims": "claims as planted", "text": FROM_TEXT}
_ALL = "all"
#: Means that are shown as the judge has them, corrected, and in truth.
_NATURAL = ("made_up", "left_out", "found", "undecided")
_MEANS = ("faithfulness", "coverage")


@dataclass(frozen=True)
class Number:
    """A number of the exam, with its 95 % interval, and what it rests on."""

    value: float | None
    low: float | None
    high: float | None
    n: int

    def percent(self) -> Number:
        """Return a share in percent."""
        value, low, high = (p and 100 * p for p in (self.value, self.low, self.high))
        return Number(value, low, high, self.n)

    def rest(self) -> Number:
        """Return what a share in percent leaves of the whole."""
        value, low, high = (
            None if p is None else 100 - p for p in (self.value, self.high, self.low)
        )
        return Number(value, low, high, self.n)


@dataclass(frozen=True)
class Line:
    """One line of a table: what it is about, and its numbers by column, some of them missing."""

    words: str
    numbers: list[Number | None]
    measure: str = ""


@dataclass(frozen=True)
class Examined:
    """The exam of one judge.

    Attributes
    ----------
    kinds
        Way -> lines by kind of claim: sensitivity, specificity, recall.
    treatments
        Lines by treatment, as read from the text, by ``columns``.
    columns
        Headings of what some treatment has: faithfulness raw, corrected and exact; coverage
        likewise; share of answers that the treatment moved.
    pairs
        Lines by sort of pair: bias, consistency, share in which the better answer is preferred, or,
        of answers that are as good, one is.
    natural
        Lines about natural descriptions, over all and by style: what is called wrong and is, what
        is called left out and is, false statements that are found, what is left open.
    asked
        Answers and rounds that it was given, and what came of them other than a judgement.
    calls, cost
        Requests, and dollars where that is known.
    """

    judge: str
    kinds: dict[str, list[Line]]
    treatments: list[Line]
    columns: list[str]
    pairs: list[Line]
    natural: list[Line]
    asked: dict[str, int]
    calls: int
    cost: float | None


@dataclass(frozen=True)
class Exam:
    """All that the exam found: each judge, and how far several agree."""

    judges: list[Examined]
    agreement: list[Line]


def build(snapshot: Snapshot) -> Exam | None:
    """Return what the exam found; None where none was held."""
    rows = snapshot.read(tables.JUDGE_EXAM).to_pylist()
    if not any(row["n"] for row in rows):  # no judge, or no scene of which all is known
        return None
    names = [judge.name for judge in snapshot.params.judge.judges]
    judges = [_judge(name, [row for row in rows if row["judge"] == name]) for name in names]
    together = [row for row in rows if row["judge"] not in names]
    lines = [Line(row["judge"], [_number(row)], row["measure"]) for row in together]
    return Exam(judges, lines)


def _number(row: Mapping[str, Any]) -> Number:
    return Number(row["value"], row["low"], row["high"], row["n"])


def _judge(name: str, rows: list[dict[str, Any]]) -> Examined:
    by_cell: dict[tuple[str, str, str], dict[str, Number]] = {}
    for row in rows:
        cell = by_cell.setdefault((row["way"], row["treatment"], row["kind"]), {})
        cell[row["measure"]] = _number(row)
    kinds = {
        words: [
            Line(kind, _shares(found, ("sensitivity", "specificity", "recall")))
            for (where, treatment, kind), found in by_cell.items()
            if (where, treatment) == (way, _ALL)
        ]
        for way, words in _WAYS.items()
    }
    means = {
        f"{how}{mean}": words or mean.capitalize()
        for mean in _MEANS
        for how, words in (("", ""), ("corrected_", "Corrected"), ("true_", "Exact"))
    } | {"moved": "Moved"}
    natural = [
        Line(kind, _shares(found, _NATURAL)) for (_, treatment, kind), found in by_cell.items()
        if treatment == NATURAL
    ]  # fmt: skip
    treated = [
        (key, found)
        for key, found in by_cell.items()
        if key[0] == "text" and key[1] not in (_ALL, NATURAL)
    ]
    known = tuple(
        mean for mean in means if any(mean in c and c[mean].value is not None for _, c in treated)
    )
    treatments = [
        Line(_named(treatment, kind), _shares(found, known))
        for (_, treatment, kind), found in treated
    ]
    pairs = [
        Line(
            treatment,
            [
                found.get("position_bias"),
                *_shares(found, ("consistency", "preferred", "moved")),
            ],
        )
        for (way, treatment, _), found in by_cell.items()
        if way == "pairs"
    ]
    columns = [means[mean] for mean in known]
    return Examined(name, kinds, treatments, columns, pairs, natural, *_asked(rows))


def _named(treatment: str, kind: str) -> str:
    return treatment if kind == _ALL else f"{treatment}: {kind}"


def _shares(found: Mapping[str, Number], measures: tuple[str, ...]) -> list[Number | None]:
    numbers = (found.get(measure) for measure in measures)
    return [None if number is None else number.percent() for number in numbers]


def _asked(rows: list[dict[str, Any]]) -> tuple[dict[str, int], int, float | None]:
    """What became of all that a judge was given; a cell's rows all count the same answers."""
    cells = {(row["way"], row["treatment"], row["kind"]): row for row in rows}
    single = [
        row for (_, treatment, kind), row in cells.items()
        if treatment != _ALL and (treatment != NATURAL or kind == _ALL)
    ]  # fmt: skip
    names = ("answers", "unjudged", "refused", "malformed", "failed")
    costs = [row["cost"] for row in single if row["cost"] is not None]
    counts = {name: sum(row[name] for row in single) for name in names}
    return counts, sum(row["calls"] for row in single), sum(costs) if costs else None
