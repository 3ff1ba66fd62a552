"""Species: which animal or plant it is, beside others that look like it."""

from __future__ import annotations

from collections.abc import Iterator

from lvlmbench.scene.grammar import indefinite
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.graphs.wording import RELATIONS, SIDES
from lvlmbench.suites.touchstone.asking import OUTERMOST, alone, forms, one_of, outermost
from lvlmbench.suites.touchstone.describing import in_order, single
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.planning import setting_without
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, Turn, drawn
from lvlmbench.suites.touchstone.values import things

#: Lists whose entries are living beings -> what one is called by who does not know it.
_LIVING = {"animal": "animal", "plant": "plant"}

#: What else makes it unclear which one is meant, where a background shows it.
_ALSO = {
    "animal": (),
    "plant": ("bush", "coral", "flower", "grass", "kelp", "plant", "seaweed", "tree"),
}

#: Plants and animals that have the name of no kind, or of one that is only a part or an age.
_UNNAMED = frozenset((
    "bare tree", "bouquet of flowers", "chick", "Christmas tree", "deciduous tree", "fallen leaves",
    "potted plant", "seedling", "wilted flower",
))  # fmt: skip


def _plan(kit: TaskKit) -> Graph:
    """Plan animals, the first two of which look alike; one of four scenes shows plants."""
    name, n = kit.in_turn(("plant", "animal", "animal", "animal")), kit.size()
    setting = setting_without(kit, (name,), "shape", also=_ALSO[name])
    pool = [
        kind
        for kind in kit.stock.pool(span=kit.level.span[0], barred=kit.barred(setting))
        if kind.list == name and kind.label not in _UNNAMED
    ]
    if len(pool) < n:
        pool = [kind for kind in kit.stock.pool(span=kit.level.span[0]) if kind.list in _LIVING]
        pool = [kind for kind in pool if kind.label not in _UNNAMED]
    two = kit.alike(setting, of=pool)
    kinds = [*two, *kit.kinds(n - 2, setting, beside=two, of=pool)]
    spans = [kit.draws.within(*kit.level.span)] * n
    return Graph(kit.objects(kit.draws.shuffled(kinds), spans), (), setting)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    return one_of(kit, [*_outer(kit, world)], [*_next(kit, world)])


def _about(kit: TaskKit, one: Instance) -> str:
    """What is known of a living being: "a fox, which is a wild canid"."""
    sense = kit.stock.by_label[one.object.label].entry.sense
    return f"{kit.words.a(one.object.label)}, which is {indefinite(sense)}"


def _kind(world: World) -> str:
    lists = {one.object.list for one in world.things}
    return _LIVING[lists.pop()] if len(lists) == 1 else "living thing"


def _outer(kit: TaskKit, world: World) -> Iterator[Asked]:
    """Which one is outermost."""
    kind = _kind(world)
    others = {side: outermost(world, side) for side in OUTERMOST}
    for side, one in others.items():
        if one is None:
            continue
        how = OUTERMOST[side]
        rest = [(o, each) for o, each in others.items() if each not in (None, one)]
        before: tuple[Turn, ...] = ()
        if rest:
            where, other = kit.draws.pick(rest)
            assert other is not None
            said = kit.words.a(other.object.label)
            before = (Turn(f"Which {kind} is {OUTERMOST[where]}?", f"It is {said}."),)
        yield Asked(
            question=kit.draws.pick(
                (
                    f"Which {kind} is {how}? Name it as precisely as you can.",
                    f"What kind of {kind} is the one {how}?",
                    f"Look at the {kind} that is {how}. What is it called?",
                )
            ),
            answer=f"The {kind} that is {how} is {_about(kit, one)}.",
            accepted=forms(kit, one.object),
            rivals=_others(kit, world, one),
            before=before,
            behind=kit.draws.pick((f"And which one is {how}?", f"And what is the one {how}?")),
            near=1,
        )


def _next(kit: TaskKit, world: World) -> Iterator[Asked]:
    """Which one alone stands so to another."""
    kind, things = _kind(world), in_order(world, world.things)
    for other in things:
        if not single(world, other.object.label):
            continue
        for side in SIDES:
            one = alone(world, side, other)
            if one is None:
                continue
            label, how = other.object.label, RELATIONS[side]
            yield Asked(
                question=kit.draws.pick(
                    (
                        f"Only one {kind} is {how} the {label}. What kind of {kind} is it?",
                        f"Which {kind} is {how} the {label}?",
                    )
                ),
                answer=f"The {kind} {how} the {label} is {_about(kit, one)}.",
                accepted=forms(kit, one.object),
                rivals=_others(kit, world, one),
                before=(Turn(f"Which {kind} is {where_is}?", f"It is {kit.words.a(label)}."),)
                if (where_is := _outer_place(world, other))
                else (),
                behind=f"And which {kind} is {how} it?",
                hops=1,
                near=1,
            )


def _others(kit: TaskKit, world: World, one: Instance) -> tuple[str, ...]:
    """What else is there, and what looks like it or is taken for it."""
    kind = kit.stock.by_label[one.object.label]
    alike = [other for first, other in kit.stock.pairs() if first.number == kind.number]
    mates = [e for e in kit.names.entries(kind.list).values() if e.group == kind.entry.group]
    near = [*(each.label for each in alike), *(e.label for e in mates if e != kind.entry)]
    return (*things(kit, world, kind.label), *near)


def _outer_place(world: World, one: Instance) -> str | None:
    """How a living being is outermost; None where it is not."""
    return next((how for side, how in OUTERMOST.items() if outermost(world, side) is one), None)


@SUBTASKS.register("touchstone_species")
def species() -> DrawnTask:
    """Return the task: which animal or plant it is."""
    return drawn(
        "touchstone_species",
        things=(4, 6), span=(190, 230), background=True, placed=True,
        plan=_plan, ask=_ask,
    )  # fmt: skip
