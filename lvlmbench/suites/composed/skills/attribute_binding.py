"""Attribute binding: which thing has a color, and which two things have which two colors."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.sets import Program, Value, labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.composed.claims import Claim, claimed, either_way
from lvlmbench.suites.composed.skill import Skill, skill
from lvlmbench.suites.graphs.ask import Ask, exchanged
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.wording import RELATIONS, SIDES


def _plan(kit: Kit) -> Graph:
    least = 3 if kit.level.hops else 2
    setting, n = kit.setting("shape", "color"), max(kit.size(), least)
    kinds, spans = kit.kinds(n, setting, recolorable=True), kit.spans(n)
    if kit.level.hops:  # two colors for the two that are asked about, each as likely for each
        two = kit.colors(2)
        others = kit.draws.shuffled([c for c in kit.stock.colors if c not in two])
        colors = [kit.draws.pick(two), kit.draws.pick(two)]
        colors += [c for c in two if c not in colors] + others  # the third may have what is left
    else:
        colors = kit.colors(n)
    colors += [kit.draws.pick(kit.stock.colors) for _ in range(n - len(colors))]
    return Graph(kit.objects(kinds, spans, colors[:n]), setting=setting)


def _which(kit: Kit, world: World, one: Instance) -> Ask:
    others = [each.object.label for each in world.things if each != one]
    absent = kit.kinds(
        3,
        world.graph.setting,
        recolorable=True,
        beside=[kit.stock.by_label[each.object.label] for each in world.things],
    )
    wrong = [*kit.draws.shuffled(others), *(kind.label for kind in absent)][:3]
    color = one.object.color
    return Ask(
        family="which",
        program=["is", "color", labelled("?"), color],
        questions=(
            f"Which of these is {color} in the picture?",
            f"In the picture, which of these is {color}?",
            f"Only one of these is {color} in the picture. Which one?",
        ),
        statements=lambda label: (
            f"The {label} in the picture is {color}.",
            f"There is {kit.words.colored(str(color), str(label))} in the picture.",
        ),
        show=lambda label: f"the {label}",
        answer=one.object.label,
        wrong=wrong,
        claims=kit.draws.some(others, 1),
        near=min(len(others), 3),
    )


def _both(kit: Kit, world: World) -> list[Ask]:
    """Which two things have which two colors: all four ways, each as likely.

    Where both have one color, the other that is offered is that of the third thing: the one that
    either of the two could as well have had.
    """
    first, second = (thing.label for thing in world.graph.objects[:2])
    held = [thing.color for thing in world.graph.objects[:2]]
    third = [thing.color for thing in world.graph.objects[2:3]]
    pair = sorted({*map(str, held)} if held[0] != held[1] else {*map(str, [*held, *third])})
    if len(pair) < 2:
        return []

    def show(value: Value) -> str:
        one, other = str(value).split("+")
        return f"{kit.words.colored(one, first)} and {kit.words.colored(other, second)}"

    values = [f"{a}+{b}" for a in pair for b in pair]
    answer = f"{held[0]}+{held[1]}"
    return [
        Ask(
            family="both",
            program=["are", "color", labelled(first), labelled(second), "?"],
            questions=(
                "Which of these pairs does the picture show?",
                "Which of these pairs can be seen in the picture?",
                "Only one of these pairs is in the picture. Which one?",
            ),
            statements=lambda value: (
                f"The picture shows {show(value)}.",
                f"There is {show(value)} in the picture.",
            ),
            show=show,
            answer=answer,
            wrong=[value for value in values if value != answer],
            near=3,
            hops=1,
        )
    ]


def _ask(kit: Kit, world: World) -> list[Ask]:
    if kit.level.hops:
        return _both(kit, world)
    colors = [one.object.color for one in world.things]
    single = [one for one in world.things if colors.count(one.object.color) == 1]
    first = [one for one in single if one.object.id == "o1"]  # as of a twin
    return [_which(kit, world, kit.draws.pick(first or single))] if single else []


def _twin(kit: Kit, graph: Graph) -> Graph:
    """Two things have each other's color; or one of two has the other color of two.

    The latter turns any of the four ways in which two things can have two colors into any other
    as often as back: exchanged colors would make two of the ways likelier than the others.
    """
    first, second = graph.objects[:2]
    if not kit.level.hops:
        return exchanged(graph, 0, 1, "color")
    if first.color != second.color:
        two = [first.color, second.color]
    else:
        left = [thing.color for thing in graph.objects[2:3] if thing.color != first.color]
        two = [first.color, *(left or kit.draws.some(_other_colors(kit, graph), 1))]
    things, at = list(graph.objects), kit.draws.below(2)
    things[at] = replace(things[at], color=two[two[0] == things[at].color])
    return replace(graph, objects=tuple(things))


def _other_colors(kit: Kit, graph: Graph) -> list[str]:
    here = {thing.color for thing in graph.objects}
    return [color for color in kit.stock.colors if color not in here]


def _model(kit: Kit) -> Graph:
    """Plan a thing of one color that stands so to a thing of another; nothing else has a color."""
    setting, n = kit.setting("shape", "color", plain=True), max(kit.size(), 2)
    setting = replace(setting, background=None, weather=None)
    things = kit.objects(kit.lifeless(n, setting), kit.spans(n), kit.colors(n))
    return Graph(things, (Relation("o1", kit.draws.pick(SIDES), "o2"),), setting)


def _shown(kit: Kit, model: Graph, holds: bool) -> Graph:
    """Plan other things in the same colors, which stand so to each other or the other way round."""
    looks = kit.draws.shuffled([(thing.list, thing.label) for thing in model.objects])
    things = tuple(
        replace(thing, list=name, label=label)
        for thing, (name, label) in zip(model.objects, looks, strict=True)
    )
    return either_way(kit, replace(model, objects=things), holds)


def _colored(model: Graph) -> Program:
    sets: list[Program] = [["with", "color", thing.color, ["all"]] for thing in model.objects[:2]]
    return ["stands", model.relations[0].predicate, *sets]


def _said(kit: Kit, model: Graph) -> tuple[str, str]:
    first, second = (f"the {thing.color} object" for thing in model.objects[:2])
    where = f"{RELATIONS[model.relations[0].predicate]} {second}"
    return f"{first} is {where}", f"is {first} {where}"


_CLAIM = Claim(
    model=_model,
    shown=_shown,
    facts=lambda picture: picture.relations,
    program=_colored,
    said=_said,
)


@SUBTASKS.register("attribute_binding")
def attribute_binding() -> Skill:
    """Return the skill: which thing has which attribute."""
    parts = claimed(_CLAIM, _plan, _ask, _twin)
    return skill("attribute_binding", 4, *parts, placed=True)
