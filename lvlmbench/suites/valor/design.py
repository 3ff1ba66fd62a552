"""Which scenes show associations: triplets with one layout, and scenes at random.

VALOR-Eval selects images in which an object stands with what it is rarely seen with, and without
what it is most often seen with (section 3.1.3). A drawn scene can do more: the same picture is
drawn once with another thing in the place of the object, and once with what is expected in it. So
how often a model says what is expected, with the object and without it, is an effect.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from lvlmbench.core.errors import UserError
from lvlmbench.scene.graph import Graph, Relation, Setting
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.spots import scattered
from lvlmbench.suites.graphs.stock import Kind, Stock
from lvlmbench.suites.valor.association.drawable import Associated
from lvlmbench.suites.valor.association.selection import Anchor
from lvlmbench.tables.designs import ARMS

#: Scenes of a triplet, and a scene at random behind each.
TRIPLET = 3
_TURN = TRIPLET + 1
_TRIES = 400


class Triplet(NamedTuple):
    """What three scenes show in the same places.

    Attributes
    ----------
    anchor, object
        o, and what chose it.
    expected, untypical
        h, of its most associated things, and i, of its least.
    other
        What stands in the place of o, and is never seen with h.
    fillers
        What all three show, never seen with h either.
    """

    anchor: Anchor
    object: Kind
    expected: Kind
    untypical: Kind
    other: Kind
    fillers: tuple[Kind, ...]
    setting: Setting
    span: int

    def shown(self, arm: str) -> tuple[Kind, ...]:
        """Return the things of an arm, what differs first."""
        first = self.other if arm == ARMS[1] else self.object
        second = self.expected if arm == ARMS[2] else self.untypical
        return (first, second, *self.fillers)


def first_of(ordinal: int) -> int | None:
    """Return the ordinal of a triplet's first scene; None of a scene at random."""
    turn = ordinal % _TURN
    return None if turn == TRIPLET else ordinal - turn


def arm_of(ordinal: int) -> str:
    """Return the arm of a scene of a triplet, or at random."""
    return ARMS[ordinal % _TURN]


def planned(kit: Kit, associated: Associated, ordinal: int) -> tuple[Triplet, Graph]:
    """Return the triplet that a scene is of, and the scene.

    ``kit`` makes the same choices for all three of them.

    Raises
    ------
    UserError
        The associations hold too little that is drawn.
    """
    statistics = associated.own.statistics
    found = _triplet(kit, associated, statistics[ordinal // _TURN % len(statistics)])
    kinds = found.shown(arm_of(ordinal))
    things = kit.objects(kinds, [found.span] * len(kinds))
    spots: tuple[Relation, ...] = scattered(kit, things)
    return found, Graph(things, spots, found.setting)


def _triplet(kit: Kit, associated: Associated, statistic: str) -> Triplet:
    n, span = kit.size(), kit.draws.within(*kit.level.span)
    for _ in range(_TRIES):
        anchor, one = kit.draws.pick(associated.anchors(statistic))
        expected = kit.draws.pick(associated.expected(one))
        untypical = kit.draws.pick(associated.rare(one, statistic))
        barred = {expected.number, *associated.avoided(one, statistic)}
        free = [
            kind
            for kind in associated.known
            if kind.number not in barred and not associated.linked(kind, expected)
        ]
        if not free or associated.linked(untypical, expected):
            continue
        other = kit.draws.pick(free)
        named = [one, expected, untypical, other]
        if not all(kit.stock.apart(kind, named[at + 1 :]) for at, kind in enumerate(named)):
            continue
        setting = _setting(kit, associated, one, named)
        if setting is None:
            continue
        pool = [
            kind
            for kind in kit.stock.pool(span=span, barred=kit.barred(setting))
            if kind.number not in barred and not associated.linked(kind, expected)
        ]
        fillers = kit.kinds(n - 2, setting, beside=named, of=pool)
        return Triplet(anchor, one, expected, untypical, other, tuple(fillers), setting, span)
    what = f"holds no triplet of things that are drawn, by '{statistic}'"
    raise UserError(associated.own.source, what, "name another source, or write 'design: false'")


def _setting(kit: Kit, associated: Associated, one: Kind, named: Sequence[Kind]) -> Setting | None:
    """A background that shows none of the things by itself, one where o is often seen if it can."""
    base, known = kit.setting("shape"), [entry.label for entry in kit.stock.backgrounds]
    usual = [label for label in associated.backgrounds(one) if label in known]
    for label in [*kit.draws.shuffled(usual), *kit.draws.shuffled(known)]:
        setting = Setting(label, base.style)
        pool = {kind.number for kind in kit.stock.pool(barred=kit.barred(setting))}
        if all(kind.number in pool for kind in named):
            return setting
    return None


def row(kit: Kit, associated: Associated, ordinal: int) -> dict[str, Any]:
    """Return what a scene of a triplet is about: columns of :data:`lvlmbench.tables.DESIGNS`."""
    found, _ = planned(kit, associated, ordinal)
    first, second, *_ = found.shown(arm_of(ordinal))
    return {
        "arm": arm_of(ordinal),
        "anchor": first.label,
        "shown": second.label,
        "expected": found.expected.label,
        "statistic": found.anchor.statistic,
        "value": round(found.anchor.value, 6),
        "support": found.anchor.support,
    }


def at_random(associated: Associated, graph: Graph, stock: Stock) -> dict[str, Any]:
    """Return the same of a scene at random: what would be expected most with a thing of it."""
    there = [stock.by_label[thing.label] for thing in graph.objects]
    found = [
        (-associated.share(one, other), one.label, other.label)
        for one in there
        for other in associated.expected(one)
        if stock.apart(other, there)
    ]
    _, anchor, expected = min(found, default=(0.0, None, None))
    return {"arm": ARMS[TRIPLET], "anchor": anchor, "expected": expected}
