"""Which scenes the gallery shows: few, the same every time, and different from one another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from lvlmbench.scene.subtasks import subtask_order

#: Candidates of a subtask that are looked at for the next item; bounds the work on big snapshots.
WINDOW = 64


@dataclass(frozen=True)
class Candidate:
    """A scene with an image: ``asked`` holds (subtask asked, question type) of its questions."""

    scene_id: str
    subtask: str
    style: str
    asked: tuple[tuple[str, str], ...]


def choose(candidates: Sequence[Candidate], count: int) -> list[Candidate]:
    """Up to ``count`` candidates, spread over subtasks, styles and kinds of questions.

    Subtasks take turns in canonical order. Within a subtask the scene is taken that adds most of
    what has been shown least (styles; pairs of subtask asked and question type); ties go to the
    smaller id. Ids are hashes, so this is a sample and not the first scenes of the list.
    """
    pools: dict[str, list[Candidate]] = {}
    for candidate in sorted(candidates, key=lambda c: c.scene_id):
        pools.setdefault(candidate.subtask, []).append(candidate)
    order = sorted(pools, key=subtask_order)
    styles: Counter[str] = Counter()
    asked: Counter[tuple[str, str]] = Counter()
    types: Counter[str] = Counter()

    def novelty(candidate: Candidate) -> float:
        value = 1 / (1 + styles[candidate.style])
        for pair in candidate.asked:
            value += 1 / (1 + asked[pair]) / len(candidate.asked)
            value += 1 / (1 + types[pair[1]]) / len(candidate.asked)
        return value

    chosen: list[Candidate] = []
    while len(chosen) < count and any(pools.values()):
        for subtask in order:
            window = pools[subtask][:WINDOW]
            if not window or len(chosen) == count:
                continue
            best = max(window, key=novelty)  # the first of equals: ids ascend
            pools[subtask].remove(best)
            chosen.append(best)
            styles[best.style] += 1
            asked.update(best.asked)
            types.update(kind for _, kind in best.asked)
    return chosen
