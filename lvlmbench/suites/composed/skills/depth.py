"""Depth and occlusion: what hides a part of what; what stands nearer on ground."""

from __future__ import annotations

from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.programs import holds, text_of
from lvlmbench.scene.sets import Program, Value, labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.claims import Claim, claimed, either_way
from lvlmbench.suites.composed.skill import Skill, skill
from lvlmbench.suites.graphs import ground
from lvlmbench.suites.graphs.ask import Ask, exchanged
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.wording import RELATIONS


def _plan(kit: Kit) -> Graph:
    found = ground.plan(kit) if kit.draws.chance() else None
    return found or _covering(kit)


def _covering(kit: Kit) -> Graph:
    """Plan a thing that hides a part of another, among others."""
    setting, n = kit.setting("shape"), max(kit.size(), 4 + min(kit.level.hops, 1))
    spans = kit.spans(n)
    things = kit.objects(kit.kinds(n, setting), spans)
    relations = [Relation("o2", "in_front_of", "o1")]
    if kit.level.hops >= 2:
        relations.append(Relation("o4", "in_front_of", "o3"))
    if kit.draws.chance():  # the larger one is as often before as behind
        relations = [Relation(str(r.object), r.predicate, r.subject) for r in relations]
    return Graph(things, tuple(relations), setting)


def _pairs(world: World) -> list[tuple[str, str]]:
    """(what is in front, what is behind) of all that clearly overlap, by label."""
    return [
        (a.object.label, b.object.label)
        for a in world.things
        for b in world.things
        if a != b and world.stands("in_front_of", a.number, b.number)
    ]


def _who(
    kit: Kit, world: World, program: Program, words: tuple[str, ...], right: str, other: str
) -> Ask:
    """Which thing hides a part of the other, or is partly hidden by it."""
    named = text_of(program)
    labels = [one.object.label for one in world.things if f'"{one.object.label}"' not in named]
    wrong = [label for label in labels if holds(program, world, label) is False]
    if kit.level.hops == 0:  # few things: one is offered that is not there
        there = [one.object.label for one in world.things]
        wrong += kit.strangers(there, world.graph.setting, 3 - len(wrong))
    behind = program[2] == labelled("?")

    def statements(label: Value) -> tuple[str, ...]:
        front, back = (label, other) if behind else (other, label)
        return (
            f"The {front} hides part of the {back}.",
            f"Part of the {back} is hidden behind the {front}.",
        )

    return Ask(
        family="hides" if behind else "hidden",
        program=program,
        questions=words,
        statements=statements,
        show=lambda label: f"the {label}",
        answer=right,
        wrong=kit.draws.some(wrong, 3),
        near=3,
        hops=1,
    )


def _ask(kit: Kit, world: World) -> list[Ask]:
    if ground.planned(world.graph):
        return ground.ask(kit, world)
    pairs = _pairs(world)
    if not pairs:
        return []
    front, back = kit.draws.pick(pairs)
    found = [
        _who(
            kit,
            world,
            ["stands", "hides", labelled(front), labelled("?")],
            (
                f"Which of these is partly hidden by the {front}?",
                f"Which of these is behind the {front} and partly covered by it?",
                f"The {front} hides part of one of these. Which one?",
            ),
            back,
            front,
        ),
        _who(
            kit,
            world,
            ["stands", "hides", labelled("?"), labelled(back)],
            (
                f"Which of these hides part of the {back}?",
                f"Which of these is in front of the {back} and partly covers it?",
                f"Part of the {back} is hidden by one of these. Which one?",
            ),
            front,
            back,
        ),
    ]
    first, second = kit.draws.shuffled((front, back))
    order = "in_front_of" if first == front else "behind"
    found.append(
        Ask(
            family="order",
            program=["direction", labelled(first), labelled(second), "?"],
            questions=(
                f"Is the {first} in front of the {second} or behind it?",
                f"Where is the {first}: in front of the {second} or behind it?",
            ),
            statements=lambda value: (
                f"The {first} is {RELATIONS[str(value)]} the {second}.",
                f"In the picture, the {first} is {RELATIONS[str(value)]} the {second}.",
            ),
            show=lambda value: f"{RELATIONS[str(value)]} the {second}",
            answer=order,
            wrong=["behind" if order == "in_front_of" else "in_front_of"],
            options=2,
            near=1,
            hops=1,
        )
    )
    return found


def _twin(kit: Kit, graph: Graph) -> Graph:
    """What was in front is behind; or one of the two has its place from a third thing.

    Each of the three asks what only it changes, so that all are asked of twins, too.
    """
    if ground.planned(graph):
        return ground.ends_exchanged(kit, graph)
    first, second = kit.draws.pick(((0, 1), (0, 2), (1, 2)))
    return exchanged(graph, first, second, "list", "label")


#: Longest side of things that hide parts of each other: enough is seen of those behind; and how
#: many things have room in one of four pictures beside them.
_COVERED, _MOST = 168, 6


def _model(kit: Kit) -> Graph:
    """Plan two pairs, in each of which one thing hides a part of the other."""
    setting, n = kit.setting("shape", plain=True), min(max(kit.size(), 4), _MOST)
    spans = [_COVERED] * 4 + [kit.level.span[0]] * (n - 4)
    things = kit.objects(kit.kinds(n, setting), spans)
    pairs = ("o1", "o2"), ("o3", "o4")
    ways = [kit.draws.pick(("in_front_of", "behind")) for _ in pairs]
    relations = (Relation(a, way, b) for way, (a, b) in zip(ways, pairs, strict=True))
    return Graph(things, tuple(relations), setting)


def _stand(model: Graph) -> Program:
    a, b, c, d = (labelled(thing.label) for thing in model.objects[:4])
    first, second = (each.predicate for each in model.relations)
    return ["and", ["stands", first, a, b], ["stands", second, c, d]]


def _said(kit: Kit, model: Graph) -> tuple[str, str]:
    a, b, c, d = (thing.label for thing in model.objects[:4])
    first, second = (RELATIONS[each.predicate] for each in model.relations)
    where, other = f"the {a} {{}}{first} the {b}", f"the {c} {{}}{second} the {d}"
    both = f"{where} and {other}"
    return both.format("is ", "is "), f"is {both.format('', '')}"


_CLAIM = Claim(
    model=_model,
    shown=either_way,
    facts=lambda picture: picture.relations,
    program=_stand,
    said=_said,
)


@SUBTASKS.register("depth")
def depth() -> Skill:
    """Return the skill: what stands before what."""
    return skill("depth", 6, *claimed(_CLAIM, _plan, _ask, _twin))
