"""What tasks of taste have alike: things to speak of, and ways to name them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from lvlmbench.scene.grammar import capitalized, enumeration
from lvlmbench.scene.graph import Graph, Setting
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.graphs.spots import scattered
from lvlmbench.suites.graphs.stock import Kind
from lvlmbench.suites.graphs.wording import NUMBERS
from lvlmbench.suites.touchstone.describing import background, called, in_order, sorts, the
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.knowledge import things
from lvlmbench.suites.touchstone.task import Turn

#: What nobody wants in a bedtime story, nor finds in a train.
_UNFIT = frozenset(("bomb", "dagger", "kitchen knife", "syringe", "pill", "credit card", "toilet"))


def fit(pool: Sequence[Kind]) -> list[Kind]:
    """Return the kinds of a pool that suit any occasion."""
    return [kind for kind in pool if kind.label not in _UNFIT]


def shown(kit: TaskKit, kinds: Sequence[Kind], setting: Setting) -> Graph:
    """Return a graph of kinds at spots that no two share, all about equally large."""
    span = kit.draws.within(*kit.level.span)
    things = kit.objects(kit.draws.shuffled(kinds), [span] * len(kinds))
    return Graph(things, scattered(kit, things), setting)


def of_lists(kit: TaskKit, setting: Setting, *names: str) -> list[Kind]:
    """Return the kinds of lists that suit any occasion, and that a setting does not show."""
    pool = kit.stock.pool(span=kit.level.span[0], barred=kit.barred(setting))
    return [kind for kind in fit(pool) if kind.list in names]


def animals(kit: TaskKit, setting: Setting) -> list[Kind]:
    """Return the animals of which something is known."""
    return labelled(kit, setting, things().animals)


def useful(kit: TaskKit, setting: Setting) -> list[Kind]:
    """Return the objects of which it is known what one does with them."""
    return labelled(kit, setting, {label for uses in things().objects.values() for label in uses})


def labelled(kit: TaskKit, setting: Setting, labels: Collection[str]) -> list[Kind]:
    """Return the kinds of labels that a setting does not show by itself."""
    pool = kit.stock.pool(span=kit.level.span[0], barred=kit.barred(setting))
    return [kind for kind in pool if kind.label in labels]


def some(kit: TaskKit, pool: Sequence[Kind], n: int, beside: Sequence[Kind] = ()) -> list[Kind]:
    """Return up to n kinds of a pool that nobody takes for each other, nor for those beside."""
    found: list[Kind] = []
    for kind in kit.draws.shuffled(pool):
        if len(found) < n and kit.stock.apart(kind, [*found, *beside]):
            found.append(kind)
    return found


def cast(n: int, kit: TaskKit) -> Graph:
    """Plan so many animals and, beside them, things that somebody uses."""
    setting = kit.setting("shape", plain=True)
    beasts = some(kit, animals(kit, setting), n)
    rest = some(kit, useful(kit, setting), kit.size() - len(beasts), beasts)
    return shown(kit, [*beasts, *rest], setting)


def things_of(world: World, *names: str) -> list[Instance]:
    """Return the things of some lists from left to right, by default all."""
    found = in_order(world, world.things)
    return [one for one in found if not names or one.object.list in names]


def listed(kit: TaskKit, things: Sequence[Instance]) -> str:
    """Return "a fox, an owl, and a red car"."""
    return enumeration([called(kit, one.object) for one in things])


def recalled(kit: TaskKit, things: Sequence[Instance]) -> str:
    """Return "the fox, the owl, and the red car"."""
    return enumeration([the(kit, one.object) for one in things])


def joined(clauses: Sequence[str]) -> str:
    """Return clauses that may have commas of their own behind each other."""
    return ", and ".join([*filter(None, [", ".join(clauses[:-1])]), *clauses[-1:]])


def slots(kit: TaskKit, world: World, roles: Mapping[str, Instance]) -> dict[str, str]:
    """Return what texts are filled with: by names of things what these are called, and what is
    known of them; each also with a capital."""
    found = {"place": background(kit, world).strip() or "far away from here"}
    for name, one in roles.items():
        label = one.object.label
        found |= {name: called(kit, one.object), f"the_{name}": the(kit, one.object)}
        if label in things().animals:
            found[f"known_{name}"], found[f"came_{name}"] = things().animals[label]
        else:
            found[f"use_{name}"] = things().use(label)
    return found | {name[0].upper() + name[1:]: capitalized(said) for name, said in found.items()}


def how_many(kit: TaskKit, world: World) -> tuple[Turn, ...]:
    """Return the turn that tells how many things a picture shows, and names none of them.

    There is none where that is not clear.
    """
    if len(world.things) < len(world.instances):
        return ()
    what = sorts(world.things)
    wordings = (
        f"Apart from any background, how many {what} are there in this picture?",
        f"Not counting the background, how many {what} do you see?",
    )
    return (Turn(kit.draws.pick(wordings), f"{capitalized(NUMBERS[len(world.things)])}."),)
