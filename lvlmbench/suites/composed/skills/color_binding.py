"""Color binding: which color the one thing has, where others have others."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.relations import CONVERSE
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.composed.claims import Claim, claimed
from lvlmbench.suites.composed.skill import Skill, skill
from lvlmbench.suites.graphs.ask import Ask, Short, exchanged
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.wording import RELATIONS, SIDES


def _plan(kit: Kit) -> Graph:
    least = 3 if kit.level.hops >= 2 else 2
    setting, n = kit.setting("shape", "color"), max(kit.size(), least)
    colors = kit.draws.shuffled(kit.stock.colors)[:n]
    kinds = kit.kinds(n if kit.level.hops < 2 else n - 1, setting, recolorable=True)
    relations: list[Relation] = []
    if kit.level.hops >= 2:  # two of a kind: the place of a third thing tells them apart
        kinds.insert(1, kinds[0])
        side = kit.draws.pick(SIDES)
        relations = [Relation("o1", side, "o3"), Relation("o2", CONVERSE[side], "o3")]
    spans = kit.spans(n) if relations else kit.draws.shuffled(kit.spans(n))
    return Graph(kit.objects(kinds, spans, colors), tuple(relations), setting)


def _told_apart(world: World, kit: Kit, one: Instance) -> tuple[str, Program] | None:
    """Name a thing of which there are two, by another thing that only it stands so to."""
    label = one.object.label
    others = [each for each in world.things if each.object.label != label]
    for other in kit.draws.shuffled(others):
        for relation in kit.draws.shuffled(SIDES):
            of: Program = ["standing", relation, labelled(other.object.label), labelled(label)]
            if world.stands(relation, one.number, other.number) and all(
                world.stands(relation, twin.number, other.number) is False
                for twin in world.things
                if twin.object.label == label and twin != one
            ):
                return f"{label} {RELATIONS[relation]} the {other.object.label}", of
    return None


def _ask(kit: Kit, world: World) -> list[Ask]:
    things = world.things
    one = kit.draws.pick(things) if things else None
    one = next((each for each in things if each.object.id == "o1"), one)  # as of a twin
    if kit.level.hops >= 2:
        twins = [each for each in things if each.object.label == world.graph.main.label]
        one = kit.draws.pick(twins) if twins else None
    if one is None or one.object.color is None:
        return []
    name, of, hops = one.object.label, labelled(one.object.label), 0
    if kit.level.hops >= 2:
        told = _told_apart(world, kit, one)
        if told is None:
            return []
        name, of, hops = *told, 1
    here = {each.object.color for each in things} - {one.object.color, None}
    elsewhere = [c for c in kit.stock.colors if c not in here and c != one.object.color]
    wrong = [*kit.draws.shuffled(sorted(map(str, here))), *kit.draws.shuffled(elsewhere)][:3]
    return [
        Ask(
            family="color",
            program=["is", "color", of, "?"],
            questions=(
                f"What color is the {name}?",
                f"What is the color of the {name}?",
                f"Look at the {name}. What color is it?",
            ),
            statements=lambda color: (
                f"The {name} is {color}.",
                f"In the picture, the {name} is {color}.",
            ),
            show=str,
            answer=one.object.color,
            wrong=wrong,
            claims=wrong[:1],
            near=min(len(here), 3),
            hops=hops,
            short=Short(kit.stock.colors),
        )
    ]


def _twin(kit: Kit, graph: Graph) -> Graph:
    """Two things have each other's color."""
    other = 1 if kit.level.hops >= 2 else 1 + kit.draws.below(len(graph.objects) - 1)
    return exchanged(graph, 0, other, "color")


def _model(kit: Kit) -> Graph:
    setting, n = kit.setting("shape", "color", plain=True), max(kit.size(), 3)
    kinds = kit.kinds(n, setting, recolorable=True)
    return Graph(kit.objects(kinds, kit.spans(n), kit.colors(n)), setting=setting)


def _shown(kit: Kit, model: Graph, holds: bool) -> Graph:
    """Plan the same things in the same colors; the first two keep theirs, or do not."""
    things = model.objects
    kept = 2 if holds else kit.draws.below(2)
    colors = [thing.color for thing in things]
    if not holds and kept == 0:  # the two have each other's, or one has another's
        colors[0], colors[1] = colors[1], colors[0]
    elif not holds:
        at, other = kit.draws.below(2), kit.draws.within(2, len(things) - 1)
        colors[at], colors[other] = colors[other], colors[at]
    colors[2:] = kit.draws.shuffled(colors[2:])
    recolored = (replace(t, color=c) for t, c in zip(things, colors, strict=True))
    return replace(model, objects=tuple(recolored))


def _both(model: Graph) -> Program:
    first, second = model.objects[:2]
    return [
        "and",
        *(["is", "color", labelled(thing.label), thing.color] for thing in (first, second)),
    ]


def _said(kit: Kit, model: Graph) -> tuple[str, str]:
    (a, first), (b, second) = ((thing.label, thing.color) for thing in model.objects[:2])
    return f"the {a} is {first} and the {b} is {second}", f"is the {a} {first} and the {b} {second}"


_CLAIM = Claim(
    model=_model,
    shown=_shown,
    facts=lambda picture: tuple(thing.color for thing in picture.objects[:2]),
    program=_both,
    said=_said,
)


@SUBTASKS.register("color_binding")
def color_binding() -> Skill:
    """Return the skill: which color belongs to which thing."""
    parts = claimed(_CLAIM, _plan, _ask, _twin)
    return skill("color_binding", 3, *parts, placed=True)
