"""Levels of pictures and levels of questions, varied apart: what each of them makes harder.

The papers make both harder at once, so that nobody can say which of the two a model fails at. Here
an aspect has pictures of each level with questions of each. All differences are within aspects, as
some have no question of many steps about few things.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.analysis.agreement import over_aspects
from lvlmbench.analysis.asked import aspects_of, right_of
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.leaderboard_rows import Value
from lvlmbench.core.seeding import generator
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.ratios import mean
from lvlmbench.tables import OFFERING

#: Level of the picture, and of the question.
Pair: TypeAlias = tuple[str, str]
#: Of one aspect: accuracy in percent by pair, where it has scored answers.
Cells: TypeAlias = Mapping[Pair, float]

#: What is measured of a cell's pictures and questions (``questions.factors``).
FACTORS = ("kinds", "smallest", "hops", "near")
#: What the bootstrap's draws hang on.
_STAGE = "crossing"
#: Aspects from which an interval is told: draws of fewer hardly vary.
_FEWEST = 5


@dataclass(frozen=True)
class Effect:
    """By how many points accuracy changes, the mean over ``aspects``; None over none."""

    points: Estimate | None
    aspects: int


@dataclass(frozen=True)
class Line:
    """What one model reaches: accuracy by level of the picture, then of the question.

    Attributes
    ----------
    picture, question
        From the first level to the last, of the picture alone and of the question alone: the mean
        over the levels of the other.
    both
        How much further apart hard and easy pictures are at hard questions than at easy ones.
    """

    model: str
    cells: list[list[Value | None]]
    picture: Effect
    question: Effect
    both: Effect


@dataclass(frozen=True)
class Crossing:
    """All that is told: levels, first the easiest; what was measured of each cell; the models."""

    levels: list[str]
    measured: list[list[Mapping[str, float] | None]]
    asked: list[list[int]]
    lines: list[Line]


def build(
    snapshot: Snapshot, leaderboard: Leaderboard, pairs: Mapping[str, Pair]
) -> Crossing | None:
    """Return accuracy by pair of levels, and effects; None where nothing is crossed.

    Parameters
    ----------
    pairs
        Level that is asked at -> level of the picture, and of the question.
    """
    levels = list(dict.fromkeys(picture for picture, _ in pairs.values()))
    if len(levels) < 2 or len(pairs) <= len(levels):
        return None
    asked = snapshot.asked.get(snapshot.first_scenario, pa.table({"level": pa.array([], "str")}))
    questions = snapshot.counted(asked, leaderboard.questions).combine_chunks()
    questions = questions.filter(pc.is_in(questions["level"], value_set=pa.array([*pairs])))
    name = {pair: level for level, pair in pairs.items()}
    aspects, seed = aspects_of(snapshot), snapshot.params.snapshot.seed

    def line(model: str) -> Line:
        found = effects(_by_aspect(snapshot, model, questions, pairs, aspects), levels, seed)
        first, kind = snapshot.first_scenario, OFFERING[0]
        cells = [
            [
                leaderboard.value(model, first, "accuracy", kind, level=name[picture, question])
                for question in levels
            ]
            for picture in levels
        ]
        return Line(model, cells, *found)

    of = {n: questions.filter(pc.equal(questions["level"], n)) for n in pairs}
    return Crossing(
        levels,
        [[_measured(of[name[p, q]]) for q in levels] for p in levels],
        [[len(of[name[p, q]]) for q in levels] for p in levels],
        [line(model) for model in leaderboard.models],
    )


def _measured(questions: pa.Table) -> Mapping[str, float] | None:
    rows = [row for row in questions["factors"].to_pylist() if row is not None]
    return {key: mean([float(row[key]) for row in rows]) for key in FACTORS} if rows else None


def _by_aspect(
    snapshot: Snapshot, model: str, questions: pa.Table, pairs: Mapping[str, Pair],
    aspects: Mapping[str, Any],
) -> list[Cells]:  # fmt: skip
    """Accuracies of each aspect, the aspects in the order of their names."""
    found: dict[Any, dict[Pair, list[float]]] = defaultdict(lambda: defaultdict(list))
    scenes, levels = questions["scene_id"].to_pylist(), questions["level"].to_pylist()
    right = right_of(snapshot, model, questions)
    for scene, level, value in zip(scenes, levels, right.tolist(), strict=True):
        if np.isfinite(value) and scene in aspects:
            found[aspects[scene]][pairs[level]].append(100 * value)
    return [{pair: mean(v) for pair, v in found[key].items()} for key in sorted(found)]


def effects(
    aspects: Sequence[Cells], levels: Sequence[str], seed: int
) -> tuple[Effect, Effect, Effect]:
    """Return the effects of picture, of question, and of both together, over aspects.

    Parameters
    ----------
    aspects
        Accuracies of each aspect. One that lacks a cell counts where it is not needed.
    seed
        Of the snapshot; draws are the same for all models.
    """
    first, last = levels[0], levels[-1]
    gaps: list[list[float]] = [[], [], []]
    for of in aspects:
        ends = (
            [((last, q), (first, q)) for q in levels],
            [((p, last), (p, first)) for p in levels],
        )
        for at, steps in enumerate(ends):
            known = [of[to] - of[start] for to, start in steps if to in of and start in of]
            gaps[at] += [mean(known)] if known else []
        corners = [(last, last), (first, last), (last, first), (first, first)]
        if all(pair in of for pair in corners):
            hard, less, more, easy = (of[pair] for pair in corners)
            gaps[2].append((hard - less) - (more - easy))
    picture, question, both = (_over(gap, seed) for gap in gaps)
    return picture, question, both


def _over(gaps: Sequence[float], seed: int) -> Effect:
    """The mean over aspects, with its bootstrap interval."""
    if not gaps:
        return Effect(None, 0)
    if len(gaps) < _FEWEST:
        return Effect(Estimate(mean(gaps), None, None), len(gaps))
    values = np.array(gaps).reshape(-1, 1, 1)
    ends = over_aspects(values, lambda drawn: drawn[:, 0, 0], generator(seed, _STAGE, "aspects"))
    low, high = ends or (None, None)
    return Effect(Estimate(mean(gaps), low, high), len(gaps))
