"""Adaptive tests on answers that are there: how few questions would have told the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.adaptive import in_random_order
from lvlmbench.analysis.asked import right_of
from lvlmbench.analysis.calibration import Bank, calibrate
from lvlmbench.analysis.difficulty import (
    FACTORS,
    above_guessing,
    factors_of,
    numbered,
    numbers,
    types_of,
)
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.lltm import F64, I64, Answers
from lvlmbench.analysis.session import Session, replay
from lvlmbench.core.seeding import generator
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.tables import JUDGED

#: Models, scenes and questions below which nothing is replayed.
FEWEST_MODELS, FEWEST_SCENES, FEWEST_QUESTIONS = 4, 50, 100
#: Models below which, without those that are tested, no difficulties are fitted.
FEWEST_OTHERS = 2


@dataclass(frozen=True)
class Stored:
    """The questions with a right answer that a snapshot asks, and what models said to them.

    Attributes
    ----------
    ids
        Of the questions, those of a scene beside each other.
    weight
        How much each counts: question types alike, and of each type its subtasks, as in ``total``.
    right
        By model: 1, 0, or nan where there is no scored answer. Models that guess are left out.
    above
        Models that are clearly above guessing: their answers say how hard questions are.
    seed
        Of the snapshot.
    """

    ids: list[str]
    scene: I64
    weight: F64
    chance: F64
    properties: F64
    right: Mapping[str, F64]
    above: list[str]
    seed: int

    def accuracy(self, model: str) -> float:
        """Accuracy over all scored answers."""
        right = self.right[model]
        scored = np.isfinite(right)
        return float(self.weight[scored] @ right[scored] / self.weight[scored].sum())

    def gap(self, model: str, rival: str) -> float:
        """By how much a model's accuracy is above a rival's, where both have scored answers."""
        away = self.right[model] - self.right[rival]
        both = np.isfinite(away)
        return float(self.weight[both] @ away[both] / self.weight[both].sum())

    def bank(self, *tested: str) -> Bank | None:
        """How hard the questions are, by the answers of all models but some; None where too few
        are left."""
        others = [self.right[model] for model in self.above if model not in tested]
        if len(others) < FEWEST_OTHERS:
            return None
        return calibrate(Answers(np.array(others), self.chance, self.properties, self.scene))

    def rng(self, *about: str) -> np.random.Generator:
        """Return the generator of a test of these models."""
        return generator(self.seed, "adaptive", "|".join(about))


def stored_of(snapshot: Snapshot, models: Sequence[str], guessers: set[str]) -> Stored:
    """Return what is asked in the scenario that charts show, and what these models said."""
    asked = snapshot.asked.get(snapshot.first_scenario, tables.QUESTIONS.empty_table())
    asked = snapshot.counted(asked).combine_chunks()
    closed = pc.is_in(asked["question_type"], value_set=pa.array(JUDGED))
    questions = asked.filter(pc.and_(closed, pc.is_valid(asked["chance"]))).sort_by(
        [("scene_id", "ascending"), ("question_id", "ascending")]
    )
    chance, scenes = numbers(questions["chance"]), questions["scene_id"].to_pylist()
    right = {}
    for model in models:
        found = right_of(snapshot, model, questions)
        if model not in guessers and np.isfinite(found).any():
            right[model] = found
    return Stored(
        questions["question_id"].to_pylist(), numbered(scenes), _weights(questions), chance,
        _properties(questions), right,
        [model for model, each in right.items() if above_guessing(each - chance, scenes)],
        snapshot.params.snapshot.seed,
    )  # fmt: skip


def _weights(questions: pa.Table) -> F64:
    """How much questions count in ``total``, 1 on average."""
    cells = list(
        zip(questions["question_type"].to_pylist(), questions["subtask"].to_pylist(), strict=True)
    )
    of_cell = Counter(cells)
    subtasks = Counter(kind for kind, _ in of_cell)
    each = [len(cells) / len(subtasks) / subtasks[cell[0]] / of_cell[cell] for cell in cells]
    return np.array(each, dtype=np.float64)


def _properties(questions: pa.Table) -> F64:
    """What may explain difficulties: factors where all questions have all of them, and types."""
    kinds = types_of(questions)
    for factor in FACTORS:
        if pc.struct_field(questions["factors"].combine_chunks(), factor.name).null_count:
            return kinds
    return np.hstack([factors_of(questions), kinds])


@dataclass(frozen=True)
class Verdict:
    """After how many questions it is clear who is better; ``better`` is None where it never is, and
    ``agrees`` says whether the whole bank says the same."""

    questions: int
    better: bool | None
    agrees: bool | None


@dataclass(frozen=True)
class Line:
    """A model that is tested again, question by question.

    Attributes
    ----------
    accuracy
        Over the whole bank.
    known, known_random
        Questions until its ability is known, the most telling ones and in random order; None where
        all are too few.
    rival
        The next model in accuracy; None for the last one.
    gap
        By how much it is better than that.
    by_accuracy, by_ability
        How soon that is clear.
    """

    model: str
    accuracy: float
    known: int | None
    known_random: int | None
    rival: str | None = None
    gap: float | None = None
    by_accuracy: Verdict | None = None
    by_ability: Verdict | None = None


@dataclass(frozen=True)
class Replayed:
    """Tests of all models, the best one first."""

    questions: int
    scenes: int
    lines: list[Line]


def build(snapshot: Snapshot, leaderboard: Leaderboard) -> Replayed | None:
    """Test each model that is clearly above guessing against the next one; None where there are too
    few models or questions."""
    stored = stored_of(snapshot, leaderboard.models, leaderboard.guessers)
    scenes = len(np.unique(stored.scene))
    if len(stored.above) < FEWEST_MODELS or len(stored.ids) < FEWEST_QUESTIONS:
        return None
    if scenes < FEWEST_SCENES:
        return None
    return Replayed(len(stored.ids), scenes, _lines(stored))


def _lines(stored: Stored) -> list[Line]:
    ranked = sorted(stored.above, key=lambda model: (-stored.accuracy(model), model))
    out = []
    bank: Bank | None = None
    for model, rival in pairwise([*ranked, ""]):
        if rival:
            bank = stored.bank(model, rival)
        assert bank is not None  # the last one's: that of the pair before it, which it is part of
        plain = Session(stored.scene, stored.weight, stored.rng(model), bank)
        known = replay(plain, stored.right[model], batch=1)
        line = Line(
            model, stored.accuracy(model), len(plain.asked) if known else None,
            in_random_order(bank, stored.right[model], stored.rng(model, "random")),
        )  # fmt: skip
        out.append(_against(stored, line, rival, bank) if rival else line)
    return out


def _against(stored: Stored, line: Line, rival: str, bank: Bank) -> Line:
    gap = stored.gap(line.model, rival)
    found = []
    for by_ability in (False, True):
        rng = stored.rng(line.model, rival)
        told = stored.right[rival]
        session = Session(stored.scene, stored.weight, rng, bank, told, by_ability)
        known = replay(session, stored.right[line.model])
        better = session.better == "first" if known else None
        agrees = None if better is None else (gap > 0 if better else gap < 0)
        found.append(Verdict(len(session.asked), better, agrees))
    return Line(
        line.model, line.accuracy, line.known, line.known_random, rival, gap, found[0], found[1]
    )
