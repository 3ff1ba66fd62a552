"""Size: which thing is drawn larger, with the world's sizes and against them."""

from __future__ import annotations

from collections.abc import Sequence

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.suites.composed.kit import Kit
from lvlmbench.suites.composed.programs import Program, labelled
from lvlmbench.suites.composed.skill import Ask, Skill, exchanged, skill
from lvlmbench.suites.composed.stock import Kind
from lvlmbench.suites.composed.world import World

#: The smallest thing in thousandths of the side, by hops; each next one is drawn so many hundredths
#: of the one before.
_SPANS = {0: (118, 160), 1: (115, 145), 2: (112, 136)}


def _plan(kit: Kit) -> Graph:
    setting, n = kit.setting("shape"), 4
    least, step = _SPANS[min(kit.level.hops, 2)]
    spans = [least]
    while len(spans) < n:
        spans.append(spans[-1] * step // 100)
    kinds = kit.sized(n, setting)
    with_prior = kit.draws.chance()
    kinds = sorted(kinds, key=lambda kind: kind.size or 0, reverse=not with_prior)
    objects = kit.objects(kinds, spans)
    return Graph(tuple(kit.draws.shuffled(objects)), setting=setting)


def _prior(larger: Kind | None, smaller: Kind | None) -> str | None:
    """Whether what is drawn larger is larger in the world."""
    if larger is None or smaller is None or larger.size is None or smaller.size is None:
        return None
    by = larger.size - smaller.size
    return None if abs(by) < 2 else "with" if by > 0 else "against"


def _extreme(kit: Kit, world: World, by_size: Sequence[str]) -> Ask:
    largest = kit.draws.chance()
    answer, head = (by_size[-1], "largest") if largest else (by_size[0], "smallest")
    kinds = [kit.stock.by_label.get(label) for label in (by_size[-1], by_size[0])]
    return Ask(
        family=head,
        program=[head, labelled("?"), ["all"]],
        questions=(
            f"Which of these things is drawn the {head} in the picture?",
            f"In the picture, which of these is the {head}?",
            f"Which of these takes up the {'most' if largest else 'least'} room in the picture?",
        ),
        statements=lambda label: (
            f"In the picture, the {label} is the {head} thing.",
            f"Of all things in the picture, the {label} is drawn the {head}.",
        ),
        show=lambda label: f"the {label}",
        answer=answer,
        wrong=[label for label in by_size if label != answer][:: -1 if largest else 1],
        near=3,
        prior=_prior(*kinds),
    )


def _pair(kit: Kit, world: World, by_size: Sequence[str]) -> Ask:
    at = kit.draws.below(len(by_size) - 1)
    small, large = by_size[at], by_size[at + 1]
    first, second = kit.draws.shuffled((small, large))
    answer = "larger" if first == large else "smaller"
    program: Program = ["direction", labelled(first), labelled(second), "?"]
    return Ask(
        family="pair",
        program=program,
        questions=(
            f"In the picture, is the {first} larger or smaller than the {second}?",
            f"How is the {first} drawn, next to the {second}: larger or smaller?",
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


def _ask(kit: Kit, world: World) -> list[Ask]:
    things = sorted(world.things, key=lambda one: one.seen.span if one.seen else 0.0)
    by_size = [one.object.label for one in things]
    if len(by_size) < 4:
        return []
    return [_extreme(kit, world, by_size), _pair(kit, world, by_size)]


def _twin(kit: Kit, graph: Graph) -> Graph:
    """The largest thing is the smallest, and the other way round."""
    by_size = sorted(range(len(graph.objects)), key=lambda at: graph.objects[at].span or 0)
    return exchanged(graph, by_size[0], by_size[-1], "list", "label")


@SUBTASKS.register("size")
def size() -> Skill:
    """Return the skill: what is drawn larger."""
    return skill("size", 7, "how large things are drawn", _plan, _ask, _twin)
