"""The majority: what more than half of the people or things in a picture have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.core.errors import UserError
from lvlmbench.scene.figures import labels
from lvlmbench.scene.figures import telling as told
from lvlmbench.scene.graph import Garment, Graph, Person
from lvlmbench.scene.programs import holds
from lvlmbench.scene.sets import Program
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asking import value
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.persons import (
    ALSO_CALLED,
    PLACES,
    SHOWS,
    VALUES,
    crowd,
    person,
    values,
)
from lvlmbench.suites.autodavis.planning import plain
from lvlmbench.suites.graphs.ask import Ask

#: What can be asked: traits of people, a color in their clothes, or the color of things.
Attribute: TypeAlias = Literal[
    "action", "held", "wears", "garment_color", "expression", "hair", "hair_color", "color"
]

#: Of how many people so many have it, by hops; of how many things.
_PEOPLE = (((3, 2), (4, 3)), ((5, 3),), ((6, 4),))
_THINGS = (((3, 2), (4, 3)), ((5, 3),), ((7, 4),))
#: Colors that no garment has in its details, as buckles, soles, lenses and zips have.
_BRIGHT = ("red", "orange", "green", "blue", "purple", "pink")
#: Where a color is not overlooked.
_LARGE = (*labels.TOPS, *labels.BOTTOMS)
_TRIES = 500

_QUESTIONS: dict[str, tuple[str, ...]] = {
    "action": (
        "What are most of the people in the picture doing?",
        "More than half of the people are doing the same thing. What are they doing?",
        "Which of these are most of the people doing?",
    ),
    "held": (
        "What are most of the people in the picture holding?",
        "More than half of the people are holding the same kind of thing. What is it?",
        "Which of these are most of the people holding?",
    ),
    "wears": (
        "Which of these are most of the people in the picture wearing?",
        "Which of these do more than half of the people have on?",
    ),
    "garment_color": (
        "Which color appears in the clothes of most of the people?",
        "More than half of the people are wearing something in the same color. What color is it?",
        "Which of these colors are most of the people wearing?",
    ),
    "expression": (
        "How do most of the people in the picture look?",
        "What facial expression do most of the people have?",
        "More than half of the people have the same facial expression. Which one is it?",
    ),
    "hair": (
        "Which of these do most of the people in the picture have?",
        "What hairstyle do most of the people have?",
    ),
    "hair_color": (
        "What color hair do most of the people have?",
        "More than half of the people have the same hair color. What color is it?",
    ),
    "color": (
        "What color are most of the {things} in the picture?",
        "What color are more than half of the {things}?",
        "Most of the {things} are the same color. What color is it?",
    ),
}


class About(Section):
    """What most have in common."""

    attribute: Attribute = Field(
        description="Of people `action`, `held`, `wears`, `garment_color`, `expression`, `hair` "
        "or `hair_color`; of things `color`."
    )


@FAMILIES.register("majority", settings=About)
class Majority(Family):
    """More than half of what is there has one value, the others have others."""

    def __init__(self, about: About) -> None:
        self._attribute = about.attribute

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan a majority for one value, each as likely, and none for any other."""
        at = min(kit.level.hops, 2)
        if self._attribute == "color":
            return _things(kit, *kit.draws.pick(_THINGS[at]))
        n, most = kit.draws.pick(_PEOPLE[at])
        if self._attribute == "garment_color":
            return crowd(kit, _clothed(kit, n, most))
        trait, others = self._attribute, n - most
        right, *rest = values(kit, trait, 1 + others)
        held = kit.draws.shuffled([*[right] * most, *_others(kit, rest, others)])
        # So that who wears what stands in the plan: elsewhere these are no garments.
        apart = (right, *rest)
        return crowd(kit, [person(kit, trait, each, clear=True, without=apart) for each in held])

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask what the majority has; what others have is offered first."""
        asked = self._attribute
        name = "wears color" if asked == "garment_color" else asked
        so: Program = ["with", name, "?", ["all"]]
        program: Program = ["more", so, ["without", ["all"], so]]
        here = _here(kit, world, asked)
        judged = {each: holds(program, world, each) for each in _offered(kit, asked, here)}
        if asked == "wears":
            judged |= dict.fromkeys(_unsure(world, [each for each in judged if not judged[each]]))
        first = [each for each in here if judged.get(each) is False]
        kinds = sorted({one.object.label for one in world.things})
        things = kit.words.called(kinds)[1]
        if asked == "color" and len(kinds) == 1:
            things = kit.words.plural(kinds[0])
        return value(
            kit,
            world,
            program,
            tuple(form.format(things=things) for form in _QUESTIONS[asked]),
            # What most happen to wear besides is no option.
            [each for each, found in judged.items() if found is (each in here and bool(found))],
            family="majority",
            show=str if asked == "color" else SHOWS[asked],
            first=first,
            hops=kit.level.hops,
            near=min(len(first), 3),
        )


def _unsure(world: World, wrong: Sequence[str]) -> list[str]:
    """Those of some kinds of garments that most may wear, too, where another is called the same."""
    people = [one.object.person for one in world.things if one.object.person is not None]
    worn = [{each.label for each in one.garments} for one in people]
    called = {kind: {kind, ALSO_CALLED.get(kind, kind)} for kind in wrong}
    times = {kind: sum(bool(names & each) for each in worn) for kind, names in called.items()}
    return [kind for kind, n in times.items() if 2 * n > len(people)]


def _others(kit: ExamKit, rest: Sequence[str], n: int) -> list[str]:
    """What those have who are not of the majority: each something else, or two the same."""
    if n > 1 and kit.draws.chance():
        return [rest[0], *rest[: n - 1]]
    return [*rest[:n]]


def _here(kit: ExamKit, world: World, asked: Attribute) -> list[str]:
    """The values that are there, in random order; of colors of clothes, the most frequent first."""
    if asked == "color":
        return kit.draws.shuffled(sorted({str(one.object.color) for one in world.things}))
    people = [one.object.person for one in world.things if one.object.person is not None]
    if asked == "garment_color":
        worn = [color for one in people for color in sorted({c for _, c in told.outfit(one)})]
        found = kit.draws.shuffled(sorted({*worn} & {*_BRIGHT}))
        return sorted(found, key=worn.count, reverse=True)
    if asked == "wears":
        return kit.draws.shuffled(sorted({one.garments[0].label for one in people}))
    return kit.draws.shuffled(sorted({str(getattr(one, asked)) for one in people}))


def _offered(kit: ExamKit, asked: Attribute, here: Sequence[str]) -> list[str]:
    """All that may be offered; of garments one of each place, as a bow tie is a tie, too."""
    if asked == "color":
        return [*kit.stock.colors]
    if asked == "garment_color":
        return [*_BRIGHT]
    if asked == "wears":
        sure = [kind for kind in here if ALSO_CALLED.get(kind) not in here]
        by_place = [[kind for kind in kinds if kind in sure] for kinds in PLACES.values()]
        return [
            kit.draws.pick(found or kinds)
            for found, kinds in zip(by_place, PLACES.values(), strict=True)
        ]
    return [*VALUES[asked]]


def _clothed(kit: ExamKit, n: int, most: int) -> list[Person]:
    """People most of whom wear a color where it is seen; no other color is worn by as many."""
    right = kit.draws.pick(_BRIGHT)  # never drawn again
    for _ in range(_TRIES):
        found = [_in_color(kit, right, at < most) for at in range(n)]
        counts = [
            [told.has(one, "wears color", color) for one in found].count(True)
            for color in _BRIGHT
            if color != right
        ]
        if max(counts) <= n // 2:
            return kit.draws.shuffled(found)
    raise UserError("people", f"no {n} people were found most of whom wear {right}", "ask for more")


def _in_color(kit: ExamKit, color: str, has: bool) -> Person:
    """Somebody who wears a color on a large garment, or clearly not at all."""
    for _ in range(_TRIES):
        one = person(kit, "garment_color", color)
        at = kit.draws.below(len(one.garments))
        if has and one.garments[at].label in _LARGE:
            garments = [*one.garments]
            garments[at] = Garment(one.garments[at].label, color)
            one = replace(one, garments=tuple(garments))
        elif has:
            continue
        worn = {each: told.has(one, "wears color", each) for each in _BRIGHT}
        if worn[color] is has and None not in worn.values():
            return one
    raise UserError("people", f"nobody is drawn who wears {color}", "ask about another attribute")


def _things(kit: ExamKit, n: int, most: int) -> Graph:
    """Things of one kind, of two, or each of another; most of them in one color."""
    setting = plain(kit.setting("shape", "color"))
    right, *rest = kit.colors(1 + n - most)
    colors = [*[right] * most, *_others(kit, rest, n - most)]
    kinds = kit.kinds((1, 2, n)[min(kit.level.hops, 2)], setting, recolorable=True)
    drawn = kinds if len(kinds) == n else [kit.draws.pick(kinds) for _ in range(n)]
    order = kit.draws.shuffled(list(zip(drawn, colors, strict=True)))
    spans = kit.draws.shuffled(kit.spans(n))
    things = kit.objects([kind for kind, _ in order], spans, [color for _, color in order])
    return Graph(things, setting=setting)
