"""Size: which thing is drawn larger, with the world's sizes and against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.relations import LARGER, Seen
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.claims import Claim, claimed
from lvlmbench.suites.composed.skill import Skill, skill
from lvlmbench.suites.graphs.ask import Ask, exchanged
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.stock import Kind

#: By hops: the smallest thing in thousandths of the side, and, in hundredths, how many times as
#: large as the others the one that stands out is, or they as it.
_SPANS = {0: (125, 220), 1: (125, 200), 2: (128, 180)}
#: Things drawn alike, in hundredths of the smallest.
_ALIKE = (100, 106, 112)


def _plan(kit: Kit) -> Graph:
    """Plan three things of about one size and one that is much larger, or much smaller.

    Any of the four may be that one, whatever their sizes in the world: the largest and the
    smallest in the world are right no more often than the others.
    """
    setting, n = kit.setting("shape"), 4
    least, step = _SPANS[min(kit.level.hops, 2)]
    if kit.draws.chance():
        spans = [least * each // 100 for each in _ALIKE]
        spans.append(spans[-1] * step // 100)
    else:
        spans = [least * step * each // 10000 for each in _ALIKE]
        spans.insert(0, least)
    objects = kit.objects(kit.sized(n, setting), spans)
    return Graph(tuple(kit.draws.shuffled(objects)), setting=setting)


def _prior(larger: Kind | None, smaller: Kind | None) -> str | None:
    """Whether what is drawn larger is larger in the world."""
    if larger is None or smaller is None or larger.size is None or smaller.size is None:
        return None
    by = larger.size - smaller.size
    return None if abs(by) < 2 else "with" if by > 0 else "against"


def _extreme(kit: Kit, by_size: Sequence[str], largest: bool) -> Ask:
    answer, head = (by_size[-1], "largest") if largest else (by_size[0], "smallest")
    kinds = [kit.stock.by_label.get(label) for label in (by_size[-1], by_size[0])]
    return Ask(
        family=head,
        program=[head, labelled("?"), ["all"]],
        questions=(
            f"Which of these things is drawn the {head} in the picture?",
            f"In the picture, which of these is the {head}?",
            f"Of these things, which one is drawn the {head}?",
        ),
        statements=lambda label: (
            f"In the picture, the {label} is the {head} thing.",
            f"Of all things in the picture, the {label} is drawn the {head}.",
        ),
        show=lambda label: f"the {label}",
        answer=answer,
        wrong=kit.draws.shuffled([label for label in by_size if label != answer]),
        near=3,
        prior=_prior(*kinds),
    )


def _pair(kit: Kit, small: str, large: str) -> Ask:
    first, second = kit.draws.shuffled((small, large))
    answer = "larger" if first == large else "smaller"
    program: Program = ["direction", labelled(first), labelled(second), "?"]
    return Ask(
        family="pair",
        program=program,
        questions=(
            f"In the picture, is the {first} larger or smaller than the {second}?",
            f"Is the {first} drawn larger or smaller than the {second}?",
        ),
        statements=lambda value: (
            f"In the picture, the {first} is {value} than the {second}.",
            f"The {first} is drawn {value} than the {second}.",
        ),
        show=lambda value: f"{value} than the {second}",
        answer=answer,
        wrong=["smaller" if answer == "larger" else "larger"],
        options=2,
        near=1,
        prior=_prior(*(kit.stock.by_label.get(label) for label in (large, small))),
    )


def _either_way(small: Seen, large: Seen, shapes: Sequence[Seen]) -> bool:
    """Whether the larger of two would be it with any of these shapes, and the smaller as well.

    A full shape is larger than a thin one of the same span. Were things asked about only where
    their own shapes leave no doubt, full ones would be the larger ones more often than not, and
    anybody could guess that.
    """
    fills = [one.area / one.span / one.span for one in shapes]
    by = large.span / small.span
    return by * by * min(fills) >= LARGER * LARGER * max(fills)


def _ask(kit: Kit, world: World) -> list[Ask]:
    seen = {one.object.label: one.seen for one in world.things if one.seen}
    by_size = sorted(seen, key=lambda label: seen[label].span)
    if len(by_size) < 4:
        return []
    parts = [seen[label] for label in by_size]
    ends = (parts[0], parts[1]), (parts[-2], parts[-1])
    found = [
        _extreme(kit, by_size, largest)
        for largest, end in zip((False, True), ends, strict=True)
        if _either_way(*end, parts)
    ]
    pairs = [
        (small, large)
        for at, small in enumerate(by_size)
        for large in by_size[at + 1 :]
        if _either_way(seen[small], seen[large], [seen[small], seen[large]])
    ]
    return found + [_pair(kit, *pair) for pair in kit.draws.some(pairs, 1)]


def _twin(kit: Kit, graph: Graph) -> Graph:
    """The thing that is much larger or smaller than the others has another's size."""
    spans = [thing.span or 0 for thing in graph.objects]
    by_size = sorted(range(len(spans)), key=spans.__getitem__)
    one = by_size[-1] if spans[by_size[-1]] > 1.4 * spans[by_size[-2]] else by_size[0]
    other = kit.draws.pick([at for at in by_size if at != one])
    return exchanged(graph, one, other, "list", "label")


#: Longest sides of things of one kind, in thousandths: clearly apart, as their shapes are the same.
_STEPS = (112, 152, 206)


def _model(kit: Kit) -> Graph:
    """Plan three things of a kind in three colors, the first of the middle size; and others."""
    setting, n = kit.setting("shape", "color", plain=True), 5
    kinds = kit.kinds(1, setting, recolorable=True) * n
    small, middle, large = _STEPS
    spans = [middle, small, large, *(small for _ in range(n - 3))]
    return Graph(kit.objects(kinds, spans, kit.colors(n)), setting=setting)


def _shown(kit: Kit, model: Graph, holds: bool) -> Graph:
    """Plan the same things; where it is not to hold, the three in another order of size."""
    if holds:
        return model
    orders = ((1, 0, 2), (0, 2, 1), (2, 1, 0), (1, 2, 0), (2, 0, 1))
    spans = [model.objects[at].span for at in kit.draws.pick(orders)]
    things = (replace(t, span=s) for t, s in zip(model.objects, spans, strict=False))
    return replace(model, objects=(*things, *model.objects[3:]))


def _between(model: Graph) -> Program:
    one, small, large = (
        ["with", "color", thing.color, labelled(thing.label)] for thing in model.objects[:3]
    )
    return ["and", ["stands", "larger", one, small], ["stands", "smaller", one, large]]


def _said(kit: Kit, model: Graph) -> str:
    one, small, large = (f"the {thing.color} {thing.label}" for thing in model.objects[:3])
    return f"{one} is larger than {small}, but smaller than {large}"


_CLAIM = Claim(
    model=_model,
    shown=_shown,
    facts=lambda picture: tuple(thing.span for thing in picture.objects[:3]),
    program=_between,
    said=_said,
)


@SUBTASKS.register("size")
def size() -> Skill:
    """Return the skill: what is drawn larger."""
    return skill("size", 7, *claimed(_CLAIM, _plan, _ask, _twin))
