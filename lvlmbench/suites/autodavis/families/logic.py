"""And, or, not: which thing stands as two conditions together say."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import permutations, product
from typing import Literal, NamedTuple

from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.programs import holds, text_of
from lvlmbench.scene.props import PROP
from lvlmbench.scene.sets import Program, labelled
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
    """A way to join two conditions: as a program, and as words behind "is"."""

    program: Callable[[Program, Program], Program]
    said: str


_JOINED: dict[How, Joined] = {
    "and": Joined(lambda a, b: ["and", a, b], "both {} and {}"),
    "but_not": Joined(lambda a, b: ["and", a, ["not", b]], "{}, but not {}"),
    "or": Joined(lambda a, b: ["or", a, b], "{} or {}, or both"),
    "neither": Joined(
        lambda a, b: ["and", ["exists", labelled("?")], ["not", a], ["not", b]], "neither {} nor {}"
    ),
}
#: Fewest things by hops: some are named, and others must be left to be offered.
_LEAST = (2, 4, 6)
#: Questions about one picture.
_ENOUGH = 3


def _stands(relation: str, label: str) -> Program:
    return ["stands", relation, labelled("?"), labelled(label)]


def _pairs(kit: ExamKit, world: World) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Yield pairs of relations: to one thing, across each other, or to two at two hops."""
    labels = [one.object.label for one in world.things if one.object.list != PROP]
    single = [label for label in labels if labels.count(label) == 1]
    if kit.level.hops > 1:
        for a, b in permutations(single, 2):
            yield from (((first, a), (second, b)) for first in SIDES for second in SIDES)
        return
    for label in single:
        for first, second in (*product(SIDES[:2], SIDES[2:]), *product(SIDES[2:], SIDES[:2])):
            yield (first, label), (second, label)


def _told(program: Program, parts: tuple[Program, Program], world: World) -> tuple[int, int] | None:
    """How many clear wrong options a picture shows, and of how many things one part alone holds.

    None where nothing is right that is not named.
    """
    named = text_of(program)
    labels = [o.object.label for o in world.things if f'"{o.object.label}"' not in named]
    judged = [holds(program, world, label) for label in labels]
    truths = [{holds(part, world, label) for part in parts} for label in labels]
    return (min(judged.count(False), 3), truths.count({True, False})) if True in judged else None


@FAMILIES.register("logic", settings=Logic)
class Conditions(Family):
    """Things in any places, of which one stands as two conditions say."""

    def __init__(self, about: Logic) -> None:
        self._how = about.how

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan enough things; where there are few, one aslant from another."""
        setting, least = kit.setting("shape"), _LEAST[min(kit.level.hops, 2)]
        if kit.level.hops:
            return picture(kit, [], setting, least=least)
        sides = kit.draws.pick(SIDES[:2]), kit.draws.pick(SIDES[2:])
        aslant = [Relation("o1", side, "o2") for side in sides]
        return picture(kit, kit.kinds(2, setting), setting, aslant, least=least)

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask which thing it is: first where one condition alone gives something else."""
        ranked = []
        for first, second in kit.draws.shuffled(list(_pairs(kit, world))):
            parts = _stands(*first), _stands(*second)
            program = _JOINED[self._how].program(*parts)
            told = _told(program, parts, world)
            if told is not None:
                ranked.append((told, self._words(first, second), program))
        ranked.sort(key=lambda each: each[0], reverse=True)
        found: list[Ask] = []
        for _, said, program in ranked[:_ENOUGH]:
            questions = (
                f"Which of these is {said}?",
                f"Which thing in the picture is {said}?",
                f"One of these is {said}. Which one?",
            )
            found += which(kit, world, program, questions, family=self._how, hops=kit.level.hops)
        return found

    def _words(self, first: tuple[str, str], second: tuple[str, str]) -> str:
        """Two conditions behind "is"; what both name is "it" in the second."""
        other = "it" if second[1] == first[1] else f"the {second[1]}"
        return _JOINED[self._how].said.format(
            f"{RELATIONS[first[0]]} the {first[1]}", f"{RELATIONS[second[0]]} {other}"
        )
