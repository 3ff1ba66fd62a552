"""What makes questions hard: how much each measured property of a picture and question counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.asked import aspects_of, right_of
from lvlmbench.analysis.leaderboard import Leaderboard
from lvlmbench.analysis.lltm import Answers, HeldOut, fit, hold_out, informative
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.ratios import Sums, ratio
from lvlmbench.tables import JUDGED

F64: TypeAlias = npt.NDArray[np.float64]

#: Scenes and scored answers below which nothing is fitted.
FEWEST_SCENES, FEWEST_ANSWERS = 50, 300


@dataclass(frozen=True)
class Factor:
    """A property of ``questions.factors``: in words, and how much of it a weight is for."""

    name: str
    words: str
    unit: float
    of_unit: str


FACTORS = (
    Factor("kinds", "kinds of things", 1, "one kind more"),
    Factor("instances", "things", 1, "one thing more"),
    Factor("smallest", "size of the smallest thing", 0.1, "a tenth of the picture's side larger"),
    Factor("hidden", "hidden part of a thing", 0.1, "a tenth of the thing more"),
    Factor("hops", "steps of the question", 1, "one step more"),
    Factor("near", "wrong options like something that is there", 1, "one such option more"),
)


@dataclass(frozen=True)
class Weight:
    """How much harder a question is for a unit more of a factor, in logits; None where it does not
    vary, or only with those before it. ``low`` and ``high`` are what the questions have of it."""

    factor: Factor
    low: float
    high: float
    weight: Estimate | None


@dataclass(frozen=True)
class Difficulty:
    """Weights of the factors, over the models that are clearly above guessing.

    Attributes
    ----------
    models, others
        Models whose answers count, and those that are not clearly above guessing.
    weights
        Empty where there are too few answers.
    held_out
        How well answers about one ``group`` (aspect or subtask) are predicted from all others.
    informative
        How many items of the best difficulty tell as much of the models as the questions do.
    """

    models: list[str]
    others: list[str]
    questions: int
    scenes: int
    answers: int
    weights: list[Weight]
    held_out: HeldOut | None
    group: str
    informative: float | None = None


def build(snapshot: Snapshot, leaderboard: Leaderboard) -> Difficulty | None:
    """Return the weights in the scenario that charts show; None where questions have no factors, or
    no model is clearly above guessing."""
    questions = _questions(snapshot, leaderboard)
    if not len(questions):
        return None
    chance = numbers(questions["chance"])
    scenes = questions["scene_id"].to_pylist()
    right: dict[str, F64] = {}
    others: list[str] = []
    for model in leaderboard.models:
        found = right_of(snapshot, model, questions)
        if model in leaderboard.guessers or not np.isfinite(found).any():
            continue
        if above_guessing(found - chance, scenes):
            right[model] = found
        else:
            others.append(model)
    if not right:
        return None
    return _difficulty(snapshot, questions, right, others)


def _questions(snapshot: Snapshot, leaderboard: Leaderboard) -> pa.Table:
    """Asked questions with a right answer and all factors, those of a scene beside each other."""
    asked = snapshot.asked.get(snapshot.first_scenario, tables.QUESTIONS.empty_table())
    asked = snapshot.counted(asked, leaderboard.questions).combine_chunks()
    known = pc.and_(
        pc.is_in(asked["question_type"], value_set=pa.array(JUDGED)), pc.is_valid(asked["chance"])
    )
    for factor in FACTORS:
        known = pc.and_(known, pc.is_valid(pc.struct_field(asked["factors"], factor.name)))
    return asked.filter(known).sort_by([("scene_id", "ascending"), ("question_id", "ascending")])


def numbers(column: Any) -> F64:
    return np.array(column.to_pylist(), dtype=np.float64)


def above_guessing(gain: F64, scenes: Sequence[str]) -> bool:
    """Whether the interval of a model's accuracy less guessing is above 0."""
    sums: dict[str, Sums] = {}
    for scene, value in zip(scenes, gain.tolist(), strict=True):
        if np.isfinite(value):
            over, under = sums.get(scene, Sums(0, 0))
            sums[scene] = Sums(over + value, under + 1)
    found = ratio(list(sums.values()))
    return found is not None and found.low is not None and found.low > 0


def _difficulty(
    snapshot: Snapshot, questions: pa.Table, right: Mapping[str, F64], others: list[str]
) -> Difficulty:
    matrix = np.array(list(right.values()))
    answered = np.isfinite(matrix).any(axis=0)
    questions, matrix = questions.filter(pa.array(answered)), matrix[:, answered]
    group, groups = _groups(snapshot, questions)
    of_type = types_of(questions)
    values = factors_of(questions)
    scene = numbered(questions["scene_id"].to_pylist())
    answers = Answers(
        matrix, numbers(questions["chance"]), np.hstack([values, of_type]), scene
    )  # fmt: skip
    n_scenes, n_answers = len(np.unique(scene)), int(np.isfinite(matrix).sum())
    enough = n_scenes >= FEWEST_SCENES and n_answers >= FEWEST_ANSWERS
    return Difficulty(
        list(right), others, len(questions), n_scenes, n_answers,
        _weights(answers) if enough else [],
        hold_out(answers, groups, of_type.shape[1]) if enough else None, group,
        informative(answers, fit(answers)) if enough else None,
    )  # fmt: skip


def _weights(answers: Answers) -> list[Weight]:
    found = fit(answers)
    out = []
    for at, factor in enumerate(FACTORS):
        column = answers.properties[:, at]
        each = found.interval(at) if answers.varies[at] else None
        out.append(Weight(factor, float(column.min()), float(column.max()), _per(each, factor)))
    return out


def _per(weight: Estimate | None, factor: Factor) -> Estimate | None:
    if weight is None or weight.low is None or weight.high is None:
        return None
    unit = factor.unit
    return Estimate(weight.value * unit, weight.low * unit, weight.high * unit)


def factors_of(questions: pa.Table) -> F64:
    rows = questions["factors"].to_pylist()
    found = np.array([[row[f.name] for f in FACTORS] for row in rows], dtype=np.float64)
    return found.reshape(len(rows), len(FACTORS))  # of no question, too


def types_of(questions: pa.Table) -> F64:
    """A column for each question type but the first, as some are harder than others."""
    kinds = questions["question_type"].to_pylist()
    found = [name for name in JUDGED if name in kinds][1:]
    return np.array([[float(kind == name) for name in found] for kind in kinds]).reshape(
        len(kinds), len(found)
    )


def _groups(snapshot: Snapshot, questions: pa.Table) -> tuple[str, npt.NDArray[np.int64]]:
    """What is held out, and its number for each question: the aspect of an exam's scene, or the
    subtask."""
    of = aspects_of(snapshot)
    if of:
        return "aspect", numbered([of.get(s, ("", "")) for s in questions["scene_id"].to_pylist()])
    return "subtask", numbered(questions["subtask"].to_pylist())


def numbered(names: Sequence[Any]) -> npt.NDArray[np.int64]:
    return np.unique([str(name) for name in names], return_inverse=True)[1].astype(np.int64)
