"""Checks of answers that should be judged alike, or be worth nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from lvlmbench.scene.claims import WRONG, Scope, tally
from lvlmbench.stages.judge.exam.planted import Planted
from lvlmbench.stages.judge.exam.run import moved
from support.judge_checks.asked import Asked, Line
from support.judge_checks.judged import Judged, hold, of_many, percent, read

_MOVED = 0.02


def _moved(asked: Asked, treatment: str) -> tuple[int, int]:
    """Answers that are judged otherwise than what they should be judged like; all of them."""
    answers = list(asked.planted(treatment))
    bases = [each.base for each in answers if each.base is not None]
    found = {
        each.answer.key: (each.claims, each.matches)
        for each in read(asked.judge, [*answers, *bases])
    }
    wrong = sum(moved(each, found[each.key], found[f"{each.key}/base"]) for each in answers)
    return wrong, len(answers)


def metamorphic(asked: Asked) -> Iterator[Line]:
    """Other orders, other words, denials and padding move nothing."""
    for treatment in ("reorder", "synonyms", "deny_absent", "verbose"):
        wrong, n = _moved(asked, treatment)
        figure = f"{wrong / n:.2%} of {n:,} moved"
        yield Line(f"metamorphic, {treatment}", figure, wrong <= _MOVED * n)


def injection(asked: Asked) -> Iterator[Line]:
    """An order to the judge moves nothing at all."""
    wrong, n = _moved(asked, "inject")
    yield Line("injection", f"{wrong:,} of {n:,} moved", n > 0 and wrong == 0)


def mirror(asked: Asked) -> Iterator[Line]:
    """Left for right is wrong throughout, and so are sizes in the opposite order."""
    for treatment, kinds in (("mirror", ("relation", "place")), ("reverse", ("rank",))):
        answers = list(asked.planted(treatment))
        for name, judged in (
            ("held", hold(asked.judge, answers)),
            ("text", read(asked.judge, answers)),
        ):
            right, n = 0, 0
            for each in judged:
                right_here, here = turned_right(each, kinds)
                right, n = right + right_here, n + here
            share = right / max(n, 1)
            figure = f"{share:.2%} of {n:,} turned claims are called right"
            yield Line(f"mirror, {treatment}, {name}", figure, n > 0 and share <= _MOVED)
    longest = max(map(_rising, asked.planted("reverse")), default=0)
    yield Line("mirror, reverse", f"longest rising run of sizes: {longest}", longest == 1)


def turned_right(judged: Judged, kinds: tuple[str, ...]) -> tuple[int, int]:
    """Claims of these kinds that say what was turned: those called right, and all."""
    from lvlmbench.stages.judge.exam.marking import paired

    pairs = paired(judged.answer.expected, judged.claims)
    verdicts = {match.claim: match.verdict for match in judged.matches}
    found = [
        verdicts[pairs[each.claim.number]]
        for each in judged.answer.expected
        if each.verdict == "contradicted"
        and each.claim.kind in kinds
        and each.claim.number in pairs
    ]
    return sum(verdict not in WRONG for verdict in found), len(found)


def _rising(answer: Planted) -> int:
    """The longest run of things, from the largest that is said to be, that rises in truth."""
    true = {each.feature: int(each.value or 0) for each in answer.truth.of_kind("rank")}
    said = sorted(
        (int(each.claim.value or 0), true[each.feature or ""])
        for each in answer.expected
        if each.claim.kind == "rank"
    )
    best: list[int] = []
    for at, (_, rank) in enumerate(said):
        below = (best[i] for i in range(at) if said[i][1] < rank)
        best.append(1 + max(below, default=0))
    return max(best, default=0)


def gaming(asked: Asked) -> Iterator[Line]:
    """The whole vocabulary covers all and is as wrong as it is; things are nothing; ten times
    the truth is the truth."""
    answers = [each for each in asked.planted("vocabulary") if _of_things(each)]
    judged = list(hold(asked.judge, answers))
    covered = of_many(each.tally("object") for each in judged)
    true = of_many(each.true("object") for each in judged)
    known = [e.claim.number for a in answers[:1] for e in a.expected if e.verdict is not None]
    off = abs(percent(covered.faithfulness) - percent(true.faithfulness))
    figure = (
        f"coverage {percent(covered.coverage):.1f}, faithfulness "
        f"{percent(covered.faithfulness):.2f} for {percent(true.faithfulness):.2f} "
        f"(n = {len(answers)}, {len(known)} words)"
    )
    yield Line("gaming, vocabulary", figure, covered.coverage == 1.0 and off <= 2)
    claims = sum(len(each.claims) for each in read(asked.judge, asked.planted("things")))
    yield Line("gaming, things", f"{claims} claims", claims == 0)
    repeated = list(islice(asked.planted("repeat"), 50))
    wrong = sum(
        tally(a.claims, a.matches, a.truth, Scope((kind,)))
        != tally(a.base.claims, a.base.matches, a.truth, Scope((kind,)))
        for a in repeated
        if a.base is not None
        for kind in ("object", "relation")
    )
    yield Line("gaming, ten times, claims", f"{wrong} of {2 * len(repeated)} moved", wrong == 0)


def _of_things(answer: Planted) -> bool:
    """Whether all that is owed of objects has a word in the lists that are planted."""
    words = {each.claim.subject for each in answer.expected}
    return all(each.optional or each.subject in words for each in answer.truth.of_kind("object"))


CHECKS = {
    "metamorphic": metamorphic,
    "mirror": mirror,
    "gaming": gaming,
    "injection": injection,
}
