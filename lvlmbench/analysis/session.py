"""One model that is asked a few questions of a bank at a time, until enough is known.

Three aims. Its **ability**: the most telling questions, until the standard error is small. Whether
it is better than a rival whose answers are known, by **accuracy**: all questions of scenes in
random order, as the bank's accuracy is about easy and hard ones alike. Or by **ability**: of each
scene the question that tells most about models such as these two, which takes fewer; what holds
then is that two models that are as good as each other in every question are told apart in 5 % at
most (:mod:`lvlmbench.analysis.duel`).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lvlmbench.analysis.adaptive import ENOUGH, Ability, Chooser
from lvlmbench.analysis.calibration import Bank
from lvlmbench.analysis.duel import Better, Duel, Scenes
from lvlmbench.analysis.lltm import F64, I64

#: Questions that are asked at once.
BATCH = 24


class Session:
    """What was asked, and what is to be asked next.

    Parameters
    ----------
    scene, weight
        Of each question: the number of its scene, and how much it counts in the accuracy.
    rng
        Draws the order.
    bank
        How hard the questions are; None where nobody knows: then a rival is needed, and accuracy.
    rival
        The rival's answers: 1, 0, or nan where there is no scored one.
    by_ability
        Whether a rival is held against by ability.
    """

    def __init__(
        self,
        scene: I64,
        weight: F64,
        rng: np.random.Generator,
        bank: Bank | None,
        rival: F64 | None = None,
        by_ability: bool = False,
    ) -> None:
        self.right = np.full(len(scene), np.nan)
        self.asked: list[int] = []
        self._rival, self._bank = rival, bank
        self._scenes = Scenes.of(scene, weight)
        self._done = 0
        self._order: list[int] = []
        self._chooser: Chooser | None = None
        if rival is None or by_ability:
            if bank is None:
                raise ValueError("how hard questions are is not known")
            able = np.ones(len(scene), dtype=bool) if rival is None else np.isfinite(rival)
            self._chooser = Chooser(bank, able, rng)
        else:
            self._order = rng.permutation(len(self._scenes.questions)).tolist()
        self.ability = Ability(bank) if bank is not None else None
        self._other = Ability(bank) if bank is not None and rival is not None else None

    def next(self, most: int) -> list[int]:
        """Return numbers of questions to ask now: as many, or some more where scenes are whole, or
        fewer where no more are left."""
        if self._chooser is None:
            found: list[int] = []
            while len(found) < most and self._done < len(self._order):
                found += self._scenes.questions[self._order[self._done]].tolist()
                self._done += 1
            return found
        chosen = []
        for _ in range(most):
            if self._rival is not None and not self._chooser.fresh:
                break  # a second question of a scene would not be a new observation
            question = self._chooser.next(self._about)
            if question is None:
                break
            chosen.append(question)
        return chosen

    @property
    def _about(self) -> float:
        """The ability that questions are to tell of: of two models what lies between them. Of the
        rival only what it said to the questions so far may count, or luck would choose."""
        assert self.ability is not None
        if self._other is None:
            return self.ability.value
        return (self.ability.value + self._other.value) / 2

    def add(self, questions: Sequence[int], right: F64) -> None:
        """Take note of answers to questions that :meth:`next` gave: 1, 0, or nan if not scored."""
        self.asked += questions
        self.right[list(questions)] = right
        for question, each in zip(questions, right, strict=True):
            if self.ability is not None:
                self.ability.add(question, float(each))
            if self._other is not None and self._rival is not None:
                self._other.add(question, float(self._rival[question]))

    @property
    def duel(self) -> Duel:
        """How it stands against the rival."""
        assert self._rival is not None
        if self._chooser is None:
            return self._scenes.duel(self._order[: self._done], self.right, self._rival)
        gain = (self.right - self._rival)[self.asked]
        return Duel(np.nan_to_num(gain), np.isfinite(gain).astype(float), 1.0, 1.0)

    @property
    def better(self) -> Better | None:
        """Which of the two is better: the model (first) or its rival; None as long as nobody
        knows."""
        found = self.duel.verdict()
        return found[0] if found else None

    @property
    def over(self) -> bool:
        """Whether enough is known."""
        if self._rival is None:
            return self.ability is not None and self.ability.error <= ENOUGH
        return self.better is not None


def replay(session: Session, right: F64, most: int | None = None, batch: int = BATCH) -> bool:
    """Ask a model whose answers are known until enough is known; returns whether it is.

    Parameters
    ----------
    most
        Questions that are asked at most; all without.
    """
    left = len(right) if most is None else most
    while left > 0 and (questions := session.next(min(batch, left))):
        session.add(questions, right[questions])
        left -= len(questions)
        if session.over:
            return True
    return False
