"""Checks of answers that are right, that say too much, and that say too little."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.scene.claims import TRUE, tally
from lvlmbench.stages.judge.exam.marking import Counts, mark_held, mark_read
from lvlmbench.stages.judge.exam.planted import Planted
from lvlmbench.stages.judge.exam.planting.wrong import WRONG
from lvlmbench.stages.judge.exam.wording.kinds import WORDINGS
from support.judge_checks.asked import Asked, Line
from support.judge_checks.judged import hold, of_many, percent, read

#: Least share of the plants of a kind that the embedded judge finds; most false alarms.
_LEAST = {"object": 0.95, "attribute": 0.90}
_LEAST_OTHERS, _MOST_ALARMS = 0.85, 0.02
_FAITHFUL, _COVERED = 97.0, 95.0


def perfect(asked: Asked) -> Iterator[Line]:
    """The truth as claims is right and whole; in three wordings it nearly is."""
    answers = list(asked.planted("perfect"))
    true = of_many(tally(a.claims, a.matches, a.truth) for a in answers)
    exact = true.faithfulness == 1.0 and true.coverage == 1.0
    yield Line("perfect, claims", _scores(true.faithfulness, true.coverage, len(answers)), exact)
    held = of_many(each.tally() for each in hold(asked.judge, answers))
    exact = held.faithfulness == 1.0 and held.coverage == 1.0
    yield Line("perfect, held", _scores(held.faithfulness, held.coverage, len(answers)), exact)
    judged = list(read(asked.judge, answers))
    for wording in WORDINGS:
        chosen = [each for each in judged if each.answer.wording == wording]
        found = of_many(each.tally() for each in chosen)
        f, c = percent(found.faithfulness), percent(found.coverage)
        figure = _scores(found.faithfulness, found.coverage, len(chosen))
        yield Line(f"perfect, {wording}", figure, f >= _FAITHFUL and c >= _COVERED)


def _scores(faithfulness: float | None, coverage: float | None, n: int) -> str:
    f, c = percent(faithfulness), percent(coverage)
    return f"faithfulness {f:.2f}, coverage {c:.2f} (n = {n:,})"


def hallucinate(asked: Asked) -> Iterator[Line]:
    """Plants lower faithfulness exactly; the embedded judge finds them."""
    for kind in WRONG:
        answers = list(asked.planted("hallucinate", kind))
        off = max(map(_off, answers), default=0.0)
        figure = f"m / (m + k) off by {off:.1e} (n = {len(answers):,})"
        yield Line(f"hallucinate {kind}, claims", figure, bool(answers) and off < 1e-9)
        held = summed(
            counts
            for each in hold(asked.judge, answers)
            for counts in mark_held(each.answer, each.matches).values()
        )
        yield found_line(f"hallucinate {kind}, held", held, kind)
        found = summed(
            counts
            for each in read(asked.judge, answers)
            for counts in mark_read(each.answer, each.claims, each.matches).values()
        )
        yield found_line(f"hallucinate {kind}, text", found, kind)


def found_line(check: str, counts: Counts, kind: str) -> Line:
    """How many plants of a kind are found, and how many false alarms there are."""
    caught = counts.caught / counts.wrong if counts.wrong else 0.0
    alarms = (counts.alarms + counts.invented) / max(counts.right + counts.outside, 1)
    enough = caught >= _LEAST.get(kind, _LEAST_OTHERS) and alarms <= _MOST_ALARMS
    figure = f"{caught:.1%} of {counts.wrong:,} found, {alarms:.2%} false alarms"
    return Line(check, figure, enough)


def summed(counts: Iterator[Counts]) -> Counts:
    """The sums."""
    total = Counts()
    for each in counts:
        total = total.plus(each)
    return total


def _off(answer: Planted) -> float:
    """How far faithfulness is from m / (m + k)."""
    found = tally(answer.claims, answer.matches, answer.truth)
    said = [each for each in answer.matches if each.verdict in TRUE]
    m = tally(answer.claims, said, answer.truth).true
    return abs((found.faithfulness or 0.0) - m / (m + answer.plants))


def omit(asked: Asked) -> Iterator[Line]:
    """What is left out lowers coverage by exactly that, and faithfulness not at all."""
    answers = list(asked.planted("omit"))
    for name, judged in (("claims", None), ("held", hold(asked.judge, answers))):
        if judged is None:
            found = [(a, tally(a.claims, a.matches, a.truth)) for a in answers]
        else:
            found = [(each.answer, each.tally()) for each in judged]
        wrong = sum(
            each.owed - each.covered != answer.omitted or each.faithfulness != 1.0
            for answer, each in found
        )
        yield Line(f"omit, {name}", f"{wrong:,} of {len(found):,} off", bool(found) and not wrong)


CHECKS = {"perfect": perfect, "hallucinate": hallucinate, "omit": omit}
