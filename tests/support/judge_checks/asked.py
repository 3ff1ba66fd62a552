"""What checks are asked for, what they print, and the answers that they are about."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from lvlmbench.stages.judge.exam.planted import Planted
from lvlmbench.stages.judge.exam.planting.ground import Ground
from lvlmbench.stages.judge.exam.planting.nouns import lexis_of
from lvlmbench.stages.judge.exam.planting.plant import TREATMENTS, grounds, planted
from lvlmbench.stages.judge.exam.planting.treatment import ALL
from lvlmbench.stages.judge.judge import Judge
from support.drawn_truths import RENDERER, drawn_truths
from support.planted_truth import vocabulary


@dataclass(frozen=True)
class Line:
    """One figure of a check, and whether it is as it must be."""

    check: str
    figure: str
    holds: bool

    def __str__(self) -> str:
        return f"{'ok  ' if self.holds else 'FAIL'} {self.check}: {self.figure}"


@dataclass(frozen=True)
class Asked:
    """What checks are asked for.

    Attributes
    ----------
    answers
        Of each treatment and kind.
    scenes
        To plant them about.
    runs
        Of simulations.
    """

    seed: int = 1
    answers: int = 2000
    scenes: int = 400
    runs: int = 2000

    @cached_property
    def grounds(self) -> list[Ground]:
        """Scenes whose features are all known."""
        lexis = lexis_of(vocabulary(), RENDERER)
        return grounds(drawn_truths(self.scenes, self.seed), lexis, self.seed)

    def planted(self, treatment: str, kind: str = ALL) -> Iterator[Planted]:
        """Answers of a treatment and kind."""
        return planted(self.grounds, TREATMENTS[treatment], kind, self.answers, self.seed)

    @cached_property
    def judge(self) -> Judge:
        """The embedded judge."""
        from lvlmbench.stages.judge.kinds.lexical.lexical import Lexical, words_of

        return Lexical(words_of(vocabulary()))
