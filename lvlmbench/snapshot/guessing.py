"""What answers get that do not look: guesses, and the same answer to every question."""

from __future__ import annotations

import string
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.scene.answers import sort_of
from lvlmbench.tables import JUDGED, TYPES

Bools = npt.NDArray[np.bool_]

#: Columns of questions that :func:`with_chance` looks at.
LOOKED_AT = ("question_type", "scene_id", "pair", "base", "answer", "chance")


def _short(questions: pa.Table) -> pa.ChunkedArray:
    """Which rows ask for a short answer: judged, and without options."""
    kinds = [name for name, each in TYPES.items() if each.judged and not each.offers]
    return pc.is_in(questions["question_type"], value_set=pa.array(kinds))


def with_chance(questions: pa.Table) -> pa.Table:
    """Return questions with the ``chance`` of short answers, which no single question knows.

    It is the share of the suite's other questions for a number, a color or a word (whichever this
    one asks for) that have the same answer: what a guesser gets who knows how often each answer is
    right. Averaged over questions it is the sum of squared shares of the answers, without the
    bias of small samples (Simpson 1949). Questions about the same scene, its twin or its copies in
    other styles are left out, as their answers hang together; where no other is left, it is 0.

    Parameters
    ----------
    questions
        All of a suite, with the columns :data:`LOOKED_AT`.
    """
    rows = np.flatnonzero(_short(questions).to_numpy())
    if not len(rows):
        return questions
    some = questions.take(pa.array(rows))
    answers = some["answer"].to_pylist()
    scenes = pc.coalesce(some["base"], some["pair"], some["scene_id"]).to_pylist()
    sorts = [sort_of([answer]) for answer in answers]
    of_sort, same = Counter(sorts), Counter(zip(sorts, answers, strict=True))
    here = Counter(zip(scenes, sorts, strict=True))
    same_here = Counter(zip(scenes, sorts, answers, strict=True))
    chance = questions["chance"].to_numpy().copy()
    for row, scene, sort, answer in zip(rows, scenes, sorts, answers, strict=True):
        others = of_sort[sort] - here[scene, sort]
        alike = same[sort, answer] - same_here[scene, sort, answer]
        chance[row] = alike / others if others else 0.0
    column = pa.array(chance, pa.float64(), from_pandas=True)
    return questions.set_column(questions.schema.get_field_index("chance"), "chance", column)


@dataclass(frozen=True)
class Constant:
    """What one answer gets that is given to every question of a type.

    Attributes
    ----------
    answer
        In words, such as ``always (A)``.
    value
        Mean accuracy over subtasks, in percent, as a score is.
    right, n
        Questions that it answers right, of how many.
    """

    question_type: str
    answer: str
    value: float
    right: int
    n: int


def constants(questions: pa.Table) -> list[Constant]:
    """Return what constant answers get, by question type: each letter; each option, where all
    questions of the type offer the same; of short answers the commonest number, color and word.

    A letter that a question does not offer is wrong.

    Parameters
    ----------
    questions
        Rows of ``tables.QUESTIONS``; those answered freely do not count.
    """
    found = []
    for kind in JUDGED:
        mine = questions.filter(pc.equal(questions["question_type"], kind)).combine_chunks()
        if not len(mine):
            continue
        subtask = mine["subtask"].combine_chunks().dictionary_encode().indices.to_numpy()
        asked = np.bincount(subtask)
        for answer, right in (_options if TYPES[kind].offers else _commonest)(mine):
            value = 100 * float(np.mean(np.bincount(subtask, weights=right) / asked))
            found.append(Constant(kind, answer, value, int(right.sum()), len(mine)))
    return found


def _options(mine: pa.Table) -> Iterator[tuple[str, Bools]]:
    """Answers by letter, and in words where all questions offer the same, with where they are
    right."""
    index = mine["answer_index"].to_numpy()
    for at in range(pc.max(pc.list_value_length(mine["options"])).as_py()):
        yield f"always ({string.ascii_uppercase[at]})", index == at
    words = {frozenset(options) for options in mine["options"].to_pylist()}
    for word in sorted(*words, reverse=True) if len(words) == 1 else ():
        yield f"always {word}", pc.equal(mine["answer"], word).to_numpy()


def _commonest(mine: pa.Table) -> Iterator[tuple[str, Bools]]:
    """The commonest answer of each sort, the first by name of several."""
    counted = sorted(Counter(mine["answer"].to_pylist()).items(), key=lambda one: (-one[1], one[0]))
    best: dict[str, str] = {}
    for answer, _ in counted:
        best.setdefault(sort_of([answer]), answer)
    right = pc.is_in(mine["answer"], value_set=pa.array([*best.values()]))
    yield f"always {', '.join(best.values())}", right.to_numpy()


def best_constants(questions: pa.Table) -> dict[str, Constant]:
    """Return by question type the constant answer that gets most."""
    best: dict[str, Constant] = {}
    for each in sorted(constants(questions), key=lambda one: -one.value):
        best.setdefault(each.question_type, each)
    return {kind: best[kind] for kind in JUDGED if kind in best}
