"""Paired comparisons of judged answers: by what they claim, or by the scores that they get."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from lvlmbench import tables
from lvlmbench.analysis.hallucination.totals import Harmonic, harmonic
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.metrics.rows import ALL
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.pool import F64, CellSums, Pool, Row

#: Scores that a judge gives are from 1 to 10.
_LARGEST = 9.0


class Answer(NamedTuple):
    """A judged answer.

    Attributes
    ----------
    scene, subtask
        What it is about.
    sides
        Hits and trials of each side of F1: claims that are true, features that are covered; for a
        score, the score alone.
    """

    scene: str
    subtask: str
    sides: tuple[tuple[float, float], ...]

    @property
    def worth(self) -> float:
        """Return what tells which of two answers is better."""
        shares = [over / under if under else 0.0 for over, under in self.sides]
        if len(shares) < 2:
            return shares[0]
        return 2 * shares[0] * shares[1] / sum(shares) if all(shares) else 0.0


#: Question -> the answer to it.
Answers = Mapping[str, Answer]
#: Reads the judged answers of a model in a scenario.
Reads = Callable[[Snapshot, str, str, str], Answers]


def by_claims(snapshot: Snapshot, judge: str, model: str, scenario: str) -> Answers:
    """Return what answers claim and cover, as a judge sees it."""
    sides = (("true_claims", ("true_claims", "wrong_claims")), ("covered", ("owed",)))
    columns = ("question_id", "scene_id", "subtask", "status", "true_claims", "wrong_claims",
               "covered", "owed")  # fmt: skip
    names = {"judge": judge, "model": model, "scenario": scenario}
    return {
        row["question_id"]: Answer(
            row["scene_id"], row["subtask"],
            tuple((float(row[hit]), float(sum(row[name] for name in of))) for hit, of in sides),
        )
        for row in snapshot.read(tables.JUDGEMENTS, columns, **names).to_pylist()
        if row["status"] == "judged" and row["owed"] is not None
    }  # fmt: skip


def by_scores(snapshot: Snapshot, judge: str, model: str, scenario: str) -> Answers:
    """Return the scores of answers, the mean of both orders."""
    columns = ("question_id", "scene_id", "status", "as_first", "as_second")
    names = {"judge": judge, "model": model, "scenario": scenario}
    return {
        row["question_id"]: Answer(
            row["scene_id"], ALL, (((row["as_first"] + row["as_second"]) / 2, 1.0),)
        )
        for row in snapshot.read(tables.PAIRWISE, columns, **names).to_pylist()
        if row["status"] == "judged"
    }


#: Table that a headline comes from -> how its answers are read.
READS: Mapping[str, Reads] = {"hallucination": by_claims, "dialogue": by_scores}


class Compared(NamedTuple):
    """Two sets of answers to the same questions.

    Attributes
    ----------
    found
        By how much the first is better, on the scale of the headline; None where nothing pairs.
    n, better, worse, unpaired
        Questions that both have a judged answer to, those in which the first is better, in which it
        is worse, and questions that one alone has an answer to.
    """

    found: Estimate | None
    n: int
    better: int
    worse: int
    unpaired: int


def compared(one: Answers, other: Answers, clusters: Mapping[str, str]) -> Compared:
    """Compare judged answers to the same questions."""
    both = sorted({*one} & {*other})
    leads = [one[name].worth - other[name].worth for name in both]
    if not both:
        found = None
    elif len(one[both[0]].sides) > 1:
        found = _of_f1([one[name] for name in both], [other[name] for name in both], clusters)
    else:
        found = _of_scores([one[name] for name in both], leads, clusters)
    better, worse = sum(lead > 0 for lead in leads), sum(lead < 0 for lead in leads)
    return Compared(found, len(both), better, worse, len({*one} ^ {*other}))


def _of_scores(
    answers: Sequence[Answer], leads: Sequence[float], clusters: Mapping[str, str]
) -> Estimate | None:
    """The mean of differences, in points of a thousand."""
    rows = [
        Row(answer.scene, 0, clusters.get(answer.scene, answer.scene), 1.0, lead, lead * lead)
        for answer, lead in zip(answers, leads, strict=True)
    ]
    pool = Pool(CellSums.named(_merged(rows), [0]), (-_LARGEST, _LARGEST))
    found = pool.difference_of(np.ones(1))
    return None if found is None else found.scaled(100.0)


def _of_f1(
    one: Sequence[Answer], other: Sequence[Answer], clusters: Mapping[str, str]
) -> Estimate | None:
    """The difference of two means over subtasks of F1, by what each cluster adds to it."""
    subtasks = sorted({answer.subtask for answer in one})
    names = sorted({clusters.get(answer.scene, answer.scene) for answer in one})
    sides = [_f1(answers, subtasks, names, clusters) for answers in (one, other)]
    if sides[0] is None or sides[1] is None:
        return None
    moved = sides[0][1] - sides[1][1]
    value = sides[0][0].value - sides[1][0].value
    return Estimate.from_influence(value, moved.tolist(), len(one)).scaled(100.0)


def _f1(
    answers: Sequence[Answer],
    subtasks: Sequence[str],
    names: Sequence[str],
    clusters: Mapping[str, str],
) -> tuple[Harmonic, F64] | None:
    """The mean over subtasks of F1, and how far each cluster moves it."""
    rows = [
        Row(answer.scene, 2 * subtasks.index(answer.subtask) + side,
            clusters.get(answer.scene, answer.scene), under, over, over)
        for answer in answers
        for side, (over, under) in enumerate(answer.sides)
    ]  # fmt: skip
    pool = Pool(CellSums.named(_merged(rows), [0, 1] * len(subtasks)))
    parts = [harmonic(pool, 2 * at, 2 * at + 1) for at in range(len(subtasks))]
    known = [part for part in parts if part is not None]
    if len(known) < len(parts):
        return None
    mean = Harmonic.mean(known)
    met = sorted({row.cluster for row in rows if row.n})
    moved = np.zeros(len(names))
    moved[[names.index(name) for name in met]] = pool.influence(mean.weights, len(met))
    return mean, moved


def _merged(rows: Sequence[Row]) -> list[Row]:
    """One row a scene and cell."""
    found: dict[tuple[str, int], Row] = {}
    for row in rows:
        before = found.get((row.scene, row.cell))
        if before is not None:
            sums = (before.n + row.n, before.total + row.total, before.squares + row.squares)
            row = Row(row.scene, row.cell, row.cluster, *sums)
        found[row.scene, row.cell] = row
    return list(found.values())
