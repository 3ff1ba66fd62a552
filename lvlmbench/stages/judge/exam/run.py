"""The exam: planted answers to a judge, outcomes from it."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lvlmbench.scene.claims import Claim, Match, Scope, tally
from lvlmbench.stages.judge.exam.agreement import agreed, label_of
from lvlmbench.stages.judge.exam.marking import mark_held, mark_read
from lvlmbench.stages.judge.exam.outcome import (
    ALL,
    Cell,
    Number,
    Outcome,
    Spent,
    of_interval,
    of_share,
    outcome,
)
from lvlmbench.stages.judge.exam.planted import QUESTION, Planted
from lvlmbench.stages.judge.exam.planting.ground import Ground
from lvlmbench.stages.judge.exam.planting.pairs import ALIKE, WORSE, pairs
from lvlmbench.stages.judge.exam.planting.plant import TREATMENTS, planted
from lvlmbench.stages.judge.exam.position import Contest, Judgement, judge_pairs, position
from lvlmbench.stages.judge.exam.tallies import Sheet
from lvlmbench.stages.judge.judge import Answer, Holding, Judge

#: A claim of a planted answer.
Item = tuple[str, int]


@dataclass
class Said:
    """What judges said of the same planted claims, to be compared.

    Attributes
    ----------
    labels
        Judge -> claim -> what it says of it.
    scenes
        Claim -> scene.
    """

    labels: dict[str, dict[Hashable, str]] = field(default_factory=dict)
    scenes: dict[Hashable, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Exam:
    """The exam of one judge.

    Attributes
    ----------
    scenes
        As :func:`lvlmbench.stages.judge.exam.planting.plant.grounds` orders them.
    per_kind
        Answers of each treatment and kind, and pairs of each sort.
    """

    name: str
    judge: Judge
    scenes: Sequence[Ground]
    seed: int
    per_kind: int

    def outcomes(self, said: Said) -> Iterator[Outcome]:
        """Yield outcomes as they are known; what the judge says of planted claims is kept."""
        labels = said.labels.setdefault(self.name, {})
        for way in ("claims", "text"):
            total = Sheet(way == "text")
            for treatment in TREATMENTS.values():
                for kind in treatment.kinds:
                    answers = planted(self.scenes, treatment, kind, self.per_kind, self.seed)
                    before = len(self.judge.requests)
                    if way == "claims":
                        sheet = self._held(answers, labels, said.scenes)
                    else:
                        sheet = self._read(list(answers))
                    spent = self._spent(before)
                    cell = Cell(self.name, way, treatment.name, kind)
                    for number in sheet.numbers():
                        yield outcome(cell, number, sheet.statuses, spent)
                    total = total.merged(sheet)
            for kind in total.kinds():
                cell = Cell(self.name, way, ALL, kind)
                for number in total.errors(kind):
                    yield outcome(cell, number, total.statuses)
        yield from self._pairs()

    def _spent(self, before: int) -> Spent:
        rows = self.judge.requests[before:]
        costs = [row["cost_usd"] for row in rows if row.get("cost_usd") is not None]
        return Spent(len(rows), sum(costs) if costs else None)

    def _held(
        self,
        answers: Iterable[Planted],
        labels: dict[Hashable, str],
        scenes: dict[Hashable, str],
    ) -> Sheet:
        """Give the judge planted claims."""
        sheet, waiting = Sheet(read=False), dict[str, Planted]()

        def given() -> Iterator[tuple[Answer, Sequence[Claim]]]:
            for each in answers:
                waiting[each.key] = each
                yield _answer(each), each.claims

        for answer, holding in self.judge.hold(given()):
            each = waiting.pop(answer.key)
            sheet.statuses[holding.status] += 1
            if holding.status != "judged":
                continue
            matches = _known(holding.matches, each)
            true = tally(each.claims, each.matches, each.truth)
            judged = tally(each.claims, matches, each.truth)
            sheet.take(each.scene, mark_held(each, matches), judged, true)
            for match in holding.matches:
                labels[each.key, match.claim] = label_of(match.verdict)
                scenes[each.key, match.claim] = each.scene
        return sheet

    def _read(self, answers: Sequence[Planted]) -> Sheet:
        """Give the judge texts, and those that they should be judged like."""
        sheet = Sheet(read=True)
        bases = {each.key: each.base for each in answers if each.base is not None}
        asked = {each.key: each for each in (*answers, *bases.values())}
        found: dict[str, tuple[Sequence[Claim], Sequence[Match]]] = {}
        unsure: dict[str, Sequence[str]] = {}
        for each, claims, holding in self._judged(asked):
            status = holding.status
            if status == "judged":
                found[each.key], unsure[each.key] = (claims, holding.matches), holding.unsure
            sheet.statuses[status] += 1
        for each in answers:
            if each.key in found:
                claims, matches = found[each.key]
                judged = tally(claims, matches, each.truth, unsure=unsure[each.key])
                true = tally(each.claims, each.matches, each.truth)
                sheet.take(each.scene, mark_read(each, claims, matches), judged, true)
                base = None if each.base is None else found.get(each.base.key)
                if base is not None:
                    sheet.take_moved(each.scene, moved(each, found[each.key], base))
        return sheet

    def _judged(
        self, asked: Mapping[str, Planted]
    ) -> Iterator[tuple[Planted, Sequence[Claim], Holding]]:
        """Yield each answer with what was read and what became of it."""
        read: dict[str, Sequence[Claim]] = {}
        held = []
        for answer, reading in self.judge.read(map(_answer, asked.values())):
            if reading.status == "judged":
                read[answer.key] = reading.claims
                held.append((replace(answer, unread=reading.unread), reading.claims))
            else:
                yield asked[answer.key], (), Holding(reading.status)
        for answer, holding in self.judge.hold(held):
            yield asked[answer.key], read[answer.key], holding

    def _pairs(self) -> Iterator[Outcome]:
        """Show pairs of answers in both orders."""
        every: list[Judgement] = []
        for worse in WORSE:
            before = len(self.judge.requests)
            found = list(judge_pairs(self.judge, self._contests(worse)))
            every += found
            spent = self._spent(before)
            yield from _positions(Cell(self.name, "pairs", worse), found, spent)
        yield from _positions(Cell(self.name, "pairs"), every)

    def _contests(self, worse: str) -> Iterator[Contest]:
        for good, bad in pairs(self.scenes, worse, self.per_kind, self.seed):
            texts = (good.text, bad.text)
            yield Contest(bad.scene, worse, bad.number, texts, bad.truth, worse != ALIKE)


def _answer(answer: Planted) -> Answer:
    return Answer(answer.key, QUESTION, answer.text, answer.truth)


def moved(
    answer: Planted,
    judged: tuple[Sequence[Claim], Sequence[Match]],
    base: tuple[Sequence[Claim], Sequence[Match]],
) -> bool:
    """Return whether an answer is judged otherwise than what it should be judged like, both as
    claims and matches: whether its faithfulness or coverage is another."""
    one, other = (tally(*each, answer.truth, Scope(answer.alike)) for each in (judged, base))
    return (one.faithfulness, one.coverage) != (other.faithfulness, other.coverage)


def _known(matches: Iterable[Match], answer: Planted) -> list[Match]:
    """Matches without those of claims whose truth is not known."""
    known = {each.claim.number for each in answer.expected if each.verdict is not None}
    return [match for match in matches if match.claim in known]


def _positions(
    cell: Cell, judgements: Sequence[Judgement], spent: Spent | None = None
) -> Iterator[Outcome]:
    found = position(judgements)
    numbers = [
        *of_interval("position_bias", found.bias, found.pairs),
        *of_interval("ahead", found.ahead, found.pairs),
        *of_interval("score", found.first, found.pairs),
        *of_share("consistency", found.consistent),
        *of_share("flips", found.flipped),
        *of_share("preferred", found.preferred),
        *of_share("moved", found.moved),
        Number("dropped", float(found.dropped), n=len(judgements)),
    ]
    return (outcome(cell, number, found.statuses, spent) for number in numbers)


def examine(
    judges: Mapping[str, Judge], scenes: Sequence[Ground], seed: int, per_kind: int
) -> Iterator[Outcome]:
    """Examine judges with the same planted answers; yield outcomes as they are known.

    Parameters
    ----------
    judges
        By name; of two and more it is also told how far they agree.
    scenes
        As :func:`lvlmbench.stages.judge.exam.planting.plant.grounds` orders them.
    per_kind
        Answers of each treatment and kind, and pairs of each sort.
    """
    said = Said()
    for name in sorted(judges):
        yield from Exam(name, judges[name], scenes, seed, per_kind).outcomes(said)
    for each in agreed(said.labels, said.scenes, seed):
        cell = Cell(", ".join(each.judges), "claims")
        number = Number(each.measure, each.value, each.low, each.high, each.n)
        yield outcome(cell, number, {})


def calls(scenes: Sequence[Ground], seed: int, per_kind: int) -> int:
    """Return how many requests the exam of a served judge makes, where none is repaired."""
    total = 0
    for treatment in TREATMENTS.values():
        for kind in treatment.kinds:
            for each in planted(scenes, treatment, kind, per_kind, seed):
                total += 1 + 2 * (1 if each.base is None else 2)
    return total + 2 * sum(1 for worse in WORSE for _ in pairs(scenes, worse, per_kind, seed))
