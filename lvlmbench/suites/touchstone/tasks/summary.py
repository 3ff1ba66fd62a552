"""Summary: what two or four pictures have in common, and what each of them shows."""

from __future__ import annotations

from lvlmbench.scene.grammar import capitalized, enumeration
from lvlmbench.scene.graph import Graph, Object
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.claims import side_by_side
from lvlmbench.suites.touchstone.comparing import clear, in_all, labels, number_of, of_panel, places
from lvlmbench.suites.touchstone.describing import background, called
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.planning import inanimate
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, Turn, drawn
from lvlmbench.suites.touchstone.values import things

#: Pictures -> longest side of things, in thousandths, and how many a picture shows beside what all
#: of them show.
_SPANS, _OTHERS = {2: 200, 4: 165}, {2: (2, 3), 4: (1, 2)}


def _plan(kit: TaskKit) -> Graph:
    """Plan pictures that share one kind of thing, in a color of its own in each."""
    n = kit.in_turn([*_SPANS])
    setting = kit.setting("shape", "color", plain=True)
    kinds = kit.kinds(1 + n * _OTHERS[n][1], setting, of=inanimate(kit, setting))
    shared, rest = kinds[0], kinds[1:]
    colors = kit.colors(n)
    pictures = {}
    for panel in range(n):
        own = [rest.pop() for _ in range(kit.draws.within(*_OTHERS[n]))]
        hues = [colors[panel], *(kit.draws.pick(kit.stock.colors) for _ in own)]
        mixed = kit.draws.shuffled([*zip([shared, *own], hues, strict=True)])
        spans = [_SPANS[n]] * len(mixed)
        things = kit.objects([kind for kind, _ in mixed], spans, [color for _, color in mixed])
        pictures[panel] = Graph(things, (), setting)
    return side_by_side(pictures)


def _ask(kit: TaskKit, world: World) -> Asked | None:
    """What is in all pictures, and what is in one alone."""
    shared = in_all(world)
    if not clear(world) or len(shared) != 1:
        return None
    label = shared[0]
    name = next(one.object.list for one in world.things if one.object.label == label)
    n = world.graph.panels
    pictures = "both pictures" if n == 2 else f"all {number_of(n)} pictures"
    told = "; ".join(
        f"{where} shows {enumeration([called(kit, each) for each in _there(world, panel, label)])}"
        for panel, where in enumerate(places(world))
    )
    common = f"{capitalized(pictures)} show {kit.words.a(label)}{background(kit, world)}"
    if kit.draws.chance(0.35):
        return Asked(
            question=kit.draws.pick(
                (
                    f"Not counting the background, what kind of object is in {pictures}?",
                    f"Apart from the background, what do {pictures} have in common?",
                )
            ),
            answer=f"{capitalized(kit.words.a(label))} is in {pictures}. Every other object is in "
            "only one of them.",
            accepted=kit.forms(name, label),
            rivals=things(kit, world, label),
            hops=1,
            near=len(world.things) - n,
        )
    return Asked(
        question=kit.draws.pick(
            (
                "Sum up these pictures: what do they have in common, and what does each show?",
                f"What connects the {number_of(n)} pictures, and what sets each of them apart?",
                f"What does each of the {number_of(n)} pictures show? What do they have in common?",
            )
        ),
        answer=f"{common}. {capitalized(told)}.",
        owes=_owed(world, label),
        before=(Turn("How many pictures are there?", f"There are {number_of(n)}."),),
        behind="What do they have in common, and what does each show?",
        hops=1,
        near=len(labels(world, 0)),
    )


def _owed(world: World, shared: str) -> frozenset[str]:
    """What an answer is to say: all things, and the colors of what all pictures show."""
    colored = [one.object.id for one in world.things if one.object.label == shared]
    return frozenset((*(one.object.id for one in world.things), *(f"{o}.color" for o in colored)))


def _there(world: World, panel: int, shared: str) -> list[Object]:
    """What a picture shows, what all of them show first."""
    found = [one.object for one in of_panel(world, panel) if one.there]
    return sorted(found, key=lambda each: each.label != shared)


@SUBTASKS.register("touchstone_summary")
def summary() -> DrawnTask:
    """Return the task: what several pictures have in common."""
    return drawn(
        "touchstone_summary",
        things=(2, 4), span=(165, 200), background=True, placed=True, hops=1,
        plan=_plan, ask=_ask, owes=None,
    )  # fmt: skip
