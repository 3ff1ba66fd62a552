"""And, or, not: which thing stands as two conditions together say."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import permutations, product
from typing import Literal, NamedTuple, TypeAlias

from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.programs import holds, redundant
from lvlmbench.scene.props import PROP
from lvlmbench.scene.relations import CORNERS
from lvlmbench.scene.sets import Program, Truth, all_of, any_of, labelled, negated
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asking import which
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.planning import picture
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.wording import RELATIONS, SIDES

How = Literal["and", "but_not", "or", "neither"]


class Logic(Section):
    """How two conditions are joined."""

    how: How = Field(
        description="`and`: both hold; `but_not`: the first holds and the second does not; `or`: "
        "at least one holds; `neither`: none holds."
    )


class Joined(NamedTuple):
    """A way to join two conditions: as a program, as what becomes of their truth, and in words."""

    program: Callable[[Program, Program], Program]
    truth: Callable[[Truth, Truth], Truth]
    said: str


_JOINED: dict[How, Joined] = {
    "and": Joined(lambda a, b: ["and", a, b], lambda a, b: all_of((a, b)), "both {} and {}"),
    "but_not": Joined(
        lambda a, b: ["and", a, ["not", b]],
        lambda a, b: all_of((a, negated(b))),
        "{} but not {}",
    ),
    "or": Joined(lambda a, b: ["or", a, b], lambda a, b: any_of((a, b)), "{} or {} (or both)"),
    "neither": Joined(
        lambda a, b: ["and", ["exists", labelled("?")], ["not", a], ["not", b]],
        lambda a, b: negated(any_of((a, b))),
        "neither {} nor {}",
    ),
}
#: A relation, and the label of what something stands so to.
Way: TypeAlias = tuple[str, str]
#: Fewest things by hops: some are named, and others must be left to be offered.
_LEAST = (2, 4, 6)
#: Pairs of conditions that are tried, and questions about one picture.
_TRIES, _ENOUGH = 120, 3


def _stands(relation: str, label: str) -> Program:
    return ["stands", relation, labelled("?"), labelled(label)]


def _pairs(labels: Sequence[str], hops: int) -> Iterator[tuple[Way, Way]]:
    """Yield pairs of relations: to one thing, across each other, or to two at two hops."""
    if hops > 1:
        for a, b in permutations(labels, 2):
            yield from (((first, a), (second, b)) for first in SIDES for second in SIDES)
        return
    for label in labels:
        for first, second in (*product(SIDES[:2], SIDES[2:]), *product(SIDES[2:], SIDES[:2])):
            yield (first, label), (second, label)


@FAMILIES.register("logic", settings=Logic)
class Conditions(Family):
    """Things in any places, of which one stands as two conditions say."""

    def __init__(self, about: Logic) -> None:
        self._how = about.how

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan enough things, any of which may be meant; where there are few, two in such a way."""
        setting, hops = kit.setting("shape"), min(kit.level.hops, 2)
        kinds = kit.kinds(max(kit.size(), _LEAST[hops]), setting)
        if hops:
            return picture(kit, kinds, setting, most=len(kinds))
        sides = kit.draws.pick(SIDES[:2]), kit.draws.pick(SIDES[2:])
        both = (sides[0], "o2"), (sides[1], "o2")
        way, _ = self._corner(*both) or kit.draws.pick(both)
        return picture(kit, kinds, setting, [Relation("o1", way, "o2")], most=len(kinds))

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which thing it is: where either condition alone misleads, and first where many are
        wrong."""
        labels = [one.object.label for one in world.things if one.object.list != PROP]
        single = [label for label in labels if labels.count(label) == 1]
        ways = {
            (side, to): {k: holds(_stands(side, to), world, k) for k in single if k != to}
            for side, to in product((*SIDES, *CORNERS), single)
        }
        ranked = []
        for pair in kit.draws.some(list(_pairs(single, kit.level.hops)), _TRIES):
            told = self._told(ways[pair[0]], ways[pair[1]])
            if corner := self._corner(*pair):
                told = self._told(ways[corner], ways[corner])
            if told is not None:
                ranked.append((told, pair))
        ranked.sort(key=lambda each: each[0], reverse=True)  # first where both parts are needed
        found: list[Ask] = []
        for _, (first, second) in ranked[:_ENOUGH]:
            said = self._words(first, second)
            questions = (
                f"In the picture, which of these is {said}?",
                f"In the picture, one of these is {said}. Which one is it?",
            )
            corner = self._corner(first, second)
            program = _JOINED[self._how].program(_stands(*first), _stands(*second))
            program = _stands(*corner) if corner else program
            if kit.level.hops and redundant(program, world):
                continue
            found += which(kit, world, program, questions, family=self._how, hops=kit.level.hops)
        return found

    def _corner(self, first: Way, second: Way) -> Way | None:
        """What is so of a thing that is to two sides of another at once, where both are wanted."""
        if self._how != "and" or first[1] != second[1]:
            return None
        sides = {first[0], second[0]}
        return next(each for each in CORNERS if {*each.split("+")} == sides), first[1]

    def _told(self, first: dict[str, Truth], second: dict[str, Truth]) -> tuple[int, int] | None:
        """Whether either part alone misleads, and how many clear wrong options there are.

        None where there is no right one.
        """
        parts = [(first[label], second[label]) for label in first if label in second]
        judged = [_JOINED[self._how].truth(a, b) for a, b in parts]
        if True not in judged:
            return None
        if self._how == "but_not":
            parts = [(a, negated(b)) for a, b in parts]
        needed = min(parts.count((True, False)), parts.count((False, True)))
        return min(needed, 1), min(judged.count(False), 3)

    def _words(self, first: Way, second: Way) -> str:
        """Two conditions behind "is"; what both name is "it" in the second."""
        other = "it" if second[1] == first[1] else f"the {second[1]}"
        return _JOINED[self._how].said.format(
            f"{RELATIONS[first[0]]} the {first[1]}", f"{RELATIONS[second[0]]} {other}"
        )
