"""People: what one of them does, holds, wears or looks like, named by what nobody else has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from pydantic import Field

from lvlmbench.config.section import Section
from lvlmbench.scene.figures import phrases
from lvlmbench.scene.figures import telling as told
from lvlmbench.scene.graph import Graph, Person
from lvlmbench.scene.lists import PERSON
from lvlmbench.scene.sets import Program, labelled, the_one
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.autodavis.asking import value
from lvlmbench.suites.autodavis.family import FAMILIES, ExamKit, Family
from lvlmbench.suites.autodavis.persons import (
    ALSO_CALLED,
    PLACES,
    SHOWS,
    VALUES,
    Asked,
    Fact,
    Trait,
    crowd,
    people,
    value_of,
)
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.wording import RELATIONS

_ALL: Program = ["all"]
#: Wrong options, and tries at so many.
_WRONG, _TRIES = 3, 12
#: Questions that are made about a picture, where so many can be.
_ASKED = 3
#: Least and largest number of people by hops.
_NUMBERS = ((1, 1), (2, 3), (4, 6))
#: How somebody may stand to another person.
_FROM = {
    **{relation: RELATIONS[relation] for relation in ("left_of", "right_of", "above", "below")},
    "next_to": "next to",
}

#: How somebody is asked about who is named in a few words.
_NAMED: dict[Trait, tuple[str, ...]] = {
    "action": ("What is {who} doing?", "Which of these is {who} doing?"),
    "held": (
        "What is {who} holding?",
        "What does {who} have in one hand?",
        "Which of these is {who} holding?",
    ),
    "wears": (
        "Which of these does {who} also have on?",
        "Which of these does {who} have on as well?",
    ),
    "garment_color": (
        "What color {kind} does {who} have on?",
        "What is the color of the {kind} that {who} has on?",
    ),
    "expression": (
        "How does {who} look?",
        "What facial expression does {who} have?",
        "What is the expression on the face of {who}?",
    ),
    "hair": ("Which of these does {who} have?", "What hairstyle does {who} have?"),
    "hair_color": (
        "What color hair does {who} have?",
        "What is the hair color of {who}?",
    ),
}
#: The same behind a sentence that names the person.
_FOUND: dict[Trait, tuple[str, ...]] = {
    "action": ("What is this person doing?", "Which of these is this person doing?"),
    "held": ("What is this person holding?", "What is in this person's hand?"),
    "wears": ("Which of these does this person have on?", "Which of these is this person wearing?"),
    "garment_color": (
        "What color {are} this person's {kind}?",
        "What color {kind} is this person wearing?",
    ),
    "expression": ("How does this person look?", "What facial expression does this person have?"),
    "hair": ("Which of these does this person have?", "What is this person's hair like?"),
    "hair_color": (
        "What color is this person's hair?",
        "What color hair does this person have?",
    ),
}
_LEADS = ("Look at {who}.", "In the picture, find {who}.")


class About(Section):
    """What is asked of a person."""

    attribute: Trait = Field(
        description="`action`, `held` (thing in the hand), `wears` (kind of garment), "
        "`garment_color`, `expression`, `hair` (style) or `hair_color`."
    )


@FAMILIES.register("people", settings=About)
class People(Family):
    """People each of whom has another value of one attribute, as far as there are so many."""

    def __init__(self, about: About) -> None:
        self._trait: Trait = about.attribute

    def plan(self, kit: ExamKit) -> Graph | None:
        """Plan as many people as the level has, each as likely with each value."""
        n = kit.draws.within(*_NUMBERS[min(kit.level.hops, 2)])
        return crowd(kit, people(kit, self._trait, n))

    def ask(self, kit: ExamKit, world: World) -> list[Ask]:
        """Ask about people that can be named; what others have is offered first."""
        found: list[Ask] = []
        for one in kit.draws.shuffled(_people(world)):
            for asked in kit.draws.shuffled(self._asked(_person(one))):
                found += _about(kit, world, one, asked)
            if len(found) >= _ASKED:
                break
        return found

    def _asked(self, one: Person) -> list[Asked]:
        if self._trait != "garment_color":
            return [Asked(self._trait)]
        # Lenses are dark whatever the color of what holds them.
        worn = [kind for kind, _ in told.outfit(one) if kind not in PLACES["eyes"]]
        return [Asked(self._trait, kind) for kind in worn]


def _people(world: World) -> list[Instance]:
    return [one for one in world.things if one.object.person is not None]


def _person(one: Instance) -> Person:
    assert one.object.person is not None
    return one.object.person


def _about(kit: ExamKit, world: World, one: Instance, asked: Asked) -> list[Ask]:
    """The question about one person."""
    right = value_of(_person(one), asked)
    if right is None:
        return []
    named = _named(kit, world, one, asked)
    if named is None or _mentions(asked, named[0], right):
        return []
    who, of = named
    options, first = _options(kit, world, one, asked, right)
    options = [each for each in options if not _mentions(asked, who, each)]
    first = [each for each in first if each in options]
    return value(
        kit,
        world,
        ["is", asked.attribute, of, "?"],
        _questions(kit, asked, who),
        options,
        family=asked.trait,
        show=SHOWS[asked.trait],
        first=first,
        hops=kit.level.hops,
        near=min(len(first), 3),
    )


def _questions(kit: ExamKit, asked: Asked, who: str) -> tuple[str, ...]:
    """Phrasings of a question; who is named in many words is named first."""
    kind = asked.garment
    are = "are" if phrases.is_plural(kind) else "is"
    forms = _FOUND[asked.trait]
    if kit.level.hops == 0:
        forms = tuple(form.replace("this person", who) for form in forms)
    elif kit.level.hops == 1:
        forms = _NAMED[asked.trait]
    else:
        forms = tuple(f"{lead} {form}" for lead in _LEADS for form in forms)
    return tuple(form.format(who=who, kind=phrases.called(kind), are=are) for form in forms)


def _mentions(asked: Asked, who: str, option: str) -> bool:
    """Whether a color is named in the question, and so in the picture whatever is right."""
    return asked.trait == "garment_color" and option in who.split()


def _options(
    kit: ExamKit, world: World, one: Instance, asked: Asked, right: str
) -> tuple[list[str], list[str]]:
    """What the person could as well have, the right value first; and what of it others have."""
    here, barred = _here(world, one, asked, right)
    options: list[str] = []
    for _ in range(_TRIES):
        known = VALUES[asked.trait]
        if asked.trait == "wears":  # of each place one
            known = _one_each(kit, right, here)
        options = [
            each for each in known if each not in barred and asked.could(_person(one), right, each)
        ]
        if len(options) >= _WRONG:
            break
    first = kit.draws.shuffled(sorted({*here} & {*options}))
    return [right, *options], first


def _here(world: World, one: Instance, asked: Asked, right: str) -> tuple[list[str], list[str]]:
    """What else the picture shows of a trait; and what of it is not offered.

    That is what somebody has with whom this person could not change places: one of the two values
    would be likelier.
    """
    if asked.trait == "garment_color":
        worn = [told.outfit(_person(each)) for each in _people(world)]
        return [color for each in worn for _, color in each], []
    here: list[str] = []
    barred: list[str] = []
    for each in _people(world):
        own = value_of(_person(each), asked) if each != one else None
        if own is not None:
            here.append(own)
        if own is not None and own != right and not asked.could(_person(each), own, right):
            barred.append(own)
    return here, barred


def _one_each(kit: ExamKit, right: str, here: Sequence[str]) -> tuple[str, ...]:
    """A kind of garment of each other place: what somebody wears there, else any."""
    return tuple(
        kit.draws.pick([kind for kind in kinds if kind in here] or kinds)
        for kinds in PLACES.values()
        if right not in kinds
    )


def _named(kit: ExamKit, world: World, one: Instance, asked: Asked) -> tuple[str, Program] | None:
    """How a person is called, in words and as a set of one."""
    if kit.level.hops == 0:
        alone = len(_people(world)) == 1
        return (f"the {PERSON}", labelled(PERSON)) if alone else None
    if kit.level.hops == 1:
        for fact in kit.draws.shuffled(asked.names(_person(one), _sure(world, _colored(one)))):
            of = fact.among(_ALL)
            if the_one(of, world) == one.number:
                return f"the person {fact.said}", of
        return None
    ways = [_by_two(kit, world, one, asked), _by_place(kit, world, one, asked)]
    for way in kit.draws.shuffled(ways):
        found = next(way, None)
        if found is not None:
            return found
    return None


def _sure(world: World, facts: Sequence[Fact]) -> list[Fact]:
    """Facts but for garments where another person wears what may be called the same."""
    worn = {kind for each in _people(world) for kind, _ in told.outfit(_person(each))}

    def doubtful(fact: Fact) -> bool:
        kind = told.split(fact.value)[1] if fact.attribute == "wears colored" else fact.value
        return fact.attribute in ("wears", "wears colored") and ALSO_CALLED.get(kind) in worn

    return [fact for fact in facts if not doubtful(fact)]


def _colored(one: Instance) -> list[Fact]:
    """Garments of a person in their colors."""
    return [
        Fact("wears colored", f"{color} {kind}", phrases.wearing(kind, color))
        for kind, color in told.outfit(_person(one))
    ]


def _plain(one: Instance) -> list[Fact]:
    """What others may have as well: a kind of garment, something held, something done."""
    who = _person(one)
    found = [Fact("wears", kind, phrases.wearing(kind)) for kind, _ in told.outfit(who)]
    if who.held is not None:
        found.append(Fact("held", who.held, phrases.holding(who.held)))
        found.append(Fact("held", told.SOMETHING, f"holding {told.SOMETHING}"))
    if who.action in VALUES["action"]:
        found.append(Fact("action", str(who.action), phrases.ACTIONS[str(who.action)]))
    return found


_Named = Iterator[tuple[str, Program]]


def _by_two(kit: ExamKit, world: World, one: Instance, asked: Asked) -> _Named:
    """By two facts, neither of which fits this person alone."""
    facts = asked.names(_person(one), _sure(world, [*_plain(one), *_colored(one)]))
    shared = [fact for fact in facts if the_one(fact.among(_ALL), world) != one.number]
    for first, second in kit.draws.shuffled(list(combinations(shared, 2))):
        of = first.among(second.among(_ALL))
        if the_one(of, world) == one.number:
            worn = "wearing "
            both = first.said.startswith(worn) and second.said.startswith(worn)
            also = second.said.removeprefix(worn) if both else second.said
            yield f"the person who is {first.said} and {also}", of


def _by_place(kit: ExamKit, world: World, one: Instance, asked: Asked) -> _Named:
    """By how this person stands to another, who is named by a garment or by what is held."""
    anchors = [
        fact
        for other in _people(world)
        if other != one
        for fact in asked.names(_person(other), _sure(world, [*_colored(other), *_plain(other)]))
        if the_one(fact.among(_ALL), world) == other.number
    ]
    own: list[Fact | None] = [None, *asked.names(_person(one), _sure(world, _plain(one)))]
    for fact in kit.draws.shuffled(own):
        for anchor, relation in kit.draws.shuffled([(a, r) for a in anchors for r in _FROM]):
            beside: Program = ["standing", relation, anchor.among(_ALL), _ALL]
            of = beside if fact is None else fact.among(beside)
            if the_one(of, world) != one.number:
                continue
            where = f"{_FROM[relation]} the one {anchor.said}"
            if fact is None:
                yield f"the person {where}", of
            elif the_one(beside, world) != one.number:  # the fact is needed
                yield f"the person who is {fact.said} and is {where}", of
