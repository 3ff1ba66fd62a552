"""Making rows of the questions table: what is asked is true, all offered beside it is false."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from lvlmbench.scene.answers import accepted, sort_of, wanted
from lvlmbench.scene.programs import filled, holds, idle, text_of
from lvlmbench.scene.sets import Program, Value
from lvlmbench.scene.world import World
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.draws import Draws

Row = dict[str, Any]
#: Makes questions of one sort: the same about each picture, with the answer that is right there.
Make: TypeAlias = Callable[[Ask, Draws, Sequence[World], Sequence[Value]], list[Row] | None]

TRUE_FALSE = ("True", "False")


def sound(program: Program, worlds: Sequence[World], rights: Sequence[Value], other: Value) -> bool:
    """Return whether a value is right where it should be, and wrong in every other picture."""
    return all(
        holds(program, world, other) is (other == right)
        for world, right in zip(worlds, rights, strict=True)
    )


def choice(
    one: Ask, draws: Draws, worlds: Sequence[World], rights: Sequence[Value]
) -> list[Row] | None:
    """Return the question with options about each picture.

    None where an option is not sure, or where a condition leaves out nothing.
    """
    rest = [value for value in one.wrong if value not in rights]
    values = [*rights, *rest[: one.options - len(rights)]]
    if len(values) < one.options or not all(sound(one.program, worlds, rights, v) for v in values):
        return None
    if any(idle(one.program, world) for world in worlds):
        return None
    values = draws.shuffled(values)
    options = [one.show(value) for value in values]
    if len({*options}) < len(options):
        return None
    same = {
        "question": draws.pick(one.questions),
        "options": options,
        "chance": 1 / len(options),
        "claim": None,
        "program": text_of(one.program),
    }
    return [
        {
            **same,
            "answer": one.show(right),
            "answer_index": values.index(right),
            "factors": factors(one, world),
        }
        for world, right in zip(worlds, rights, strict=True)
    ]


def statement(
    leads: Sequence[str],
    one: Ask,
    draws: Draws,
    worlds: Sequence[World],
    rights: Sequence[Value],
) -> list[Row] | None:
    """Return a statement that is true or false about each picture; None where that is not sure."""
    claims = list(rights[1:]) or list(one.wrong if one.claims is None else one.claims)
    if one.statements is None or not claims:
        return None
    claim = draws.pick(claims)
    if not (
        sound(one.program, worlds, rights, one.answer) and sound(one.program, worlds, rights, claim)
    ) or any(idle(one.program, world) for world in worlds):
        return None
    said = one.answer if draws.chance() else claim
    options = draws.shuffled(TRUE_FALSE)
    same = {
        "question": draws.pick(leads).format(statement=draws.pick(one.statements(said))),
        "options": options,
        "chance": 0.5,
        "claim": str(one.show(said)),
        "program": text_of(filled(one.program, said)),
    }
    return [
        {
            **same,
            "answer": str(said == right),
            "answer_index": options.index(str(said == right)),
            "factors": factors(one, world),
        }
        for world, right in zip(worlds, rights, strict=True)
    ]


def short(
    one: Ask, draws: Draws, worlds: Sequence[World], rights: Sequence[Value]
) -> list[Row] | None:
    """Return the question for a short answer; None where another answer may be right as well."""
    if one.short is None:
        return None
    program = one.short.program or one.program
    values = dict.fromkeys([*rights, *one.short.values])
    if not all(sound(program, worlds, rights, value) for value in values):
        return None
    if any(idle(program, world) for world in worlds):
        return None
    question = draws.pick(one.short.questions or one.questions)
    forms = [accepted(one.show(right)) for right in rights]
    if any(sort_of(each) != wanted(question) for each in forms):
        return None  # a written word that is a color would be read as one
    same: Row = {
        "question": question,
        "options": [],
        "answer_index": None,
        "chance": 0.0,
        "claim": None,
        "program": text_of(program),
    }
    return [
        {
            **same,
            "answer": one.show(right),
            "accepted": own,
            "factors": factors(one, world),
        }
        for world, right, own in zip(worlds, rights, forms, strict=True)
    ]


def factors(one: Ask, world: World) -> Row:
    """Return what makes a question hard, as measured from the picture."""
    return {**measured(world), "hops": one.hops, "near": one.near, "prior": one.prior}


def measured(world: World) -> Row:
    """Return what of a picture makes any question about it hard."""
    things = world.things
    return {
        "kinds": len({each.object.label for each in things}),
        "instances": len(things),
        "smallest": round(min((t.seen.span for t in things if t.seen), default=0.0), 4),
        "hidden": round(max((1 - t.seen.visible for t in things if t.seen), default=0.0), 4),
    }
