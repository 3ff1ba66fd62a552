"""Four pictures of the same things, and a claim: in how many of them does it hold, or in which?

The pictures look alike, so each of them must be looked at. How many there are is drawn first: one
to four equally often, so that the text says nothing; where it is asked in which one, it is one. Of
four pictures, the first in the graph is one for which the claim holds, wherever it is shown. At a
level of four pictures, scenes take turns: how many, which one, and a single picture.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, replace
from typing import TypeAlias

from lvlmbench.scene.graph import Graph, Object, Relation
from lvlmbench.scene.programs import holds, within
from lvlmbench.scene.relations import CONVERSE
from lvlmbench.scene.sets import Program, Value
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.ask import NUMBERS, Ask, Short
from lvlmbench.suites.graphs.draws import partner
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.wording import NUMBERS as IN_WORDS

#: How many pictures stand side by side.
PICTURES = 4
#: Where each of them stands.
PLACES = ("at the top left", "at the top right", "at the bottom left", "at the bottom right")
#: What is asked of four pictures, and of one, in turn.
_NUMBER, _WHICH, _ALONE = _FORMS = range(3)

Plan: TypeAlias = Callable[[Kit], Graph]
Asking: TypeAlias = Callable[[Kit, World], list[Ask]]
Twin: TypeAlias = Callable[[Kit, Graph], Graph]


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What is claimed of each of four pictures.

    Attributes
    ----------
    model
        Returns a picture for which it holds.
    shown
        Returns another picture of the same things, for which it holds or does not.
    facts
        Returns of a planned picture what the claim is about; where it holds, that is the same.
    program, said
        The claim, told by a picture for which it holds; in words as a statement and as a question:
        "the kite is red" and "is the kite red".
    """

    model: Plan
    shown: Callable[[Kit, Graph, bool], Graph]
    facts: Callable[[Graph], Hashable]
    program: Callable[[Graph], Program]
    said: Callable[[Kit, Graph], tuple[str, str]]


def claimed(claim: Claim, plan: Plan, ask: Asking, twin: Twin) -> tuple[Plan, Asking, Twin]:
    """Return how a skill plans, asks and changes: by a claim at levels of four pictures."""

    def plans(kit: Kit) -> Graph:
        return plan(_single(kit)) if _form(kit) == _ALONE else _plan(kit, claim)

    def asks(kit: Kit, world: World) -> list[Ask]:
        return ask(_single(kit), world) if _form(kit) == _ALONE else _ask(kit, world, claim)

    def twins(kit: Kit, graph: Graph) -> Graph:
        return twin(_single(kit), graph) if _form(kit) == _ALONE else _twin(kit, graph, claim)

    return plans, asks, twins


def _form(kit: Kit) -> int:
    """What is asked of a scene, at a level of four pictures by its turn."""
    return _FORMS[kit.turn % len(_FORMS)] if kit.level.panels == PICTURES else _ALONE


def _single(kit: Kit) -> Kit:
    """What a scene of one picture is planned with."""
    return replace(kit, level=kit.level.model_copy(update={"panels": 1}))


def side_by_side(pictures: dict[int, Graph]) -> Graph:
    """Return pictures as panels of one, in the order given."""
    objects: list[Object] = []
    relations: list[Relation] = []
    for panel, picture in pictures.items():
        ids = {thing.id: f"{thing.id}p{panel}" for thing in picture.objects}
        objects += [replace(t, id=ids[t.id], panel=panel) for t in picture.objects]
        relations += [_renamed(each, ids.__getitem__) for each in picture.relations]
    return Graph(tuple(objects), tuple(relations), next(iter(pictures.values())).setting)


def either_way(kit: Kit, model: Graph, holds: bool) -> Graph:
    """Plan the same things; where it is not to hold, in one relation the other way round."""
    if holds:
        return model
    relations, wrong = list(model.relations), kit.draws.below(len(model.relations))
    turned = CONVERSE[relations[wrong].predicate]
    relations[wrong] = replace(relations[wrong], predicate=turned)
    return replace(model, relations=tuple(relations))


def _renamed(relation: Relation, name: Callable[[str], str]) -> Relation:
    """A relation between things of other names."""
    first, second = (each and name(each) for each in (relation.object, relation.other))
    return Relation(name(relation.subject), relation.predicate, first, second)


def _apart(graph: Graph) -> dict[int, Graph]:
    """The pictures of :func:`side_by_side`, in their order."""
    found: dict[int, Graph] = {}
    for panel in dict.fromkeys(thing.panel or 0 for thing in graph.objects):
        own = [thing for thing in graph.objects if thing.panel == panel]
        ids = {thing.id: thing.id.partition("p")[0] for thing in own}
        things = tuple(replace(thing, id=ids[thing.id], panel=None) for thing in own)
        relations = tuple(
            _renamed(each, ids.__getitem__) for each in graph.relations if each.subject in ids
        )
        found[panel] = Graph(things, relations, graph.setting)
    return found


def _plan(kit: Kit, claim: Claim) -> Graph:
    number = 1 if _form(kit) == _WHICH else kit.draws.within(1, PICTURES)
    panels = kit.draws.shuffled(range(PICTURES))
    model = claim.model(kit)
    shown = [claim.shown(kit, model, at < number) for at in range(1, PICTURES)]
    return side_by_side(dict(zip(panels, [model, *shown], strict=True)))


def _twin(kit: Kit, graph: Graph, claim: Claim) -> Graph:
    """One picture is another: the claim holds for one more, or for one fewer.

    Where it holds for a single one, that one changes places with another.
    """
    pictures = _apart(graph)
    model, *others = pictures.values()
    if _form(kit) == _WHICH:
        panel, *rest = pictures
        other = kit.draws.pick(rest)
        return side_by_side(
            {{panel: other, other: panel}.get(at, at): each for at, each in pictures.items()}
        )
    same = [claim.facts(each) == claim.facts(model) for each in others]
    more = partner(1 + sum(same)) > 1 + sum(same)
    panels = [panel for panel, so in zip([*pictures][1:], same, strict=True) if so != more]
    return side_by_side({**pictures, kit.draws.pick(panels): claim.shown(kit, model, more)})


def _ask(kit: Kit, world: World, claim: Claim) -> list[Ask]:
    model = next(iter(_apart(world.graph).values()))
    said, asked = claim.said(kit, model)
    if _form(kit) == _WHICH:
        return _which(world, within(claim.program(model), "?"), said, asked)
    program: Program = ["panels", claim.program(model), "?"]
    numbers = range(1, PICTURES + 1)
    answer = next((n for n in numbers if holds(program, world, n)), None)
    if answer is None:
        return []

    def statements(value: Value) -> tuple[str, ...]:
        exactly = f"exactly {IN_WORDS[int(value)]} of the" if value != PICTURES else "all"
        return (f"In {exactly} four pictures, {said}.",)

    return [
        Ask(
            family="panels",
            program=program,
            questions=(
                f"In how many of the four pictures {asked}?",
                f"Look at all four pictures. In how many of them {asked}?",
            ),
            statements=statements,
            show=str,
            answer=answer,
            wrong=[n for n in numbers if n != answer],
            claims=[partner(answer)],
            near=PICTURES - 1,
            hops=1,
            short=Short(NUMBERS),
        )
    ]


def _which(world: World, program: Program, said: str, asked: str) -> list[Ask]:
    """In which of four pictures a claim holds; a statement is about one of them."""
    right = [panel for panel in range(PICTURES) if holds(program, world, panel)]
    if len(right) != 1:
        return []
    return [
        Ask(
            family="panel",
            program=program,
            questions=(
                f"In which of the four pictures {asked}?",
                f"Look at all four pictures. In which one {asked}?",
            ),
            statements=lambda panel: (f"In the picture {PLACES[int(panel)]}, {said}.",),
            show=lambda panel: f"the one {PLACES[int(panel)]}",
            answer=right[0],
            wrong=[panel for panel in range(PICTURES) if panel != right[0]],
            near=PICTURES - 1,
            hops=1,
        )
    ]
