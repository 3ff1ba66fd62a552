"""Probes: statements that a thing is there, as many of things that are as of things that are not.

What is not there is of three sorts, POPE's: drawn at random, of those most often seen, of those
most often seen with what is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set

from lvlmbench.analysis.hallucination.probes import NEGATIVES, Probe
from lvlmbench.scene.programs import holds, text_of
from lvlmbench.scene.sets import Program, labelled
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.making import TRUE_FALSE, Row, measured
from lvlmbench.suites.graphs.stock import Kind
from lvlmbench.suites.valor.association.drawable import Associated

#: Of so many most popular things, and of so many most often seen with what is there, one is drawn:
#: were it always the first, whoever knows it would be right without looking.
_POPULAR, _ADVERSARIAL = 20, 5


def probes(
    kit: Kit,
    associated: Associated,
    world: World,
    named: Set[str],
    leads: Sequence[str],
    number: int,
) -> Iterator[tuple[tuple[str, ...], Row]]:
    """Yield parts of a key and fields of a question, in pairs: of a thing that is not there, and of
    one that is, which no other probe is about.

    Parameters
    ----------
    named
        What things that the picture may show are called, in lower case.
    leads
        How a statement is put as a question.
    number
        Pairs of each sort; fewer where the picture shows too few things, or none of a sort is
        known.
    """
    there = [kit.stock.by_label[one.object.label] for one in world.things]
    away = [
        kind
        for kind in kit.stock.pool(barred=kit.barred(world.graph.setting))
        if holds(_program(kind), world) is False
        and not named & {kind.label.lower(), kind.entry.plural.lower()}
    ]
    most, shown = min(number, len(there) // len(NEGATIVES)), iter(kit.draws.shuffled(there))
    taken: set[int] = set()
    for sort in NEGATIVES:
        rest = [kind for kind in away if kind.number not in taken]
        absent = _ORDERED[sort](kit, associated, there, rest)[:most]
        taken |= {kind.number for kind in absent}
        for at, pair in enumerate(zip(absent, shown, strict=False)):
            for kind, is_there in zip(pair, (False, True), strict=True):
                about = Probe(sort, is_there).about(at)
                yield about, _statement(kit, world, kind, is_there, leads)


def _program(kind: Kind) -> Program:
    return ["exists", labelled(kind.label)]


_Ordered = Callable[[Kit, Associated, Sequence[Kind], Sequence[Kind]], list[Kind]]


def _at_random(
    kit: Kit, associated: Associated, there: Sequence[Kind], away: Sequence[Kind]
) -> list[Kind]:
    return kit.draws.shuffled(away)


def _popular(
    kit: Kit, associated: Associated, there: Sequence[Kind], away: Sequence[Kind]
) -> list[Kind]:
    absent = {kind.number for kind in away}
    found = [kind for kind in associated.popular if kind.number in absent]
    return kit.draws.shuffled(found[:_POPULAR])


def _adversarial(
    kit: Kit, associated: Associated, there: Sequence[Kind], away: Sequence[Kind]
) -> list[Kind]:
    shares = {kind: max(associated.share(one, kind) for one in there) for kind in away}
    found = sorted((k for k in away if shares[k]), key=lambda kind: (-shares[kind], kind.number))
    return kit.draws.shuffled(found[:_ADVERSARIAL])


_ORDERED: Mapping[str, _Ordered] = dict(
    zip(NEGATIVES, (_at_random, _popular, _adversarial), strict=True)
)


def _statement(kit: Kit, world: World, kind: Kind, is_there: bool, leads: Sequence[str]) -> Row:
    """A statement that a thing is there."""
    thing = kit.words.a(kind.label)
    said = kit.draws.pick(
        (
            f"There is {thing} in the picture.",
            f"The picture shows {thing}.",
            f"You can see {thing} in the picture.",
        )
    )
    options = kit.draws.shuffled(TRUE_FALSE)
    return {
        "question": kit.draws.pick(leads).format(statement=said),
        "options": options,
        "answer": str(is_there),
        "answer_index": options.index(str(is_there)),
        "chance": 1 / len(options),
        "claim": kind.label,
        "program": text_of(_program(kind)),
        "factors": {**measured(world), "hops": 0, "near": 0, "prior": None},
    }
