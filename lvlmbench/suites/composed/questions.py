"""Questions about what was drawn: each is true, and all that is offered beside it is false."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence, Set
from functools import partial
from itertools import islice
from typing import NamedTuple

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.scene.asking import Key
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.programs import text_of
from lvlmbench.scene.sets import Value
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.scenes import Planner
from lvlmbench.suites.composed.skill import Skill
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.making import Make, Row, choice, short, statement
from lvlmbench.suites.graphs.pairing import together
from lvlmbench.tables import QUESTIONS

#: Questions of each about a scene, where they can be.
TYPES = ("multiple_choice", "true_false", "short_answer")


def ask(params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table) -> pa.Table:
    """Return the questions about scenes that were drawn, in their order.

    Parameters
    ----------
    scenes, layouts
        Rows of :data:`lvlmbench.tables.SCENES` and :data:`lvlmbench.tables.LAYOUTS`; a scene
        without a layout is not asked about. A scene and its twin are given together.
    """
    planner, side = Planner(params, vocabulary), params.render.size
    drawn: dict[str, list[Row]] = defaultdict(list)
    for row in layouts.to_pylist():
        drawn[row["scene_id"]].append(row)
    pairs: dict[str, list[Shown]] = defaultdict(list)
    for scene in scenes.to_pylist():
        layout = drawn.get(scene["scene_id"])
        if layout:
            world = World(Graph.of(scene), layout, side, planner.stock.clash)
            pairs[scene["pair"] or scene["scene_id"]].append(Shown(scene, world))
    rows = [row for shown in pairs.values() for row in about(planner, shown)]
    return pa.Table.from_pylist(rows, QUESTIONS.schema)


class Shown(NamedTuple):
    """A scene and what its picture shows."""

    scene: Row
    world: World


def about(planner: Planner, shown: Sequence[Shown]) -> list[Row]:
    """Return the questions about a scene, or about a scene and its twin: the same, if it can be.

    So many of each type about each scene as the settings say, or as many as there are, in the order
    in which scenes are given. No two of a type about a scene have one program; what has one answer
    in both pictures is asked of one of them. A short answer is asked for where it can be held
    exactly.
    """
    found: dict[str, list[Row]] = {each.scene["scene_id"]: [] for each in shown}
    shown = sorted(shown, key=lambda each: each.scene["ordinal"])  # what is asked is the first's
    makers: tuple[Make, ...] = (choice, partial(statement, planner.leads), short)
    for question_type, make in zip(TYPES, makers, strict=True):
        asked = _of_type(planner, make, shown, question_type)
        for each, rows in zip(shown, asked, strict=True):
            found[each.scene["scene_id"]] += rows
    return [row for rows in found.values() for row in rows]


def _of_type(
    planner: Planner, make: Make, shown: Sequence[Shown], question_type: str
) -> list[list[Row]]:
    """The questions of a type about each scene; those that its twin is asked as well come first."""
    scene, most = shown[0].scene, planner.questions
    skill, base = planner.skill(scene["subtask"]), scene["pair"] or scene["scene_id"]
    keys = [Key(skill.name, question_type, _about(number)) for number in range(most)]
    both = _together(planner, skill, make, shown, keys[0].question_id(base))
    rows: list[list[Row]] = [[] for _ in shown]
    taken, told = set[str](), set[tuple[str, Value]]()
    for key, (said, made) in zip(keys, both, strict=False):
        taken |= said
        for each, fields, own in zip(shown, made, rows, strict=True):
            own.append(_row(skill, each.scene, key, key.question_id(base), fields))
    alone = [_alone(planner, skill, make, each, keys[0], taken, told) for each in shown]
    for key in keys[len(rows[0]) :]:  # by turns: more questions leave those that were as they were
        for each, own, more in zip(shown, rows, alone, strict=True):
            own += [_row(skill, each.scene, key, None, fields) for fields in islice(more, 1)]
    return rows


def _about(number: int) -> tuple[str, ...]:
    """What tells a question from the first of its type about a scene."""
    return (str(number + 1),) if number else ()


def _row(skill: Skill, scene: Row, key: Key, pair: str | None, fields: Row) -> Row:
    return {
        "question_id": key.question_id(scene["scene_id"]),
        "scene_id": scene["scene_id"],
        "subtask": scene["subtask"],
        "granularity": skill.granularity,
        "question_type": key.question_type,
        "key": str(key),
        "level": scene["level"],
        "pair": pair,
        **fields,
    }


def _said(one: Ask, fields: Row) -> set[str]:
    """What is asked, as programs; of a statement with what it claims as well."""
    return {text_of(one.program), fields["program"]}


def _alone(
    planner: Planner,
    skill: Skill,
    make: Make,
    shown: Shown,
    first: Key,
    taken: Set[str],
    told: set[tuple[str, Value]],
) -> Iterator[Row]:
    """Yield questions about one picture, none twice, nor of a program that is ``taken``.

    What is ``told`` of the twin, a program with its answer, is not asked again; what is asked here
    joins it.
    """
    item = first.question_id(shown.scene["scene_id"])
    kit = planner.kit(shown.scene["ordinal"], "question", item)
    mine = {*taken}
    for one in kit.draws.shuffled(skill.ask(kit, shown.world)):
        fact = text_of(one.program), one.answer
        if fact[0] in mine or fact in told:
            continue
        found = make(one, kit.draws, [shown.world], [one.answer])
        if found and not mine & _said(one, found[0]):
            mine |= _said(one, found[0])
            told.add(fact)
            yield found[0]


def _together(
    planner: Planner, skill: Skill, make: Make, shown: Sequence[Shown], item: str
) -> Iterator[tuple[set[str], list[Row]]]:
    """Yield questions about a picture and its twin, none twice: what is asked, and the rows."""
    if len(shown) != 2:
        return
    worlds, first = [each.world for each in shown], shown[0].scene["ordinal"]
    own, again = (planner.kit(first, "question", item) for _ in range(2))
    asks = own.draws.shuffled(skill.ask(own, worlds[0]))
    others = skill.ask(again, worlds[1])
    taken = set[str]()
    for one, rights in together(asks, others, worlds):
        found = None if text_of(one.program) in taken else make(one, own.draws, worlds, rights)
        if found and not taken & (said := _said(one, found[0])):
            taken |= said
            yield said, found
