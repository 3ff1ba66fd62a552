"""Product comparison: two offers side by side, each with a price and what comes with it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from lvlmbench.scene.answers import accepted
from lvlmbench.scene.grammar import capitalized, enumeration
from lvlmbench.scene.graph import Graph, Object, Relation
from lvlmbench.scene.relations import spot
from lvlmbench.scene.sets import LEGIBLE
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.composed.claims import side_by_side
from lvlmbench.suites.touchstone.asking import one_of
from lvlmbench.suites.touchstone.comparing import clear, of_panel
from lvlmbench.suites.touchstone.describing import describe
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.task import Asked, DrawnTask, Turn, drawn
from lvlmbench.suites.touchstone.telling import fit
from lvlmbench.suites.touchstone.values import colors, misread

#: What carries a price, and what is sold: no animals.
_TAG, _SOLD = "price tag", ("clothes", "object")
#: Longest sides in thousandths: of a product, which may be larger in one offer, of its price, and
#: of what comes with it.
_PRODUCT, _LARGER, _PRICE, _GIFT = 230, 330, 200, 150
_SIDES = ("left", "right")
#: Where they are, from the top in percent: the tag is closer to its product than to the gift.
_ROWS = (28, 52, 84)
#: Prices, and by how much two of them differ.
_LOW, _STEPS = (20, 60), (5, 10, 15, 20)


@dataclass(frozen=True)
class _Offer:
    """What is measured of an offer."""

    side: str
    product: Instance
    price: int
    gifts: tuple[Object, ...]


def _plan(kit: TaskKit) -> Graph:
    """Plan two offers of one product: other prices; maybe another color, size, something more."""
    setting = kit.setting("shape", "color", "text", plain=True)
    pool = fit(kit.stock.pool(recolorable=True, span=_GIFT, barred=kit.barred(setting)))
    sold = [kind for kind in pool if kind.list in _SOLD]
    product, *gifts = kit.kinds(3, setting, recolorable=True, of=sold if len(sold) > 20 else pool)
    low = kit.draws.within(*_LOW)
    prices = kit.draws.shuffled([low, low + kit.draws.pick(_STEPS)])
    hues = kit.colors(2)
    hues = hues if kit.draws.chance(0.75) else [hues[0]] * 2
    spans = [_PRODUCT, _LARGER] if kit.draws.chance(0.4) else [_PRODUCT] * 2
    spans = kit.draws.shuffled(spans)
    given = kit.draws.pick(((0, 1), (1, 0), (0, None), (None, 0), (None, None), (0, 0)))
    pictures = {}
    for panel in range(2):
        things = [Object("o1", product.list, product.label, "main", hues[panel], span=spans[panel])]
        things.append(Object("o2", "carrier", _TAG, text=str(prices[panel]), span=_PRICE))
        which = given[panel]
        if which is not None:
            gift, color = gifts[which], kit.draws.pick(kit.stock.colors)
            things.append(Object("o3", gift.list, gift.label, color=color, span=_GIFT))
        pictures[panel] = Graph(tuple(things), _stacked(kit, things), setting)
    return side_by_side(pictures)


def _stacked(kit: TaskKit, things: Sequence[Object]) -> tuple[Relation, ...]:
    """Put the tag right below its product, and what comes with it far from the tag.

    Places are those of the first panel.
    """
    rows = dict(zip(("o1", "o2", "o3"), _ROWS, strict=True))
    across = 25 + kit.draws.within(-3, 3)
    return tuple(Relation(one.id, spot(across, rows[one.id])) for one in things)


def _offers(world: World) -> list[_Offer] | None:
    """Both offers; None where something of them is not clear."""
    if not clear(world):
        return None
    found = []
    for panel, side in enumerate(_SIDES):
        there = [one for one in of_panel(world, panel) if one.there]
        tags = [one for one in there if one.object.label == _TAG]
        rest = [one for one in there if one.object.label != _TAG]
        if len(tags) != 1 or not rest or any(one.seen is None for one in there):
            return None
        if any(one.seen.visible < LEGIBLE for one in there if one.seen is not None):
            return None
        product, gifts = rest[0], rest[1:]
        price = int(str(tags[0].object.text))
        found.append(_Offer(side, product, price, tuple(one.object for one in gifts)))
    one, other = found
    same = one.product.object.label == other.product.object.label
    return found if same and one.price != other.price else None


def _ask(kit: TaskKit, world: World) -> Asked | None:
    offers = _offers(world)
    if offers is None:
        return None
    facts = _facts(kit, world, offers)
    if facts is None:
        return None
    found = one_of(kit, [_all(kit, offers, facts)], [*_single(kit, offers)])
    told = " ".join(f"{capitalized(fact)}." for fact in facts)
    return found and replace(found, description=f"{describe(kit, world)} Of the offers: {told}")


def _facts(kit: TaskKit, world: World, offers: list[_Offer]) -> list[str] | None:
    """Everything in which the offers differ or agree; None where the sizes are not clear."""
    left, right = offers
    label = left.product.object.label
    cheap, dear = sorted(offers, key=lambda each: each.price)
    found = [
        f"the {cheap.side} one is cheaper: it costs {cheap.price} and the {dear.side} one "
        f"{dear.price}, a difference of {dear.price - cheap.price}"
    ]
    one, other = (kit.words.colored(str(o.product.object.color), label) for o in offers)
    if one == other:
        found.append(f"both pictures show {one}")
    else:
        found.append(f"the left picture shows {one}, and the right picture shows {other}")
    numbers = left.product.number, right.product.number
    larger = world.outgrows(*numbers), world.outgrows(numbers[1], numbers[0])
    if None in larger:
        return None
    if True in larger:
        which = _SIDES[larger.index(True)]
        found.append(f"the {label} in the {which} picture is larger")
    else:
        found.append("both are the same size")
    gifts = [f"the {o.side} one comes with {_given(kit, o)}" for o in offers if o.gifts]
    bare = [f"the {o.side} one comes with nothing else" for o in offers if not o.gifts]
    return [*found, *([*gifts, *bare] if gifts else ["neither comes with anything else"])]


def _given(kit: TaskKit, offer: _Offer) -> str:
    return enumeration([kit.words.colored(str(o.color), o.label) for o in offer.gifts])


def _all(kit: TaskKit, offers: list[_Offer], facts: list[str]) -> Asked:
    label = offers[0].product.object.label
    return Asked(
        question=kit.draws.pick(
            (
                "These pictures show two offers, each with a price tag. Compare them in detail.",
                f"I want to buy {kit.words.a(label)}. How do these two offers differ in price and "
                "in everything else that you can see?",
                "Compare these two offers for me: price, color, size, and what comes with them.",
            )
        ),
        answer=f"Both offers are for {kit.words.a(label)}. "
        f"{' '.join(f'{capitalized(fact)}.' for fact in facts)}",
        owes=_owed(offers),
        before=(Turn("What do both pictures offer?", f"{capitalized(kit.words.a(label))}."),),
        behind="Please compare the two offers: price, color, size, and what comes with them.",
        hops=1,
        near=len(facts),
    )


def _owed(offers: list[_Offer]) -> frozenset[str]:
    """What an answer is to say: the product, its colors where they differ, what comes with it."""
    left, right = (o.product.object for o in offers)
    colored = [] if left.color == right.color else [left, right]
    colored += [gift for o in offers for gift in o.gifts]
    things = [left, *(gift for o in offers for gift in o.gifts)]
    return frozenset((*(one.id for one in things), *(f"{one.id}.color" for one in colored)))


def _single(kit: TaskKit, offers: list[_Offer]) -> Iterator[Asked]:
    """One thing that follows from both: by how much, or which color the cheaper one has."""
    cheap, dear = sorted(offers, key=lambda each: each.price)
    label, less = cheap.product.object.label, dear.price - cheap.price
    turn = Turn(
        "Which of the two offers is cheaper?",
        f"The one on the {cheap.side}. It costs {cheap.price}.",
    )
    yield Asked(
        question="How much would I save by choosing the cheaper of these two offers?",
        answer=f"You would save {less}, since the {label} on the {cheap.side} costs {cheap.price} "
        f"and the one on the {dear.side} {dear.price}.",
        accepted=tuple(accepted(str(less))),
        rivals=misread(less, cheap.price, dear.price, cheap.price + dear.price),
        before=(turn,),
        behind="And how much would I save by choosing it?",
        hops=2,
        near=1,
    )
    color = str(cheap.product.object.color)
    if color != dear.product.object.color:
        yield Asked(
            question=f"What color is the cheaper {label}?",
            answer=f"It is {color}. The {label} on the {cheap.side} costs {cheap.price}, and the "
            f"one on the {dear.side} costs {dear.price}.",
            accepted=tuple(accepted(color)),
            rivals=colors(kit, color),
            before=(turn,),
            behind=f"And what color is that {label}?",
            hops=2,
            near=1,
        )


@SUBTASKS.register("touchstone_products")
def products() -> DrawnTask:
    """Return the task: how two offers compare."""
    return drawn(
        "touchstone_products",
        things=(4, 6), span=(150, 330), background=False, placed=True, written=True, hops=1,
        plan=_plan, ask=_ask, owes=None,
    )  # fmt: skip
