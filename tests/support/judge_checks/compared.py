"""Checks of judges that compare, and of agreement."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from lvlmbench.core.seeding import generator
from lvlmbench.scene.claims import Truth
from lvlmbench.stages.judge.exam.agreement import kappa
from lvlmbench.stages.judge.exam.planting.pairs import WORSE, pairs
from lvlmbench.stages.judge.exam.planting.wrong import objects
from lvlmbench.stages.judge.exam.position import Contest, judge_pairs, position, scored
from support.judge_checks.asked import Asked, Line
from support.judge_checks.judged import hold, of_many, read
from support.scripted_judges import Favoring, share_of

#: Rounds that fail; what the first place is worth.
_FAILS, _BONUS = 0.2, 1.0
#: Labels that are permuted.
_LABELS = 5000
#: Captioners of falling quality.
_CAPTIONERS = 8


def quality(text: str) -> float:
    """How good an answer of :func:`contests` is: between 2 and 8 points."""
    return 2.0 + 6.0 * share_of("quality", text)


def contests(number: int, seed: int) -> list[Contest]:
    """Pairs of answers in words that say nothing, five a scene, the better one first."""
    out = []
    for at in range(number):
        texts = sorted((f"{seed} {at} a", f"{seed} {at} b"), key=quality, reverse=True)
        out.append(Contest(f"scene{at // 5}", "worse", at, (texts[0], texts[1]), Truth(())))
    return out


def position_bias(asked: Asked) -> Iterator[Line]:
    """What the first place is worth is found, and taken away; failures drop whole pairs."""
    judge = Favoring(quality, _BONUS, _FAILS, noise=0.5, seed=asked.seed)
    shown = contests(asked.answers, asked.seed)
    judged = list(judge_pairs(judge, shown))
    found = position(judged)
    if found.bias is None or found.ahead is None or found.first is None:
        raise AssertionError("no pair was scored")
    low, high = found.bias.low or 0.0, found.bias.high or 0.0
    figure = f"{found.bias.value:.3f} ({low:.3f} to {high:.3f}), pairs {found.pairs:,}"
    yield Line("position, bias", figure, abs(found.bias.value - _BONUS) <= 0.05)
    kept = [each.contest for each in judged if each.kept]
    true = float(np.mean([quality(c.texts[0]) - quality(c.texts[1]) for c in kept]))
    off = abs(found.ahead.value - true)
    yield Line("position, swapped difference", f"off by {off:.4f}", off <= 0.02)
    mean = float(np.mean([quality(c.texts[0]) for c in kept])) + _BONUS / 2
    off = abs(found.first.value - mean)
    yield Line("position, swapped mean", f"off by {off:.4f}", off <= 0.02)
    failed = {key.rpartition("/") for key in judge.failed}
    halves = {key for key, _, name in failed if name in ("forward", "back")}
    figure = f"{found.dropped:,} of {len(shown):,}, rounds failed {len(judge.failed):,}"
    yield Line("position, pairs dropped whole", figure, found.dropped == len(halves))
    counted = sum(n for status, n in found.statuses.items() if status != "judged")
    yield Line("position, failures counted", f"{counted:,}", counted == len(judge.failed))


def shuffle(asked: Asked) -> Iterator[Line]:
    """A judge whose labels are permuted agrees no more than chance has it."""
    rng = generator(asked.seed, "shuffle", "labels")
    gold = rng.choice(["true", "wrong", "neither"], _LABELS, p=[0.7, 0.25, 0.05]).tolist()
    mixed = [gold[at] for at in rng.permutation(_LABELS).tolist()]
    scenes = [f"scene{at // 10}" for at in range(_LABELS)]
    value, low, high = kappa(list(zip(gold, mixed, strict=True)), scenes, asked.seed)
    if value is None or low is None or high is None:
        raise AssertionError("kappa is not defined")
    figure = f"kappa {value:.4f} ({low:.3f} to {high:.3f})"
    yield Line("shuffle, labels", figure, abs(value) <= 0.05)
    judge = Favoring(lambda text: share_of("shuffled", asked.seed, text), 0.0)
    found = position(list(judge_pairs(judge, contests(_LABELS, asked.seed))))
    share = found.preferred.value if found.preferred is not None else 0.0
    yield Line("shuffle, pairs", f"{share:.2%} preferred", abs(share - 0.5) <= 0.02)


def ordering(asked: Asked) -> Iterator[Line]:
    """Captioners of falling quality stand in their order; the better of two answers wins."""
    from scipy.stats import spearmanr

    from lvlmbench.stages.judge.exam.planting.plant import evenly, plant
    from lvlmbench.stages.judge.exam.planting.treatment import ALL, Draw, Made, Treatment

    each_asked = max(asked.answers // _CAPTIONERS, 1)
    means: dict[str, list[float]] = {"claims": [], "held": [], "text": []}
    for wrong in range(_CAPTIONERS):

        def make(draw: Draw, wrong: int = wrong) -> Made:
            return Made(*objects(draw.ground, draw.ground.perfect, draw.rng, wrong))

        captioner = Treatment(f"captioner{wrong}", make)
        answers = list(
            evenly(
                asked.grounds,
                each_asked,
                lambda ground, turn: plant(ground, captioner, ALL, turn, asked.seed),  # noqa: B023
            )
        )
        held = list(hold(asked.judge, answers))
        found = {
            "claims": of_many(each.true() for each in held),
            "held": of_many(each.tally() for each in held),
            "text": of_many(each.tally() for each in read(asked.judge, answers)),
        }
        for name, tally in found.items():
            means[name].append(tally.faithfulness or 0.0)
    for name, least in (("claims", 1.0), ("held", 1.0), ("text", 0.97)):
        rho = float(spearmanr(means[name], range(_CAPTIONERS, 0, -1)).statistic)
        yield Line(f"ordering, captioners, {name}", f"Spearman {rho:.3f}", rho >= least - 1e-12)
    for worse in WORSE:
        if worse != "injected":
            yield _preferred(asked, worse)


def _preferred(asked: Asked, worse: str) -> Line:
    found = pairs(asked.grounds, worse, asked.answers, asked.seed)
    shown = (
        Contest(bad.scene, worse, bad.number, (good.text, bad.text), bad.truth)
        for good, bad in found
    )
    judged = list(judge_pairs(asked.judge, shown))
    result = position(judged)
    share = result.preferred.value if result.preferred is not None else 0.0
    unscored = sum(not scored(each.rounds["forward"]) for each in judged)
    figure = f"{share:.1%} of {result.pairs:,} preferred, {unscored:,} unscored"
    return Line(f"ordering, pairs, {worse}", figure, share >= 0.95)


CHECKS = {"ordering": ordering, "position": position_bias, "shuffle": shuffle}
