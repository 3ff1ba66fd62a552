"""Existence: what is in the picture, and what is not."""

from __future__ import annotations

from dataclasses import replace

from lvlmbench.scene.graph import Graph
from lvlmbench.scene.sets import labelled
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.claims import Claim, claimed
from lvlmbench.suites.composed.skill import Skill, skill
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.stock import Kind

_IN = (
    "Which of these can be seen in the picture?",
    "Which of these does the picture show?",
    "Only one of these is in the picture. Which one?",
)
_OUT = (
    "Which of these cannot be seen in the picture?",
    "Which of these is missing from the picture?",
    "One of these is not in the picture. Which one?",
)


#: Things from which on one can be asked what is not there.
_SEVERAL = 3


def _plan(kit: Kit) -> Graph:
    """Plan any kinds; where options look alike, one whose double stays away, and two doubles.

    The last thing is the one that is asked about, those before it are offered where it is asked
    what is missing.
    """
    setting, n = kit.setting("shape"), kit.size()
    kinds: list[Kind] = []
    away: list[Kind] = []
    if kit.level.near:
        *away, right = kit.alike(setting)
        doubles = kit.alike(setting, [right, *away]) if n >= _SEVERAL else []
        kinds = [*doubles, right]
    kinds = [*kit.kinds(n - len(kinds), setting, beside=[*kinds, *away]), *kinds]
    return Graph(kit.objects(kinds, kit.draws.shuffled(kit.spans(n))), setting=setting)


def _offered(kit: Kit, world: World, right: Kind, there: list[Kind]) -> list[Kind]:
    """Three things that are there, beside one that is not.

    Where that one looks like something that is there, two others look alike as well: what
    resembles what gives nothing away.
    """
    others = [kind for kind in there if kind != right]
    if kit.level.near:
        doubles = [kit.stock.by_label[thing.label] for thing in world.graph.objects[-3:-1]]
        others = doubles if {*doubles} <= {*there} else []
    return [*kit.draws.some(others, 2), right] if len(others) > 1 else []


def _ask(kit: Kit, world: World) -> list[Ask]:
    """Ask about the last thing, in which a twin differs.

    Its look-alike comes last of the wrong options: a twin's answer takes its place, so that there
    are two pairs of look-alikes then as well.
    """
    there = [kit.stock.by_label[one.object.label] for one in world.things]
    right = kit.stock.by_label[world.graph.objects[-1].label]
    if right not in there:
        return []
    double, *others = kit.absent(right, world.graph.setting, there)
    wrong = [*others, double]
    found = [
        Ask(
            family="present",
            program=["exists", labelled("?")],
            questions=_IN,
            statements=lambda label: (
                f"There is {kit.words.a(str(label))} in the picture.",
                f"The picture shows {kit.words.a(str(label))}.",
                f"You can see {kit.words.a(str(label))} in the picture.",
            ),
            show=lambda label: kit.words.a(str(label)),
            answer=right.label,
            wrong=[kind.label for kind in wrong],
            claims=[double.label],
            near=2 if kit.level.near else 0,
        )
    ]
    offered = _offered(kit, world, right, there)
    if offered:
        found.append(
            Ask(
                family="absent",
                program=["not", ["exists", labelled("?")]],
                questions=_OUT,
                show=lambda label: kit.words.a(str(label)),
                answer=double.label,
                wrong=[kind.label for kind in offered],
                near=2 if kit.level.near else 0,
            )
        )
    return found


def _twin(kit: Kit, graph: Graph) -> Graph:
    """One thing is another: what looks like it, where the level wants that."""
    at = len(graph.objects) - 1
    kinds = [kit.stock.by_label[thing.label] for thing in graph.objects]
    other = kit.absent(kinds[at], graph.setting, kinds)[0]
    things = list(graph.objects)
    things[at] = replace(things[at], list=other.list, label=other.label)
    return replace(graph, objects=tuple(things))


def _model(kit: Kit) -> Graph:
    """Plan two things that have look-alikes, which stay away, among others."""
    setting = kit.setting("shape", plain=True)
    first, _ = kit.alike(setting)
    second, _ = kit.alike(setting, [first])
    kinds = [first, second]
    kinds += kit.kinds(max(kit.size() - 2, 0), setting, beside=kinds)
    return Graph(kit.objects(kinds, kit.spans(len(kinds))), setting=setting)


def _shown(kit: Kit, model: Graph, holds: bool) -> Graph:
    """Plan the same things; where it is not to hold, one of the two is what looks like it."""
    things = [*model.objects]
    if not holds:
        at = kit.draws.below(2)
        kinds = [kit.stock.by_label[thing.label] for thing in things]
        other = kit.absent(kinds[at], model.setting, kinds)[0]
        things[at] = replace(things[at], list=other.list, label=other.label)
    return replace(model, objects=tuple(things))


def _said(kit: Kit, model: Graph) -> tuple[str, str]:
    both = " and ".join(kit.words.a(thing.label) for thing in model.objects[:2])
    return f"you can see both {both}", f"can you see both {both}"


_CLAIM = Claim(
    model=_model,
    shown=_shown,
    facts=lambda picture: tuple(thing.label for thing in picture.objects[:2]),
    program=lambda model: [
        "and",
        *(["exists", labelled(thing.label)] for thing in model.objects[:2]),
    ],
    said=_said,
)


@SUBTASKS.register("existence")
def existence() -> Skill:
    """Return the skill: what is there, and what is not."""
    return skill("existence", 1, *claimed(_CLAIM, _plan, _ask, _twin))
