"""Spatial relations: how two things stand to each other, which thing stands so or faces so."""

from __future__ import annotations

from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.relations import CONVERSE, CORNERS
from lvlmbench.scene.sets import Program, Value, labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.composed.claims import Claim, claimed, either_way
from lvlmbench.suites.composed.skill import Skill, skill
from lvlmbench.suites.graphs import facing, places
from lvlmbench.suites.graphs.ask import Ask, exchanged
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.which import who
from lvlmbench.suites.graphs.wording import RELATIONS, SIDES

_CORNERS = tuple(CORNERS)
#: Pairs of relations that are tried.
_TRIES = 24
#: Least number of things by hops: four are offered beside those that a question names.
_LEAST = (4, 4, 7)
#: Shares of scenes with things on or inside others, and of those that ask where things face.
_SHARES = (0.35, 0.2)
_LINE = {"left_of": "in_row", "right_of": "in_row", "above": "in_column", "below": "in_column"}


def _plan(kit: Kit) -> Graph:
    which = kit.draws.uniform()
    if which < sum(_SHARES):
        found = places.plan(kit) if which < _SHARES[0] else facing.plan(kit)
        if found is not None:
            return found
    setting, n = kit.setting("shape"), max(kit.size(), _LEAST[min(kit.level.hops, 2)])
    things = kit.objects(kit.kinds(n, setting), kit.draws.shuffled(kit.spans(n)))
    return Graph(things, tuple(_relations(kit)), setting)


def _relations(kit: Kit) -> list[Relation]:
    """What makes sure that there is something to ask."""
    if kit.level.hops == 0:
        side = kit.draws.pick(SIDES)
        return [Relation("o1", side, "o2"), Relation("o1", _LINE[side], "o2")]
    if kit.level.hops == 1:
        return [Relation("o1", kit.draws.pick(_CORNERS), "o2")]
    return [Relation("o1", "between", "o2", "o3")] if kit.draws.chance(0.4) else []


def said(relations: Value) -> str:
    """Return relations joined by ``+`` in words."""
    return " and ".join(RELATIONS[each] for each in str(relations).split("+"))


def _where(kit: Kit, world: World, values: tuple[str, ...]) -> list[Ask]:
    """How the first two things stand to each other: one of four ways."""
    first, second = (labelled(thing.label) for thing in world.graph.objects[:2])
    a, b = (thing.label for thing in world.graph.objects[:2])
    by_object = {one.object.id: one.number for one in world.things}
    if not {"o1", "o2"} <= {*by_object}:
        return []
    way = (by_object["o1"], by_object["o2"])
    held = [value for value in values if world.stands(value, *way)]
    if len(held) != 1:
        return []
    mirrored = CONVERSE[held[0]]
    rest = kit.draws.shuffled([v for v in values if v not in (held[0], mirrored)])
    return [
        Ask(
            family="where",
            program=["direction", first, second, "?"],
            questions=(
                f"Where is the {a}, seen from the {b}?",
                f"Where in the picture is the {a} in relation to the {b}?",
                f"Which of these tells where the {a} is in the picture?",
            ),
            statements=lambda value: (
                f"The {a} is {said(value)} the {b}.",
                f"In the picture, the {a} is {said(value)} the {b}.",
            ),
            show=lambda value: f"{said(value)} the {b}",
            answer=held[0],
            wrong=[mirrored, *rest],
            claims=[mirrored],
            near=1,
            hops=1,
        )
    ]


def _beside(kit: Kit, world: World) -> list[Ask]:
    """Which thing stands so to the second one, as was planned of the first."""
    side, label = world.graph.relations[0].predicate, world.graph.objects[1].label
    program: Program = ["stands", side, labelled("?"), labelled(label)]
    return who(kit, world, program, f"is {RELATIONS[side]} the {label}", 1)


def _others(kit: Kit, world: World, n: int) -> list[Instance]:
    """Things to name; where there are enough, not those of which a twin asks."""
    labels = [one.object.label for one in world.things]
    single = [o for o in world.things if labels.count(o.object.label) == 1]
    rest = [one for one in single if one.object.id not in ("o1", "o2")]
    return kit.draws.some(rest if kit.level.hops > 1 and len(rest) > n else single, n)


def _ask_hard(kit: Kit, world: World) -> list[Ask]:
    found: list[Ask] = []
    for _ in range(_TRIES):
        things = _others(kit, world, 2)
        if len(things) < 2 or len(found) > 1:
            break
        a, b = (thing.object.label for thing in things)
        side, other = kit.draws.pick(SIDES), kit.draws.pick(SIDES)
        first: Program = ["stands", side, labelled("?"), labelled(a)]
        second: Program = ["stands", other, labelled("?"), labelled(b)]
        if kit.draws.chance():
            said = f"is {RELATIONS[side]} the {a} and {RELATIONS[other]} the {b}"
            found += who(kit, world, ["and", first, second], said, 2)
        else:
            said = f"is {RELATIONS[side]} the {a}, but not {RELATIONS[other]} the {b}"
            found += who(kit, world, ["and", first, ["not", second]], said, 2)
    for one in _others(kit, world, 2):
        near, label = kit.draws.pick(("nearest", "farthest")), one.object.label
        said = f"is {near} {'to' if near == 'nearest' else 'from'} the {label}"
        found += who(kit, world, [near, labelled("?"), labelled(label), ["all"]], said, 2)
    for rule in world.graph.relations:
        if rule.predicate == "between":
            ends = [thing.label for thing in world.graph.objects[1:3]]
            program: Program = ["stands", "between", labelled("?"), *map(labelled, ends)]
            found += who(kit, world, program, f"is between the {ends[0]} and the {ends[1]}", 2)
    return found


def _ask(kit: Kit, world: World) -> list[Ask]:
    if places.shown(world.graph):
        return places.ask(kit, world)
    if facing.shown(world.graph):
        return facing.ask(kit, world)
    if kit.level.hops == 0:
        # Where only one of the two can be asked, it is: that depends on places, not on names.
        return [*_where(kit, world, SIDES), *_beside(kit, world)]
    if kit.level.hops == 1:
        found = _where(kit, world, _CORNERS)
        for one in _others(kit, world, 1):
            side = kit.draws.pick(SIDES)
            label = one.object.label
            program: Program = ["stands", side, labelled("?"), labelled(label)]
            found += who(kit, world, program, f"is {RELATIONS[side]} the {label}", 1)
        return found
    return _ask_hard(kit, world)


def _twin(kit: Kit, graph: Graph) -> Graph:
    """Two things have each other's place, or face each other's way."""
    if facing.shown(graph):
        return exchanged(graph, 0, 1, "facing")
    return exchanged(graph, 0, 1, "list", "label")


def _model(kit: Kit) -> Graph:
    """Plan a thing that stands so to a second one, and so to a third one."""
    setting, n = kit.setting("shape", plain=True), min(max(kit.size(), 3), 6)
    things = kit.objects(kit.kinds(n, setting), [kit.level.span[0]] * n)
    relations = tuple(Relation("o1", kit.draws.pick(SIDES), other) for other in ("o2", "o3"))
    return Graph(things, relations, setting)


def _stand(model: Graph) -> Program:
    one, *others = (labelled(thing.label) for thing in model.objects[:3])
    sides = (each.predicate for each in model.relations)
    return ["and", *(["stands", side, one, of] for side, of in zip(sides, others, strict=True))]


def _said(kit: Kit, model: Graph) -> str:
    one, *others = (thing.label for thing in model.objects[:3])
    where = (
        f"{RELATIONS[each.predicate]} the {of}"
        for each, of in zip(model.relations, others, strict=True)
    )
    return f"the {one} is {' and '.join(where)}"


_CLAIM = Claim(
    model=_model,
    shown=either_way,
    facts=lambda picture: picture.relations,
    program=_stand,
    said=_said,
)


@SUBTASKS.register("spatial")
def spatial() -> Skill:
    """Return the skill: how things stand to each other."""
    return skill("spatial", 5, *claimed(_CLAIM, _plan, _ask, _twin), placed=True)
