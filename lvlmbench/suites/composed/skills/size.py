"""Size: which thing is drawn larger, with the world's sizes and against them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from lvlmbench.scene.grammar import capitalized
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.relations import LARGER, Seen
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.claims import Claim, claimed
from lvlmbench.suites.composed.skill import Skill, skill
from lvlmbench.suites.graphs.ask import Ask, exchanged
from lvlmbench.suites.graphs.ground import ends_exchanged
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.stock import Kind

#: By hops: the smallest thing in thousandths of the side, and, in hundredths, how many times as
#: large as the others the one that stands out is, or they as it.
_SPANS = {0: (125, 220), 1: (125, 200)}
#: From how many hops on things are of one kind, and so closer in size.
_HARD = 2
#: Longest sides of things of one kind, in thousandths: each is about 1.36 times the one before it.
#: They are clearly apart, as their shapes are the same.
_STEPS = (112, 152, 206, 280)
#: Things drawn alike, in hundredths of the smallest.
_ALIKE = (100, 106, 112)


def _plan(kit: Kit) -> Graph:
    """Plan three things of about one size and one that is much larger, or much smaller.

    Any of the four may be that one, whatever their sizes in the world: the largest and the
    smallest in the world are right no more often than the others. At a hard level all are of one
    kind, in other colors, each larger than the one before.
    """
    if kit.level.hops >= _HARD:
        setting, n = kit.setting("shape", "color"), len(_STEPS)
        kinds = kit.kinds(1, setting, recolorable=True) * n
        return Graph(kit.objects(kinds, _STEPS, kit.colors(n)), setting=setting)
    setting, n = kit.setting("shape"), 4
    least, step = _SPANS[kit.level.hops]
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


def _extreme(kit: Kit, world: World, by_size: Sequence[str], largest: bool) -> Ask:
    """Which thing is the largest or the smallest; of one kind, the thing of which color."""
    of, bare = _kind(world), world.graph.setting.background is None
    rest = "everything else" if of is None else f"all the other {kit.words.plural(of)}"
    none = "nothing" if of is None else f"none of the {kit.words.plural(of)}"
    but = "" if bare or of is not None else "not counting the background, "
    answer, head = (by_size[-1], "largest") if largest else (by_size[0], "smallest")
    more = "larger" if largest else "smaller"
    kinds = [kit.stock.by_label.get(label) for label in (by_size[-1], by_size[0])]
    these = "these" if of is None else f"the {kit.words.plural(of)}"
    one = "{}" if of is None else "{} one"
    return Ask(
        family=head,
        program=[head, labelled("?") if of is None else _one("?", of), ["all"]],
        questions=(
            f"Which of {these} is the {head} in the picture?",
            f"In the picture, which of {these} is the {head}?",
            f"Going by how they are drawn, which of {these} is the {head}?",
        ),
        statements=lambda label: (
            capitalized(f"{but}the {one.format(label)} is {more} than {rest} in the picture."),
            capitalized(f"{but}{none} in the picture is {more} than the {one.format(label)}."),
        ),
        show=lambda label: f"the {label}" if of is None else f"the {label} one",
        answer=answer,
        wrong=kit.draws.shuffled([label for label in by_size if label != answer]),
        near=3,
        prior=_prior(*kinds),
    )


def _one(color: str, label: str) -> Program:
    return ["with", "color", color, labelled(label)]


def _kind(world: World) -> str | None:
    """What all things are called, where they are of one kind."""
    labels = {one.object.label for one in world.things}
    return labels.pop() if len(labels) == 1 else None


def _pair(kit: Kit, world: World, small: str, large: str) -> Ask:
    """How two things stand in size; of one kind, two that are named by their colors."""
    of = _kind(world)
    first, second = kit.draws.shuffled((small, large))
    answer = "larger" if first == large else "smaller"
    sets = [labelled(each) if of is None else _one(each, of) for each in (first, second)]
    one, other = (first, second) if of is None else (f"{first} {of}", f"{second} one")
    return Ask(
        family="pair",
        program=["direction", *sets, "?"],
        questions=(
            f"In the picture, is the {one} larger or smaller than the {other}?",
            f"Is the {one} drawn larger or smaller than the {other}?",
        ),
        statements=lambda value: (
            f"In the picture, the {one} is {value} than the {other}.",
            f"The {one} is drawn {value} than the {other}.",
        ),
        show=lambda value: f"{value} than the {other}",
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
    if kit.level.hops >= _HARD:
        return _ask_alike(kit, world)
    seen = {one.object.label: one.seen for one in world.things if one.seen}
    by_size = sorted(seen, key=lambda label: seen[label].span)
    if len(by_size) < 4:
        return []
    parts = [seen[label] for label in by_size]
    ends = (parts[0], parts[1]), (parts[-2], parts[-1])
    found = [
        _extreme(kit, world, by_size, largest)
        for largest, end in zip((False, True), ends, strict=True)
        if _either_way(*end, parts)
    ]
    pairs = [
        (small, large)
        for at, small in enumerate(by_size)
        for large in by_size[at + 1 :]
        if _either_way(seen[small], seen[large], [seen[small], seen[large]])
    ]
    return found + [_pair(kit, world, *pair) for pair in kit.draws.some(pairs, 1)]


def _ask_alike(kit: Kit, world: World) -> list[Ask]:
    """Which of four things of a kind is the largest, the smallest; and two that come one after the
    other in size."""
    seen = {str(one.object.color): one.seen.span for one in world.things if one.seen}
    by_size = sorted(seen, key=seen.__getitem__)
    if len(by_size) < len(_STEPS):
        return []
    found = [_extreme(kit, world, by_size, largest) for largest in (False, True)]
    return [*found, _pair(kit, world, *kit.draws.pick([*pairwise(by_size)]))]


def _twin(kit: Kit, graph: Graph) -> Graph:
    """The thing that is much larger or smaller than the others has another's size.

    Of one kind, two have each other's color: the largest, the smallest, or both are others.
    """
    if kit.level.hops >= _HARD:
        return ends_exchanged(kit, graph)
    spans = [thing.span or 0 for thing in graph.objects]
    by_size = sorted(range(len(spans)), key=spans.__getitem__)
    one = by_size[-1] if spans[by_size[-1]] > 1.4 * spans[by_size[-2]] else by_size[0]
    other = kit.draws.pick([at for at in by_size if at != one])
    return exchanged(graph, one, other, "list", "label")


def _model(kit: Kit) -> Graph:
    """Plan three things of a kind in three colors, the first of the middle size; and others."""
    setting, n = kit.setting("shape", "color", plain=True), 5
    kinds = kit.kinds(1, setting, recolorable=True) * n
    small, middle, large, _ = _STEPS
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


def _said(kit: Kit, model: Graph) -> tuple[str, str]:
    one, small, large = (thing.color for thing in model.objects[:3])
    amid = f"larger than the {small} one but smaller than the {large} one"
    what = f"the {one} {model.main.label}"
    return f"{what} is {amid}", f"is {what} {amid}"


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
