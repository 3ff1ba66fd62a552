"""What options give away: before and after wrong ones are adjusted, and where the right one stands.

AutoDavis, figure 2 (accuracy without the picture, before and after) and section 3.2: the change of
the score when all right options stand at one letter, R = (S_A - S_U) / S_U. Both are paired by
question; intervals are clustered by scene.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from string import ascii_uppercase
from typing import TypeVar

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.analysis.leaderboard import ALL, Leaderboard
from lvlmbench.core.registry import kinds_of
from lvlmbench.snapshot.reader import Snapshot
from lvlmbench.stats.estimate import Estimate
from lvlmbench.stats.ratios import Sums, ratio, relative, share

Group = TypeVar("Group")

#: (question, severity) -> (its scene, whether the answer is right).
Right = Mapping[tuple[str, int | None], tuple[str, bool]]


@dataclass(frozen=True)
class Adjusting:
    """A model with the options of the draft and with adjusted ones, in one pair of scenarios.

    Attributes
    ----------
    pictures
        Whether it saw the pictures.
    before, after
        Accuracy over the same questions: those that were adjusted and answered both times.
    change
        ``after`` less ``before``.
    """

    model: str
    pictures: bool
    before: Estimate
    after: Estimate
    change: Estimate


@dataclass(frozen=True)
class Place:
    """A model with all right options at one letter, beside where they stand by chance.

    Attributes
    ----------
    before, there
        Accuracy over the same questions: in the first scenario, and with the letter.
    relative
        Their difference over ``before``; None where nothing was right before.
    """

    model: str
    letter: str
    before: Estimate
    there: Estimate
    relative: Estimate | None


@dataclass(frozen=True)
class Options:
    """What options give away; ``adjusted`` of ``questions`` had an option adjusted."""

    adjusting: list[Adjusting]
    places: list[Place]
    questions: int
    adjusted: int


def build(snapshot: Snapshot, leaderboard: Leaderboard) -> Options | None:
    """Return what options give away; None where no scenario was run that tells."""
    asked, first = _adjusted(snapshot), snapshot.first_scenario
    found = [each for _, each in _adjustments(snapshot, leaderboard, {ALL: asked})]
    at: list[Place] = []
    for model in leaderboard.models:
        for name in _scenarios(snapshot)[1]:
            at += places(model, *(_right(snapshot, model, each) for each in (first, name)))
    if not found and not at:
        return None
    every = snapshot.questions.filter(tables.offers(snapshot.questions["question_type"]))
    return Options(found, at, len(every), len(asked))


def by_level(
    snapshot: Snapshot, leaderboard: Leaderboard
) -> list[tuple[tuple[str, str], Adjusting]]:
    """Return models before and after options were adjusted, by request and level; :data:`ALL`
    stands for all requests, and for all levels."""
    asked = _adjusted(snapshot)
    groups: dict[tuple[str, str], set[str]] = defaultdict(set)
    columns = ("question_id", "subtask", "level")
    for key, *of in zip(*(snapshot.questions[c].to_pylist() for c in columns), strict=True):
        for group in product((ALL, of[0]), (ALL, of[1])) if key in asked else ():
            groups[group].add(key)
    return list(_adjustments(snapshot, leaderboard, groups))


def _adjustments(
    snapshot: Snapshot, leaderboard: Leaderboard, groups: Mapping[Group, Collection[str]]
) -> Iterator[tuple[Group, Adjusting]]:
    """What adjusting options changes for each model in groups of questions."""
    drafts, _, blind = _scenarios(snapshot)
    for model in leaderboard.models:
        for name, pictures in drafts.items():
            after = snapshot.first_scenario if pictures else blind
            if after is None:
                continue
            before, then = (_right(snapshot, model, each) for each in (name, after))
            for group, asked in groups.items():
                found = adjusting(model, pictures, before, then, asked)
                if found is not None:
                    yield group, found


def _scenarios(snapshot: Snapshot) -> tuple[dict[str, bool], list[str], str | None]:
    """Scenarios with the options of the draft and whether they show pictures; those that move the
    right option; and the first one without pictures whose options are adjusted."""
    drafts: dict[str, bool] = {}
    moving, blind = [], None
    for name in snapshot.params.scenarios.counted:
        spec = next((s for s in snapshot.params.scenarios.noisy if s.name == name), None)
        kind = None if spec is None else kinds_of("scenarios").find(spec.registered)
        if spec is None or kind is None:
            continue
        if spec.drafts:
            drafts[name] = kind.pictures
        elif not kind.pictures:
            blind = blind or name
        moving += [name] if kind.moves else []
    return drafts, moving, blind


def _adjusted(snapshot: Snapshot) -> set[str]:
    """Questions that had an option adjusted."""
    some = snapshot.questions.filter(pc.is_valid(snapshot.questions["replaced"]))
    return {*some["question_id"].to_pylist()}


def _right(snapshot: Snapshot, model: str, scenario: str) -> Right:
    """What a model's scored answers to questions with options are."""
    columns = ["question_id", "scene_id", "severity", "correct", "question_type"]
    found: dict[tuple[str, int | None], tuple[str, bool]] = {}
    for shard in snapshot.shards(tables.SCORES, columns, model=model, scenario=scenario):
        scored = shard.filter(pc.and_(tables.offers(shard["question_type"]), _said(shard)))
        for key, scene, severity, correct in zip(
            *(scored[name].to_pylist() for name in columns[:4]), strict=True
        ):
            found[key, severity] = scene, correct
    return found


def _said(shard: pa.Table) -> pa.ChunkedArray:
    return pc.is_valid(shard["correct"])


def adjusting(
    model: str, pictures: bool, first: Right, then: Right, asked: Collection[str]
) -> Adjusting | None:
    """Return a model before and after, over those of the asked questions that have both answers."""
    scenes: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for (key, severity), (scene, was) in first.items():
        if key in asked and (key, severity) in then:
            scenes[scene].append((was, then[key, severity][1]))
    before, after = _both(scenes)
    change = ratio([Sums(sum(b - a for a, b in each), len(each)) for each in scenes.values()])
    if before is None or after is None or change is None:
        return None
    return Adjusting(model, pictures, before, after, change)


def places(model: str, first: Right, moved: Right) -> Iterator[Place]:
    """Yield a model at each letter at which the right options were put, in their order."""
    by_place: dict[int, dict[str, list[tuple[bool, bool]]]] = defaultdict(lambda: defaultdict(list))
    for (key, place), (scene, there) in moved.items():
        if place is not None and (key, None) in first:
            by_place[place][scene].append((first[key, None][1], there))
    for place, scenes in sorted(by_place.items()):
        before, there_ = _both(scenes)
        assert before is not None and there_ is not None
        sums = [
            Sums(sum(b - a for a, b in each), sum(a for a, _ in each)) for each in scenes.values()
        ]
        yield Place(model, ascii_uppercase[place - 1], before, there_, relative(sums))


def _both(scenes: Mapping[str, Sequence[tuple[bool, bool]]]) -> list[Estimate | None]:
    """Shares that are right the first and the second time."""
    return [share((sum(p[i] for p in each), len(each)) for each in scenes.values()) for i in (0, 1)]
