"""How far judges agree with each other and with people on which of two answers is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from itertools import combinations
from pathlib import Path

from lvlmbench.analysis.dialogue.compared import STANDINGS, Compared, Standing, standing
from lvlmbench.analysis.dialogue.numbers import ALL, DECIMALS, Number
from lvlmbench.labelling.agreement import alpha
from lvlmbench.labelling.given import read_folder
from lvlmbench.labelling.kinds.answers import SHEET, paired
from lvlmbench.labelling.sheet import RIGHT, UNCLEAR, WRONG
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stages.judge.exam.agreement import kappa
from lvlmbench.stats.ratios import share

#: The labels of people, among judges.
PEOPLE = "people"
#: What people say of the first of two answers.
_SAID: Mapping[str, Standing] = {RIGHT: "better", WRONG: "worse", UNCLEAR: "tie"}

#: Answer, or pair of answers -> how the one stands to the other; the same -> its scene.
Labels = Mapping[Hashable, Standing]
Scenes = Mapping[Hashable, str]


def judges(
    found: Mapping[str, Mapping[str, list[Compared]]], seed: int
) -> Iterator[tuple[str, str, Number]]:
    """Yield how far each two judges agree on answers beside references, as (judge, other, number).

    Parameters
    ----------
    found
        Judge -> model -> its answers in a scenario.
    """
    labels: dict[str, dict[Hashable, Standing]] = {}
    scenes: dict[Hashable, str] = {}
    for judge, models in found.items():
        labels[judge] = {}
        for model, answers in models.items():
            for answer in answers:
                scenes[model, answer.item] = answer.scene
                if answer.standing is not None:
                    labels[judge][model, answer.item] = answer.standing
    for one, other in combinations(found, 2):
        for number in agreeing(labels[one], labels[other], scenes, seed):
            yield one, other, number


def with_people(
    snapshot: Snapshot, labels: Path, found: Mapping[str, Mapping[str, list[Compared]]], seed: int
) -> Iterator[tuple[str, str, Number]]:
    """Yield how far each judge agrees with people on pairs of two models' answers.

    A judge finds that one better whose mean score over both orders is higher. What most people say
    counts; where none of their labels has more than half, the pair is left out (TouchStone, section
    4.1, asks a fourth person).

    Parameters
    ----------
    found
        Judge -> model -> its clean answers.

    Raises
    ------
    UserError
        A file of labels is damaged.
    """
    said = _people(snapshot, labels)
    first_judge = next(iter(found), None)
    if not said or first_judge is None:
        return
    people: dict[Hashable, Standing] = {}
    pairs: dict[Hashable, tuple[Hashable, Hashable]] = {}
    for first, second, item in paired(snapshot, first_judge):
        if item.item_id in said:
            at = first["question_id"], first["image_id"]
            people[at], pairs[at] = (
                said[item.item_id],
                ((first["model"], at), (second["model"], at)),
            )
    for judge, models in found.items():
        by_answer: dict[Hashable, Compared] = {
            (model, answer.item): answer for model, answers in models.items() for answer in answers
        }
        scenes: dict[Hashable, str] = {}
        own: dict[Hashable, Standing] = {}
        for pair, (one, other) in pairs.items():
            if one not in by_answer or other not in by_answer:
                continue
            scenes[pair] = by_answer[one].scene
            scores = by_answer[one].own, by_answer[other].own
            if scores[0] is not None and scores[1] is not None:
                own[pair] = standing(scores[0], scores[1])
        for number in agreeing(own, people, scenes, seed):
            yield judge, PEOPLE, number


def _people(snapshot: Snapshot, labels: Path) -> Mapping[str, Standing]:
    """What more than half of the people say of the first answer of each pair, by the pair's id."""
    votes: dict[str, Counter[str]] = {}
    for rater in read_folder(labels, snapshot.params.suite, SHEET):
        for item_id, label in rater.labels.items():
            if label.label in _SAID:
                votes.setdefault(item_id, Counter())[label.label] += 1
    found = {}
    for item_id, counts in votes.items():
        first, most = counts.most_common(1)[0]
        if 2 * most > counts.total():
            found[item_id] = _SAID[first]
    return found


def agreeing(one: Labels, other: Labels, scenes: Scenes, seed: int) -> Iterator[Number]:
    """Yield agreement in %, Cohen's kappa and Krippendorff's alpha of two who label the same.

    Parameters
    ----------
    scenes
        Of all that they were to label.
    """
    both = [item for item in scenes if item in one and item in other]
    pairs = [(one[item], other[item]) for item in both]
    about = [scenes[item] for item in both]
    n, asked = len(both), len(scenes)

    def number(measure: str, *ends: float | None) -> Number:
        value, low, high = (None if end is None else round(end, DECIMALS) + 0.0 for end in ends)
        return Number(ALL, measure, value, low, high, n, asked, asked - n)

    alike, of = Counter[str](), Counter(about)
    for (a, b), scene in zip(pairs, about, strict=True):
        alike[scene] += a == b
    found = share((alike[scene], trials) for scene, trials in of.items())
    ends = (None, None, None) if found is None else (found.value, found.low, found.high)
    yield number("agreement", *(None if end is None else 100 * end for end in ends))
    yield number("kappa", *kappa(pairs, about, seed))
    agreed = alpha(pairs, seed, STANDINGS, about)
    yield number("alpha", agreed.value, agreed.low, agreed.high)
