"""Panels of many small things: what can change of a thing, and scenes in which some are changed.

Of n things of a panel the first two can change in the same ways, and the last two look alike.
Things that can be counted fill a panel (:data:`MOST`); where one is changed, there is one fewer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lvlmbench.scene.graph import Graph, Object, Setting
from lvlmbench.suites.graphs.draws import partner
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.level import MOST
from lvlmbench.suites.graphs.stock import Kind

#: Longest sides, in thousandths, of things that can grow, and of those that can shrink.
_SMALL, _LARGE = (113, 119), (162, 167)
#: How many hundredths the larger of two sizes is of the smaller.
_GROWTH = (136, 143)
#: How far a thing moves that is not where it was.
_STEP = (66, 86)
_OTHER_WAY = {"left": "right", "right": "left"}
#: How many things look alike, and how many have a color of their own; all others face a side.
_ALIKE, _COLORED = 2, 2
#: First numbers of differences that are offered, in rows of :data:`WINDOW`.
_STARTS, WINDOW = (1, 3), 4


def starts(number: int) -> list[int]:
    """Return the first numbers of rows that hold a number."""
    return [start for start in _STARTS if start <= number < start + WINDOW]


def possible(thing: Object) -> list[str]:
    """Return what can change of a thing, while it stays near its place."""
    found = ["moved", "larger" if (thing.span or 0) <= _SMALL[1] else "smaller"]
    if thing.facing in _OTHER_WAY:
        found.append("mirrored")
    return [*found, "color"] if thing.color is not None else found


def change(one: Object, other: Object) -> str | None:
    """Return how a thing of one panel is changed in another; None where it is as it was."""
    if one.color != other.color:
        return "color"
    if one.facing != other.facing:
        return "mirrored"
    if one.span != other.span:
        return "larger" if (one.span or 0) < (other.span or 0) else "smaller"
    if one.slot != other.slot:
        return "exchanged"
    return "moved" if one.aside != other.aside else None


def in_panel(things: Sequence[Object], panel: int) -> list[Object]:
    """Return things at their places in a panel."""
    return [replace(thing, id=f"{thing.slot}.{panel}", panel=panel) for thing in things]


def of_panel(graph: Graph, panel: int) -> list[Object]:
    """Return the things of a panel."""
    return [thing for thing in graph.objects if thing.panel == panel]


def shown(
    things: Sequence[Object], panels: int, odd: int, other: Sequence[Object]
) -> tuple[Object, ...]:
    """Return the things of all panels; the odd one shows other things."""
    return tuple(
        thing
        for panel in range(panels)
        for thing in (other if panel == odd else in_panel(things, panel))
    )


def planned(kit: Kit, setting: Setting) -> Graph:
    """Return a picture: half of them to count differences in, a quarter of four panels."""
    if kit.draws.chance():
        things = _things(kit, setting, MOST, 2)
        number = kit.draws.pick(_STARTS) + kit.draws.below(WINDOW)
        return Graph(shown(things, 2, 1, _with_changes(kit, things, number)), setting=setting)
    if kit.draws.chance():
        things = _things(kit, setting, MOST - 1, 1)
        return Graph(_odd_one(kit, things, kit.draws.below(4)), setting=setting)
    things = _things(kit, setting, MOST - 1, 2)
    how = kit.draws.pick(in_common(things))
    return Graph(shown(things, 2, 1, _first_changed(kit, things, how)), setting=setting)


def counted(graph: Graph) -> bool:
    """Return whether differences are to be counted."""
    return graph.panels == 2 and len(of_panel(graph, 0)) == MOST


def in_common(things: Sequence[Object]) -> list[str]:
    """Return what can change of either of the first two things."""
    return [how for how in possible(things[0]) if how in possible(things[1])]


def twin(kit: Kit, graph: Graph) -> Graph:
    """Return the picture with one difference more or fewer, another odd panel, or the second thing
    changed as the first one was."""
    panels = [of_panel(graph, panel) for panel in range(graph.panels)]
    if graph.panels == 4:
        looks = [{replace(thing, id=thing.slot, panel=None) for thing in own} for own in panels]
        odd = next(at for at in range(4) if looks.count(looks[at]) == 1)
        things = panels[(odd + 1) % 4]
        other = (odd + 1 + kit.draws.below(3)) % 4
        return replace(graph, objects=_odd_one(kit, things, other))
    before, after = panels
    if not counted(graph):
        how = change(before[0], after[0])
        assert how is not None, "the first thing is the one that is changed"
        things = [before[1], before[0], *before[2:]]
        return replace(graph, objects=shown(things, 2, 1, _first_changed(kit, things, how)))
    found = [change(*pair) for pair in zip(before, after, strict=True)]
    number = sum(how is not None for how in found)
    if partner(number) > number:
        at = kit.draws.pick([at for at, how in enumerate(found) if how is None])
        after[at] = _changed(kit, after[at], _any_way(kit, after[at]), after)
    else:
        at = kit.draws.pick([at for at, how in enumerate(found) if how not in (None, "exchanged")])
        after[at] = in_panel([before[at]], 1)[0]
    return replace(graph, objects=shown(before, 2, 1, after))


def _things(kit: Kit, setting: Setting, n: int, n_large: int) -> list[Object]:
    """The things of a panel, some of them large."""
    pool = kit.stock.pool(span=kit.level.span[0], barred=kit.barred(setting))
    alike = kit.alike(setting)
    more, turning = n - _ALIKE - _COLORED, [kind for kind in pool if _faces(kind)]
    facing = kit.kinds(more, setting, beside=alike, of=turning)
    colored = kit.kinds(_COLORED, setting, recolorable=True, beside=[*alike, *facing])
    ends = (facing, colored) if kit.draws.chance() else (colored, facing)
    kinds = [*ends[0][:2], *kit.draws.shuffled([*ends[0][2:], *ends[1]]), *alike]
    large = kit.draws.some(range(2, n - 2), n_large)
    if n_large == 2 and kit.draws.chance():
        large = [0, 1]
    spans = [kit.draws.within(*(_LARGE if at in large else _SMALL)) for at in range(n)]
    colors = dict(zip(colored, kit.colors(_COLORED), strict=True))
    things = kit.objects(kinds, spans, [colors.get(kind) for kind in kinds])
    return [
        replace(thing, facing="left" if kit.draws.chance() else "right") if _faces(kind) else thing
        for thing, kind in zip(things, kinds, strict=True)
    ]


def _faces(kind: Kind) -> bool:
    """Whether a small thing plainly faces a side: animals have a head, cars look much alike."""
    return kind.list == "animal" and kind.entry.extra.get("faces") in _OTHER_WAY


def _any_way(kit: Kit, thing: Object) -> str:
    """One of the changes of a thing; in half of the cases one that not all things allow."""
    ways = possible(thing)
    return kit.draws.pick(ways[2:] if ways[2:] and kit.draws.chance() else ways)


def _changed(kit: Kit, thing: Object, how: str, there: Sequence[Object]) -> Object:
    """A thing with one of its possible changes; no other thing there has its new color."""
    if how == "mirrored":
        return replace(thing, facing="left" if thing.facing == "right" else "right")
    if how == "color":
        taken = {each.color for each in there}
        near = kit.stock.near_colors(thing.color or "")
        return replace(thing, color=kit.draws.pick([c for c in near if c not in taken][:2]))
    if how == "moved":
        step = kit.draws.within(*_STEP) * (1 if kit.draws.chance() else -1)
        x, y = (step, 0) if kit.draws.chance() else (0, step)
        return replace(thing, aside=(x, y))
    span, by = thing.span or 0, kit.draws.within(*_GROWTH)
    return replace(thing, span=span * by // 100 if how == "larger" else span * 100 // by)


def _first_changed(kit: Kit, things: Sequence[Object], how: str) -> list[Object]:
    first, *rest = in_panel(things, 1)
    return [_changed(kit, first, how, rest), *rest]


def _exchanged(things: Sequence[Object]) -> list[Object]:
    """The things of a panel; the two that look alike have each other's places."""
    *rest, one, other = things
    return [*rest, replace(one, id=other.id), replace(other, id=one.id)]


def _odd_one(kit: Kit, things: Sequence[Object], odd: int) -> tuple[Object, ...]:
    """Four panels, one of which is unlike the others in one change."""
    own = in_panel(things, odd)
    if kit.draws.chance(0.25):
        return shown(things, 4, odd, _exchanged(own))
    at = kit.draws.below(len(own))
    own[at] = _changed(kit, own[at], _any_way(kit, own[at]), own)
    return shown(things, 4, odd, own)


def _with_changes(kit: Kit, things: Sequence[Object], number: int) -> list[Object]:
    """The things of the second panel; so many of them differ from those of the first."""
    own = in_panel(things, 1)
    left = kit.draws.shuffled(range(len(own)))
    if number > 2 and kit.draws.chance():  # one is left that a twin does without
        own, number = _exchanged(own), number - 2
        left = [at for at in left if at < len(own) - 2]
    for at in left[:number]:
        own[at] = _changed(kit, own[at], _any_way(kit, own[at]), own)
    return own
