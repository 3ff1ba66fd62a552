"""Whether a picture is as hard as its level says, by what was measured of it."""

from __future__ import annotations

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.props import PROP
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.settings import ExamLevel

#: Planned relations of which one thing hides a part of another, and of what else at most.
_HIDING = ("in_front_of", "behind", "on", "inside")
_MOST_HIDDEN = 0.15


def too_much(level: ExamLevel, graph: Graph) -> bool:
    """Return whether a plan has more things, or more kinds of them, than its level shows.

    A question of many steps may need them; then the level has no such question to ask.
    """
    things = [thing for thing in graph.objects if thing.list != PROP]
    kinds = {(thing.list, thing.label) for thing in things}
    many = sum(thing.instances for thing in things) > level.instances
    return many or len(kinds) > level.things[1]


def misses(level: ExamLevel, world: World) -> str | None:
    """Return what of a level a picture misses; None where it has all (AutoDavis, section 2.2).

    People are as large as their clothes need it, props as what lies on them.
    """
    things = [one for one in world.instances if one.object.list != PROP]
    if len(things) > level.instances:
        return f"{len(things)} things, and not {level.instances} at most"
    kinds = {(one.object.list, one.object.label) for one in things}
    if len(kinds) > level.things[1]:
        return f"{len(kinds)} kinds of things, and not {level.things[1]} at most"
    behind = {
        part
        for one in world.graph.relations
        if one.predicate in _HIDING
        for part in (one.subject, one.object)
    }
    hidden = [1 - t.seen.visible for t in things if t.seen and t.object.id not in behind]
    if max(hidden, default=0.0) > _MOST_HIDDEN:
        return f"a thing is hidden to {max(hidden):.0%}"
    return None
