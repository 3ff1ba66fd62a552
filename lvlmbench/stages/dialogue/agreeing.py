"""How far judges agree with each other and with people on which of two answers is better."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping
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
    found: Mapping[str, Mapping[str, list[Compared]]], abilities: Mapping[str, str], seed: int
) -> Iterator[tuple[str, str, Number]]:
    """Yield how far each two judges agree on answers beside references, as (judge, other, number).

    Parameters
    ----------
    found
        Judge -> model -> its answers in a scenario.
    abilities
        Task -> ability, by which it is told, too.
    """
    labels: dict[str, dict[Hashable, Standing]] = {}
    scenes: dict[Hashable, str] = {}
    strata: dict[Hashable, str] = {}
    for judge, models in found.items():
        labels[judge] = {}
        for model, answers in models.items():
            for answer in answers:
                scenes[model, answer.item] = answer.scene
                strata[model, answer.item] = abilities[answer.task]
                if answer.standing is not None:
                    labels[judge][model, answer.item] = answer.standing
    for one, other in combinations(found, 2):
        for number in by_stratum(labels[one], labels[other], scenes, strata, seed):
            yield one, other, number


def with_people(
    snapshot: Snapshot,
    labels: Path,
    found: Mapping[str, Mapping[str, list[Compared]]],
    abilities: Mapping[str, str],
    seed: int,
) -> Iterator[tuple[str, str, Number]]:
    """Yield how far each judge agrees with people on pairs of two models' answers, and people who
    have labelled the same pairs with one another.

    A judge finds that one better whose mean score over both orders is higher. What most people say
    counts; where none of their labels has more than half, the pair is left out (TouchStone, section
    4.1, asks a fourth person).

    Parameters
    ----------
    found
        Judge -> model -> its clean answers.
    abilities
        Task -> ability, by which it is told, too.

    Raises
    ------
    UserError
        A file of labels is damaged.
    """
    votes, first_judge = _votes(snapshot, labels), next(iter(found), None)
    if not votes or first_judge is None:
        return
    said = _most(votes)
    shown = [
        ((first["question_id"], first["image_id"]), (first, second), item.item_id)
        for first, second, item in paired(snapshot, first_judge)
        if first["subtask"] in abilities
    ]
    strata: dict[Hashable, str] = {at: abilities[r[0]["subtask"]] for at, r, _ in shown}
    people: dict[Hashable, Standing] = {at: said[item] for at, _, item in shown if item in said}
    pairs = {at: [(row["model"], at) for row in rows] for at, rows, item in shown if item in said}
    for judge, models in found.items():
        by_answer = {
            (model, answer.item): answer for model, answers in models.items() for answer in answers
        }
        there = {at: two for at, two in pairs.items() if all(each in by_answer for each in two)}
        scenes: dict[Hashable, str] = {at: by_answer[two[0]].scene for at, two in there.items()}
        own: dict[Hashable, Standing] = {}
        for at, two in there.items():
            one, other = (by_answer[each].own for each in two)
            if one is not None and other is not None:
                own[at] = standing(one, other)
        for number in by_stratum(own, people, scenes, strata, seed):
            yield judge, PEOPLE, number
    about = [(at, rows[0]["scene_id"], votes.get(item, {})) for at, rows, item in shown]
    for number in _among_people(about, strata, seed):
        yield PEOPLE, PEOPLE, number


def _among_people(
    about: Iterable[tuple[Hashable, str, Mapping[str, Standing]]],
    strata: Mapping[Hashable, str],
    seed: int,
) -> Iterator[Number]:
    """Yield how far each two people agree who have labelled the same pairs: of each pair its scene
    and what each person says of it."""
    one: dict[Hashable, Standing] = {}
    other: dict[Hashable, Standing] = {}
    scenes: dict[Hashable, str] = {}
    of: dict[Hashable, str] = {}
    for at, scene, said in about:
        for a, b in combinations(sorted(said), 2):
            key = at, a, b
            one[key], other[key], scenes[key], of[key] = said[a], said[b], scene, strata[at]
    if scenes:
        yield from by_stratum(one, other, scenes, of, seed)


def _votes(snapshot: Snapshot, labels: Path) -> Mapping[str, Mapping[str, Standing]]:
    """What each person says of the first answer of a pair, by the pair's id."""
    votes: dict[str, dict[str, Standing]] = {}
    for rater in read_folder(labels, snapshot.params.suite, SHEET):
        for item_id, label in rater.labels.items():
            if label.label in _SAID:
                votes.setdefault(item_id, {})[rater.rater] = _SAID[label.label]
    return votes


def _most(votes: Mapping[str, Mapping[str, Standing]]) -> Mapping[str, Standing]:
    """What more than half of the people say; nothing of pairs where no more than half agree."""
    found = {}
    for item_id, said in votes.items():
        first, most = Counter(said.values()).most_common(1)[0]
        if 2 * most > len(said):
            found[item_id] = first
    return found


def by_stratum(
    one: Labels, other: Labels, scenes: Scenes, strata: Mapping[Hashable, str], seed: int
) -> Iterator[Number]:
    """Yield how far two agree (:func:`agreeing`): in all, then by the stratum of what is labelled,
    where there are several."""
    yield from agreeing(one, other, scenes, seed)
    names = dict.fromkeys(strata[item] for item in scenes)
    for name in names if len(names) > 1 else ():
        own = {item: scene for item, scene in scenes.items() if strata[item] == name}
        for number in agreeing(one, other, own, seed):
            yield number._replace(stratum=name)


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
