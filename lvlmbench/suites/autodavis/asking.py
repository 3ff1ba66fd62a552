"""Questions that families share: which thing is so, and which value something has."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from lvlmbench.scene.programs import holds, text_of
from lvlmbench.scene.props import PROP
from lvlmbench.scene.sets import Program, Value, labelled, the_one
from lvlmbench.scene.world import Instance, World
from lvlmbench.suites.autodavis.family import ExamKit
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.stock import Kind
from lvlmbench.suites.graphs.wording import RELATIONS


def which(
    kit: ExamKit,
    world: World,
    program: Program,
    questions: tuple[str, ...],
    *,
    family: str,
    hops: int = 1,
    of: Sequence[Kind] | None = None,
) -> list[Ask]:
    """Return the question which thing is so: one is, three others are not, or are not there.

    Above no hops, one that is there and not so is offered at least; how many more is for the
    examiner to say.

    Parameters
    ----------
    program
        A statement with a hole where the label goes. What it names is no option.
    of
        Where options come from that are not there; by default all kinds of the level.
    """
    labels = [one.object.label for one in world.things if one.object.list != PROP]
    named = text_of(program)
    judged = {
        label: holds(program, world, label)
        for label in labels
        if labels.count(label) == 1 and f'"{label}"' not in named
    }
    right = [label for label, found in judged.items() if found]
    wrong = kit.draws.shuffled([label for label, found in judged.items() if found is False])[:3]
    if not right:
        return []
    near = len(wrong)
    if kit.level.hops and not near:
        return []  # who sees which one is there would know the answer
    near = kit.examiner.shown(min(kit.level.hops, 1), near)
    wrong = wrong[:near]
    # More than are offered: a draft is drawn from all of them.
    wrong += kit.strangers(labels, world.graph.setting, 3 if of is None else 3 - near, of)
    return [
        Ask(
            family=family,
            program=program,
            questions=questions,
            show=lambda label: f"the {label}",
            answer=kit.draws.pick(right),
            wrong=wrong,
            near=near,
            least=min(kit.level.hops, 1),
            hops=hops,
        )
    ]


#: Relations by which a thing can be named from another.
_FROM = ("left_of", "right_of", "above", "below")
#: How much must be seen of a thing that another is named from.
_WHOLE = 0.8


def reference(
    kit: ExamKit, world: World, one: Instance, hops: int, avoid: Collection[str] = ()
) -> tuple[str, Program] | None:
    """Return how a thing is named that is there once, in words and as a set of one.

    With no hops by its label ("the fox"); else by how it stands to one or two others ("the thing
    to the left of the car"), where that fits it alone. None where nothing does. Labels to ``avoid``
    are not named: they are to be options. In a picture whose background shows things, too, what
    has no label may be one of those, and nothing fits.
    """
    labels = [each.object.label for each in world.things]
    if hops == 0:
        label = one.object.label
        return (f"the {label}", labelled(label)) if labels.count(label) == 1 else None
    if world.graph.setting.background not in (None, *kit.stock.bare):
        return None
    others = [
        each
        for each in world.things
        if each != one and labels.count(each.object.label) == 1 and each.object.label not in avoid
        if each.seen and each.seen.visible >= _WHOLE
    ]
    ways = [
        (relation, other.object.label)
        for relation in _FROM
        for other in others
        if world.stands(relation, one.number, other.number)
    ]
    single = kit.draws.shuffled([[way] for way in ways])
    double = kit.draws.shuffled([[a, b] for a in ways for b in ways if a[1] < b[1]])
    for found in [*double, *single] if hops > 1 else [*single, *double]:
        of: Program = ["all"]
        for relation, other in found:
            of = ["standing", relation, labelled(other), of]
        if the_one(of, world) == one.number:
            where = " and ".join(f"{RELATIONS[relation]} the {other}" for relation, other in found)
            return f"the thing that is {where}", of
    return None


def related(
    kit: ExamKit,
    world: World,
    statement: Callable[[Program], Program],
    questions: Callable[[str], tuple[str, ...]],
    *,
    family: str,
) -> list[Ask]:
    """Return questions which thing stands in some way to another one, which has to be found first.

    Parameters
    ----------
    statement
        Returns what is said of an option and of the other thing, given as a set of one.
    questions
        Returns phrasings, of how the other thing is named: by its label up to one hop, and where
        its place fits others as well.
    """
    labels = [each.object.label for each in world.things]
    pairs = [
        (one, label)
        for one in kit.draws.shuffled(world.things)
        if labels.count(one.object.label) == 1
        for label in labels
        if holds(statement(labelled(one.object.label)), world, label)
    ]
    for hops in sorted({max(kit.steps - 1, 0), 0}, reverse=True):
        found: list[Ask] = []
        for one, label in pairs:
            named = reference(kit, world, one, hops, (label,))
            if named is not None:
                program, words = statement(named[1]), questions(named[0])
                found += which(kit, world, program, words, family=family, hops=hops + 1)
        if found:
            return found
    return []


def value(
    kit: ExamKit,
    world: World,
    program: Program,
    questions: tuple[str, ...],
    options: Sequence[Value],
    *,
    family: str,
    show: Callable[[Value], str] = str,
    first: Sequence[Value] = (),
    hops: int = 0,
    near: int = 0,
) -> list[Ask]:
    """Return the question which value something has: one of the options holds, others do not.

    Parameters
    ----------
    options
        All values that may be offered; where none of them clearly holds, nothing is asked.
    first
        Those of the wrong ones that are offered before others: what else the picture shows, or
        so many of it as the examiner wants.
    """
    right = [each for each in options if holds(program, world, each)]
    if len(right) != 1:
        return []
    wrong = [each for each in dict.fromkeys(first) if each not in right]
    rest = [each for each in options if each not in (*right, *wrong)]
    shown = kit.examiner.shown(0, len(wrong))
    there = wrong[:shown] if shown + len(rest) >= 3 else wrong
    return [
        Ask(
            family=family,
            program=program,
            questions=questions,
            show=show,
            answer=right[0],
            wrong=[*there, *kit.draws.shuffled(rest)],
            near=min(near, len(there)),
            hops=hops,
        )
    ]
