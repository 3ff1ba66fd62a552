"""Checks of the measures on planted answers about the scenes of each subset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from lvlmbench.analysis.hallucination.told import Told
from lvlmbench.core.seeding import generator
from lvlmbench.scene.claims import WRONG as WRONG_VERDICTS
from lvlmbench.scene.claims import Claim, Match, Truth
from lvlmbench.stages.judge.exam.marking import mark_read
from lvlmbench.stages.judge.exam.planted import Planted
from lvlmbench.stages.judge.exam.planting.treatment import Draw, Made, Treatment
from lvlmbench.stages.judge.exam.planting.wrong import WRONG
from lvlmbench.stages.judge.exam.wording.kinds import WORDINGS
from support.judge_checks.asked import Line
from support.judge_checks.honest import found_line, summed
from support.judge_checks.judged import hold, read
from support.judge_checks.robust import turned_right
from support.valor_checks.asked import Asked, Grounds, measured, value

_FAITHFUL, _COVERED, _TURNED = 97.0, 95.0, 0.02
#: Captioners of falling quality.
_CAPTIONERS = 8
#: Other scenes that each caption is held against.
_SHIFTS = 20


def perfect(asked: Asked) -> Iterator[Line]:
    """The truth as claims is right and whole; in three wordings it nearly is."""
    for each in asked.grounds:
        answers = each.planted("perfect")
        held = each.judged(hold(asked.judge, answers))
        for name, told in (("claims", each.truly(answers)), ("held", held)):
            found = measured(told)
            f, c = value(found, "faithfulness"), value(found, "coverage")
            figure = f"faithfulness {f:.2f}, coverage {c:.2f} (n = {len(answers)})"
            yield Line(f"perfect {each.name}, {name}", figure, f == c == 100)
        judged = [*read(asked.judge, answers)]
        for wording in WORDINGS:
            chosen = [one for one in judged if one.answer.wording == wording]
            found = measured(each.judged(chosen))
            f, c = value(found, "faithfulness"), value(found, "coverage")
            figure = f"faithfulness {f:.2f}, coverage {c:.2f} (n = {len(chosen)})"
            yield Line(f"perfect {each.name}, {wording}", figure, f >= _FAITHFUL and c >= _COVERED)


def hallucinate(asked: Asked) -> Iterator[Line]:
    """Plants lower faithfulness exactly; the embedded judge finds them."""
    for each in asked.grounds:
        for kind in each.kinds:
            answers, off = each.planted("hallucinate", kind), 0.0
            for answer, told in zip(answers, each.truly(answers), strict=True):
                right = [m for m in answer.matches if m.verdict not in WRONG_VERDICTS]
                claims = [c for c in answer.claims if any(m.claim == c.number for m in right)]
                m = each.told(answer, claims, right).tally.true
                off = max(off, abs((told.tally.faithfulness or 0) - m / (m + answer.plants)))
            figure = f"m / (m + k) off by {off:.1e} (n = {len(answers)})"
            name = f"hallucinate {each.name}, {kind}"
            yield Line(f"{name}, claims", figure, bool(answers) and off < 1e-9)
            counted = summed(
                counts
                for one in read(asked.judge, answers)
                for counts in mark_read(one.answer, one.claims, one.matches).values()
            )
            yield found_line(f"{name}, text", counted, kind)


def omit(asked: Asked) -> Iterator[Line]:
    """What is left out lowers coverage by exactly that, and faithfulness not at all."""
    for each in asked.grounds:
        answers = each.planted("omit")
        held = each.judged(hold(asked.judge, answers))
        for name, told in (("claims", each.truly(answers)), ("held", held)):
            wrong = sum(
                one.tally.owed - one.tally.covered != answer.omitted
                or one.tally.faithfulness not in (1.0, None)
                for answer, one in zip(answers, told, strict=True)
            )
            figure = f"{wrong} of {len(answers)} off"
            yield Line(f"omit {each.name}, {name}", figure, bool(answers) and not wrong)


def mirror(asked: Asked) -> Iterator[Line]:
    """Left for right, and sizes from the smallest, are wrong throughout; no order is left."""
    for each in asked.grounds:
        for treatment, kinds in (("mirror", ("relation", "place")), ("reverse", ("rank",))):
            if not {*kinds} <= {*each.scope.kinds}:
                continue
            answers = each.planted(treatment)
            for name, judged in (
                ("held", hold(asked.judge, answers)),
                ("text", read(asked.judge, answers)),
            ):
                pairs = [turned_right(one, kinds) for one in judged]
                right, n = (sum(column) for column in zip(*pairs, strict=True))
                figure = f"{right / max(n, 1):.2%} of {n} turned claims are called right"
                holds = n > 0 and right <= _TURNED * n
                yield Line(f"mirror {each.name}, {treatment}, {name}", figure, holds)
            if treatment == "reverse":
                yield _reversed(asked, each)


def _reversed(asked: Asked, each: Grounds) -> Line:
    found = measured(each.judged(read(asked.judge, each.planted("reverse"))))
    sizes = [len(one.truth.of_kind("rank")) for one in each.planted("reverse")]
    least, lis = 100 * len(sizes) / sum(sizes), value(found, "order_lis")
    tau = value(found, "order_tau")
    figure = f"order_lis {lis:.2f} where one is {least:.2f}, order_tau {tau:.3f}"
    return Line(f"mirror {each.name}, order", figure, abs(lis - least) <= 1 and tau <= -0.98)


def gaming(asked: Asked) -> Iterator[Line]:
    """The whole vocabulary covers all and is as wrong as it is; things are nothing; ten times the
    truth is the truth."""
    for each in asked.grounds:
        told = [t for a in each.planted("things") for t in each.judged(read(asked.judge, [a]))]
        claims = sum(t.tally.true + t.tally.wrong for t in told)
        yield Line(f"gaming {each.name}, things", f"{claims} claims", claims == 0)
        repeated = [a for a in each.planted("repeat")[:50] if a.base is not None]
        if {*each.scope.kinds} & {"object", "relation"} and "rank" not in each.scope.kinds:
            bases = [a.base for a in repeated if a.base is not None]
            pairs = zip(each.truly(repeated), each.truly(bases), strict=True)
            wrong = sum(a.tally != b.tally for a, b in pairs)
            figure = f"{wrong} of {len(repeated)} moved"
            yield Line(f"gaming {each.name}, ten times", figure, bool(repeated) and not wrong)
        if each.scope.kinds == ("object",):
            answers = each.planted("vocabulary")
            found = measured(each.judged(hold(asked.judge, answers)))
            true = measured(each.truly(answers))
            c, f = value(found, "coverage"), value(found, "faithfulness")
            base = value(true, "faithfulness")
            figure = f"coverage {c:.1f}, faithfulness {f:.2f} for {base:.2f} (n = {len(answers)})"
            yield Line(f"gaming {each.name}, vocabulary", figure, c == 100 and abs(f - base) <= 2)


def shuffle(asked: Asked) -> Iterator[Line]:
    """Captions of other scenes are as faithful as how often their words fit other scenes."""
    for each in asked.grounds:
        if each.scope.kinds not in (("object",), ("attribute",)):
            continue
        answers = each.planted("perfect")[: len(each.scenes)]
        true = said = 0
        fits = fitting = 0
        for shift in range(1, _SHIFTS + 1):
            others = [answers[(at + shift) % len(answers)] for at in range(len(answers))]
            mixed = [replace(a, truth=b.truth) for a, b in zip(answers, others, strict=True)]
            for told in each.judged(hold(asked.judge, mixed)):
                true += told.tally.true
                said += told.tally.true + told.tally.wrong
                for claim in told.claims:
                    if claim.kind == each.scope.kinds[0]:
                        fits += _fits(claim, told.truth)
                        fitting += 1
        f, expected = 100 * true / said, 100 * fits / fitting
        figure = f"faithfulness {f:.2f}, by words {expected:.2f} (n = {said})"
        yield Line(f"shuffle {each.name}", figure, abs(f - expected) <= 1)


def _fits(claim: Claim, truth: Truth) -> bool:
    """Whether a picture shows a thing of the word, in the color that is said."""
    things = {f.feature for f in truth.of_kind("object") if claim.subject in f.forms}
    if claim.kind == "object":
        return bool(things)
    return any(
        f.about in things and claim.relation == f.relation and claim.value in f.forms
        for f in truth.of_kind(claim.kind)
    )


def ordering(asked: Asked) -> Iterator[Line]:
    """Captioners of falling quality stand in their order, by each of the headline's numbers."""
    from scipy.stats import spearmanr

    best = range(_CAPTIONERS, 0, -1)
    for each in asked.grounds:
        answers = each.planted("perfect")[: len(each.scenes)]
        found = [measured(worse(asked, each, answers, q)) for q in range(_CAPTIONERS)]
        for measure in ("faithfulness", "coverage", "f1"):
            values = [value(one, measure) for one in found]
            rho = float(spearmanr(values, best).statistic)
            figure = f"Spearman {rho:.3f} ({values[0]:.1f} to {values[-1]:.1f})"
            yield Line(f"ordering {each.name}, claims, {measure}", figure, rho >= 1 - 1e-12)
        kind, values = each.kinds[-1], []
        for q in range(_CAPTIONERS):
            texts = each.made(Treatment("captioner", _captioner(q, kind)), kind)
            values.append(value(measured(each.judged(read(asked.judge, texts))), "faithfulness"))
        rho = float(spearmanr(values, best).statistic)
        figure = f"Spearman {rho:.3f} ({values[0]:.1f} to {values[-1]:.1f})"
        yield Line(f"ordering {each.name}, text", figure, rho >= 0.97)


def worse(asked: Asked, each: Grounds, answers: Sequence[Planted], q: int) -> Iterator[Told]:
    """Yield perfect claims of which q in nine are wrong; those of better captioners are, too."""
    for answer in answers:
        rng = generator(asked.seed, "ordering", answer.key)
        matches = [
            Match(m.claim, None, "hallucinated", "planted") if rng.random() < q / 9 else m
            for m in answer.matches
        ]
        yield each.told(answer, answer.claims, matches)


def _captioner(q: int, kind: str) -> Callable[[Draw], Made]:
    def make(draw: Draw) -> Made:
        """Plant all that can be in q of eight answers."""
        if draw.rng.random() >= q / _CAPTIONERS:
            return Made(draw.ground.perfect)
        return Made(*WRONG[kind](draw.ground, draw.ground.perfect, draw.rng, 5))

    return make


CHECKS = {
    "perfect": perfect,
    "hallucinate": hallucinate,
    "omit": omit,
    "mirror": mirror,
    "gaming": gaming,
    "shuffle": shuffle,
    "ordering": ordering,
}
