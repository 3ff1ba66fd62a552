"""Checks of what is made of scores: by judges that give points as they were told to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from lvlmbench.analysis.dialogue.compared import STANDINGS, Standing
from lvlmbench.analysis.dialogue.ranking import REFERENCE, strengths
from lvlmbench.core.seeding import generator
from lvlmbench.stages.dialogue.agreeing import agreeing
from support.judge_checks.asked import Line
from support.scripted_judges import Favoring, share_of
from support.touchstone_checks.asked import Asked, compared, measured, value

#: Rounds that fail; what the first place is worth; how unsure the judge is.
_FAILS, _BONUS, _NOISE = 0.2, 1.0, 0.2
#: Labels and pairs that are shuffled.
_LABELS = 5000
#: Model -> how good its answers are, in points, the best first. Those of references: between.
WORTH = {"amber": 7.6, "birch": 6.8, "cedar": 6.2, "dune": 5.1, "elm": 4.4, "fern": 3.5}
_REFERENCE = 5.6
#: Points by which the answers of one model differ.
_SPREAD = 3.0


def quality(text: str) -> float:
    """How good an answer is: between 2 and 8 points."""
    return 2.0 + 6.0 * share_of("quality", text)


def shuffle(asked: Asked) -> Iterator[Line]:
    """Labels that are permuted agree as chance has it; of answers as good half are better."""
    rng = generator(asked.seed, "touchstone", "labels")
    gold: list[Standing] = rng.choice(STANDINGS, _LABELS, p=[0.3, 0.1, 0.6]).tolist()
    mixed = [gold[at] for at in rng.permutation(_LABELS).tolist()]
    scenes = {at: f"scene{at // 10}" for at in range(_LABELS)}
    both = (dict(enumerate(labels)) for labels in (gold, mixed))
    found = {number.measure: number for number in agreeing(*both, scenes, asked.seed)}
    for name in ("kappa", "alpha"):
        each = value(found, name)
        low, high = found[name].low or 0.0, found[name].high or 0.0
        figure = f"{name} {each:.4f} ({low:.3f} to {high:.3f})"
        yield Line("shuffle, labels", figure, abs(each) <= 0.05)
    questions = Asked(seed=asked.seed, answers=_LABELS).questions
    judge = Favoring(lambda text: 1 + 9 * share_of("shuffled", asked.seed, text), 0.0)
    answers, _ = compared(judge, questions, {key: f"answer {key}" for key in questions})
    share = value(measured(answers), "win_rate")
    yield Line("shuffle, pairs", f"win rate {share:.2f} %", abs(share - 50) <= 2)


def position(asked: Asked) -> Iterator[Line]:
    """What the first place is worth is found, and taken away; failures drop whole pairs."""
    judge = Favoring(quality, _BONUS, _FAILS, noise=_NOISE, seed=asked.seed)
    texts = {key: f"{asked.seed} {key}" for key in asked.questions}
    answers, rows = compared(judge, asked.questions, texts)
    found = measured(answers)
    bias = found["bias"]
    figure = f"{value(found, 'bias'):.3f} ({bias.low or 0:.3f} to {bias.high or 0:.3f})"
    yield Line("position, bias", figure, abs(value(found, "bias") - _BONUS) <= 0.05)
    kept = [answer for answer in answers if answer.scores is not None]
    own = [quality(texts[answer.item[0]]) for answer in kept]
    beside = [quality(asked.questions[answer.item[0]].answer) for answer in kept]
    for name, true in (("score", own), ("reference", beside)):
        off = abs(value(found, name) / 100 - _BONUS / 2 - float(np.mean(true)))
        yield Line(f"position, swapped mean, {name}", f"off by {off:.4f}", off <= 0.02)
    halves = {key.removesuffix("/2") for key in judge.failed}
    unjudged = found["score"].unjudged
    figure = f"{unjudged:,} of {len(texts):,}, rounds failed {len(judge.failed):,}"
    yield Line("position, pairs dropped whole", figure, unjudged == len(halves))
    statuses = Counter(str(row["status"]) for row in rows)
    scored = [row for row in rows if row.get("as_first") is not None]
    holds = statuses["judged"] == len(scored) == found["score"].n
    holds &= statuses.total() - statuses["judged"] == len(halves)
    told = ", ".join(f"{name} {number:,}" for name, number in sorted(statuses.items()))
    yield Line("position, failures counted", told, holds)


def preferences(asked: Asked) -> Iterator[Line]:
    """A judge with planted preferences: its ranking and its bias are found."""
    from scipy.stats import spearmanr

    def points(text: str) -> float:
        whose = text.split()[0]
        drawn = _SPREAD * (share_of("preferred", asked.seed, text) - 0.5)
        return WORTH.get(whose, _REFERENCE) + drawn

    judge = Favoring(points, 0.7, 0.1, noise=0.5, seed=asked.seed)
    few = dict(list(asked.questions.items())[: max(asked.answers // 4, 1)])
    models = {
        model: compared(judge, few, {key: f"{model} {key}" for key in few})[0] for model in WORTH
    }
    rng = generator(asked.seed, "touchstone", "preferences")
    found = strengths(models, rng)
    worth = {**WORTH, REFERENCE: _REFERENCE}
    rho = float(spearmanr([worth[n] for n in found], [s.strength.value for s in found.values()])[0])
    ranked = sorted(found, key=lambda name: found[name].rank.value)
    figure = f"Spearman {rho:.3f}: {', '.join(ranked)}"
    yield Line("preferences, ranking", figure, len(found) == len(worth) and rho > 1 - 1e-12)
    scores = [value(measured(models[model]), "score") for model in WORTH]
    rho = float(spearmanr(list(WORTH.values()), scores)[0])
    yield Line("preferences, scores", f"Spearman {rho:.3f}", rho > 1 - 1e-12)
    every = [answer for answers in models.values() for answer in answers]
    bias = value(measured(every), "bias")
    yield Line("preferences, bias", f"{bias:.3f} of 0.7", abs(bias - 0.7) <= 0.05)


CHECKS = {"shuffle": shuffle, "position": position, "preferences": preferences}
