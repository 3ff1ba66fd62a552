"""How many of each thing a picture shows."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace

from lvlmbench.scene.claims import Feature
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.truth.people import Somebody
from lvlmbench.scene.world import Instance, World

#: Number words of counts; larger ones are said in digits.
_WORDS = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
)  # fmt: skip


def counts(
    world: World, objects: Mapping[str, Feature], people: Mapping[str, Somebody], hidden: bool
) -> list[Feature]:
    """Return how many there are of each object, and of all that are called the same.

    What is not clear of one of them is not clear of their number. Where a style repeats the scene
    in panels, the number in one panel is right, and the number of all may be said.

    Parameters
    ----------
    objects
        Features of those that are there.
    people
        Those of them who are people.
    hidden
        Whether the style hides the number.
    """
    drawn: dict[str, list[Instance]] = defaultdict(list)
    for one in world.instances:
        if one.there is not False:
            drawn[one.object.id].append(one)
    numbers = {}
    for name, found in drawn.items():
        panels = Counter(_panel(one) for one in found)
        if all(one.there for one in found) and len({*panels.values()}) == 1:
            numbers[name] = (panels.most_common(1)[0][1], len(found))
    features = []
    for name, (each, every) in numbers.items():
        planned = drawn[name][0].object.count
        if planned is not None or each > 1:
            optional = hidden or each == 1 or objects[name].optional
            features.append(_count(objects[name], each, "", optional))
        if every > each:
            features.append(_count(objects[name], every, ".all", True))
    features += _totals(objects, {n: numbers.get(n, (None, None))[1] for n in drawn}, people)
    return features


def uncounted(graph: Graph, objects: Mapping[str, Feature], hidden: bool) -> list[Feature]:
    """Return how many there were to be, in a picture that nobody measured."""
    return [
        replace(_count(objects[thing.id], thing.count, "", thing.count == 1), source="graph")
        for thing in graph.objects
        if thing.count is not None and not hidden
    ]


def _panel(one: Instance) -> int:
    return 0 if one.seen is None else one.seen.panel


def _count(thing: Feature, number: int, suffix: str, optional: bool) -> Feature:
    return Feature(
        *(f"{thing.feature}.count{suffix}", "count", thing.subject, "count"),
        value=str(number),
        about=thing.feature,
        forms=number_forms(number),
        optional=optional,
        source="layout",
    )


def number_forms(number: int) -> tuple[str, ...]:
    """Return how a number is written: in digits, and as a word where it has one."""
    return (str(number), *_WORDS[number : number + 1])


def _totals(
    objects: Mapping[str, Feature],
    numbers: Mapping[str, int | None],
    people: Mapping[str, Somebody],
) -> Iterator[Feature]:
    """How many there are of one name, where several objects have it; it may be said."""
    called: dict[str, list[int | None]] = defaultdict(list)
    for name, number in numbers.items():
        called[objects[name].subject].append(number)
    totals = {word: found for word, found in called.items() if len(found) > 1}
    for word, found in (*totals.items(), *_of_people(numbers, people).items()):
        if None not in found:
            number = sum(each for each in found if each is not None)
            yield Feature(
                *(f"all.{word}.count", "count", word, "count"),
                value=str(number),
                forms=number_forms(number),
                optional=True,
                source="layout",
            )


def _of_people(
    numbers: Mapping[str, int | None], people: Mapping[str, Somebody]
) -> dict[str, list[int | None]]:
    """Numbers of men, women and children; None among them where somebody cannot be told."""
    found: dict[str, list[int | None]] = defaultdict(list)
    for name, who in people.items():
        number = numbers.get(name)
        if who.age is None:
            return {}
        if who.age == "child":
            found["child"].append(number)
        else:
            words = ("man", "woman") if who.gender is None else (_NOUNS[who.gender],)
            for word in words:
                found[word].append(number if who.gender else None)
    return found


_NOUNS = {"male": "man", "female": "woman"}
