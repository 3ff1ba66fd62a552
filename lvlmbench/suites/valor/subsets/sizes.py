"""Which things are larger, as they are drawn (VALOR-Eval: comparative relations)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import sqrt

from lvlmbench.core.errors import UserError
from lvlmbench.scene.claims import Scope
from lvlmbench.scene.grammar import enumeration
from lvlmbench.scene.graph import Graph, Relation
from lvlmbench.scene.structured import Form
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.stock import Kind
from lvlmbench.suites.valor.outlines import outline
from lvlmbench.suites.valor.subset import Site, Subset, subset

_QUESTIONS = (
    "Order everything in this picture by how large it is drawn, starting with the largest.",
    "What takes up the most room in this picture, what comes next, and so on down to the "
    "smallest? Name everything in order.",
    "Compare the sizes as the image shows them, and list everything from the largest to the "
    "smallest.",
    "Rank everything in this picture by how large it appears, beginning with the largest.",
    "Say what looks the largest in this image, and rank all the others after it by size.",
)
#: How many times as large each thing is as the next, in length and in the root of its area: so it
#: is clearly larger (scene/relations.py), and its area falls by more than 1.4.
_STEP = 1.31
#: Longest sides of the smallest and of the largest thing, in thousandths of the side.
_LEAST, _MOST = 104, 560
#: Squares around all things take up no more of the picture than this, so that there is room.
_FULL = 0.7
#: A shape is no fuller than this many times the next larger thing's, in the root of its area.
_FULLER = 1.05
_TRIES = 2000
#: Classes of sizes in the world between two things one of which is larger for everybody.
_CLEARLY = 2


def _plan(site: Site) -> Graph:
    """Plan things of falling size: in every second scene as in the world, else against it."""
    kit = site.kit
    setting, n = kit.setting("shape", plain=True), kit.size()
    pool = [k for k in kit.stock.pool(span=_LEAST) if k.size is not None and outline(k) is not None]
    for _ in range(_TRIES):
        kinds = _falling(kit, pool, n, against=bool(site.ordinal % 2))
        spans = _spans(kit, kinds) if kinds else None
        if kinds and spans:
            things = kit.objects(kinds, spans)
            pairs = [*((other.id, "o1") for other in things[2:]), (things[-1].id, "o2")]
            return Graph(things, tuple(Relation(a, "smaller", b) for a, b in pairs), setting)
    raise UserError(
        "vocabulary.folder",
        f"holds too few things whose sizes are known to order {n} of them",
        "add entries with sizes, and measure them: python scripts/drawing_areas.py",
    )


def _falling(kit: Kit, pool: Sequence[Kind], n: int, against: bool) -> list[Kind] | None:
    """Kinds of things in the order in which they are drawn, the largest first.

    Each is larger in the world than the next, or smaller; the first and the last clearly.
    """
    classes = sorted({kind.size for kind in pool if kind.size is not None})
    sizes = sorted(kit.draws.some(classes, n), reverse=not against)
    if len(sizes) < n or abs(sizes[0] - sizes[-1]) < _CLEARLY:
        return None
    found: list[Kind] = []
    for size in sizes:
        fits = [
            kind
            for kind in pool
            if kind.size == size and (not found or _root(kind) <= _FULLER * _root(found[-1]))
        ]
        if not fits or not kit.stock.apart(kind := kit.draws.pick(fits), found):
            return None
        found.append(kind)
    return found


def _root(kind: Kind) -> float:
    found = outline(kind)
    return sqrt(found.area) if found else 0.0


def _length(kind: Kind) -> float:
    found = outline(kind)
    return found.length if found else 1.0


def _spans(kit: Kit, kinds: Sequence[Kind]) -> list[int] | None:
    """Longest sides, the largest first; None where there is no room for all of them.

    A full shape is larger than a thin one of the same span, and one that lies across its square is
    longer than one that lies along a side: the larger thing is so by area, by length and by span.
    """
    spans = [1.0]
    for larger, smaller in pairwise(kinds):
        fuller, longer = (of(smaller) / of(larger) for of in (_root, _length))
        spans.append(spans[-1] / (_STEP * max(1.0, fuller, longer)))
    most = min(_MOST, 1000 * (_FULL / sum(each * each for each in spans)) ** 0.5)
    least = _LEAST / spans[-1]
    if least > most:
        return None
    first = least + (most - least) * (0.4 + 0.6 * kit.draws.uniform())
    return [round(first * each) for each in spans]


def said(kit: Kit, world: World) -> str:
    """Return the things from the largest to the smallest."""
    seen = [(one.seen.span, one.object.label) for one in world.things if one.seen]
    things = enumeration([kit.words.a(label) for _, label in sorted(seen, reverse=True)])
    return f"From the largest to the smallest, the picture shows {things}."


def _prior(kit: Kit, graph: Graph) -> str | None:
    """Whether what is drawn larger is larger in the world."""
    kinds = [kit.stock.by_label.get(thing.label) for thing in graph.objects]
    sizes = [kind.size for kind in kinds if kind is not None and kind.size is not None]
    if len(sizes) < len(kinds) or sizes[0] == sizes[-1]:
        return None
    return "with" if sizes[0] > sizes[-1] else "against"


@SUBTASKS.register("valor_sizes")
def sizes() -> Subset:
    """Return the subset: which things are larger."""
    return subset(
        "valor_sizes", 5,
        things=(4, 7), span=(_LEAST, _MOST),
        owes=Scope(("rank",)),
        form=Form(things=("name", "size_rank")),
        questions=_QUESTIONS, plan=_plan, said=said, prior=_prior,
    )  # fmt: skip
