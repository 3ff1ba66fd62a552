"""What checks of the suite valor are asked for, and the answers that they are about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from lvlmbench.analysis.hallucination.order import order
from lvlmbench.analysis.hallucination.released import released
from lvlmbench.analysis.hallucination.saying import at_length, by_kind, counts, headline
from lvlmbench.analysis.hallucination.told import Told
from lvlmbench.analysis.hallucination.totals import Number, Numbers, Totals
from lvlmbench.scene.claims import Claim, Match, Scope
from lvlmbench.stages.judge.exam.planted import Planted
from lvlmbench.stages.judge.exam.planting.ground import Ground
from lvlmbench.stages.judge.exam.planting.nouns import lexis_of
from lvlmbench.stages.judge.exam.planting.plant import TREATMENTS, evenly, grounds, plant, planted
from lvlmbench.stages.judge.exam.planting.treatment import ALL, Treatment
from lvlmbench.stages.judge.exam.planting.wrong import WRONG
from lvlmbench.stages.judge.judge import Judge
from support.judge_checks.judged import Judged
from support.planted_truth import vocabulary
from support.valor_checks.drawn import subsets

_RENDERER = "pictograph"


@dataclass(frozen=True)
class Grounds:
    """The scenes of a subset, to plant answers about."""

    name: str
    scope: Scope
    scenes: Sequence[Ground]
    seed: int
    answers: int

    @cached_property
    def kinds(self) -> list[str]:
        """Kinds of claims that count here and that can be planted wrong, a rank alone of sizes."""
        if "rank" in self.scope.kinds:
            return ["rank"]
        found = (kind for kind in self.scope.kinds if kind in WRONG)
        return [kind for kind in found if self.planted("hallucinate", kind)]

    def planted(self, treatment: str, kind: str = ALL) -> list[Planted]:
        """Answers of a treatment and kind."""
        found = TREATMENTS[treatment]
        return [*planted(self.scenes, found, kind, self.answers, self.seed)]

    def made(self, treatment: Treatment, kind: str = ALL) -> list[Planted]:
        """Answers of a treatment of the check's own, one a scene."""

        def make(ground: Ground, turn: int) -> Planted | None:
            return plant(ground, treatment, kind, turn, self.seed)

        return [*evenly(self.scenes, min(self.answers, len(self.scenes)), make)]

    def told(self, answer: Planted, claims: Sequence[Claim], matches: Sequence[Match]) -> Told:
        """An answer with what is said of it, as the measures take it."""
        return Told(answer.scene, claims, matches, answer.truth, self.scope)

    def truly(self, answers: Iterable[Planted]) -> Iterator[Told]:
        """Answers with their planted claims and verdicts."""
        return (self.told(a, a.claims, a.matches) for a in answers)

    def judged(self, answers: Iterable[Judged]) -> Iterator[Told]:
        """Answers as a judge has them."""
        return (self.told(each.answer, each.claims, each.matches) for each in answers)


@dataclass(frozen=True)
class Asked:
    """What checks are asked for.

    Attributes
    ----------
    scenes
        Of each subset.
    answers
        Of each treatment, kind and subset.
    runs
        Of simulations.
    """

    seed: int = 1
    scenes: int = 200
    answers: int = 400
    runs: int = 1000

    @cached_property
    def grounds(self) -> list[Grounds]:
        """The scenes of each subset."""
        lexis = lexis_of(vocabulary(), _RENDERER)
        return [
            Grounds(
                each.name, each.scope, grounds(each.truths, lexis, self.seed), self.seed,
                self.answers,
            )
            for each in subsets(self.seed, self.scenes)
        ]  # fmt: skip

    @cached_property
    def judge(self) -> Judge:
        """The embedded judge."""
        from lvlmbench.stages.judge.kinds.lexical.lexical import Lexical, words_of

        return Lexical(words_of(vocabulary()))


def measured(answers: Iterable[Told]) -> dict[tuple[str, str], Number]:
    """All numbers of some answers of one subset, as the table has them, by measure and stratum."""
    totals = Totals()
    for told in answers:
        totals.count(judged=True)
        for measure in (headline, by_kind, at_length, counts, order, released):
            totals.add(told.scene, measure(told))
    return {
        (n.measure, n.stratum): n for n in Numbers({"one": totals}).rows() if n.subtask == "one"
    }


def value(found: dict[tuple[str, str], Number], measure: str) -> float:
    """A number over all strata; not a number where it rests on nothing."""
    number = found[measure, "all"].value
    return float("nan") if number is None else number
