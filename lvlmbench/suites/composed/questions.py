"""Questions about what was drawn: each is true, and all that is offered beside it is false."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.scene.asking import LEADS, Key
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.composed.programs import filled, holds, text_of
from lvlmbench.suites.composed.scenes import Planner
from lvlmbench.suites.composed.skill import Ask
from lvlmbench.suites.composed.world import World
from lvlmbench.tables import QUESTIONS

Row = dict[str, Any]

TRUE_FALSE = ("True", "False")


def ask(params: Params, vocabulary: Vocabulary, scenes: pa.Table, layouts: pa.Table) -> pa.Table:
    """Return the questions about scenes that were drawn, in their order.

    Parameters
    ----------
    scenes, layouts
        Rows of :data:`lvlmbench.tables.SCENES` and :data:`lvlmbench.tables.LAYOUTS`; a scene
        without a layout is not asked about.
    """
    planner, side = Planner(params, vocabulary), params.render.size
    drawn: dict[str, list[Row]] = defaultdict(list)
    for row in layouts.to_pylist():
        drawn[row["scene_id"]].append(row)
    rows: list[Row] = []
    for scene in scenes.to_pylist():
        if scene["scene_id"] in drawn:
            rows += about(planner, scene, drawn[scene["scene_id"]], side)
    return pa.Table.from_pylist(rows, QUESTIONS.schema)


def about(
    planner: Planner, scene: Mapping[str, Any], layout: Sequence[Mapping[str, Any]], side: int
) -> list[Row]:
    """Return the questions about one scene: multiple choice and true or false."""
    world = World(Graph.of(scene), layout, side, planner.stock.clash)
    skill, found = planner.skill(scene["subtask"]), []
    for question_type, make in (("multiple_choice", _choice), ("true_false", _statement)):
        key = Key(scene["subtask"], question_type)
        question_id = key.question_id(scene["scene_id"])
        kit = planner.kit(scene["level"], "question", question_id)
        asks = kit.draws.shuffled(skill.ask(kit, world))
        for one in asks:
            fields = make(one, kit.draws, world)
            if fields is not None:
                found.append(
                    {
                        "question_id": question_id,
                        "scene_id": scene["scene_id"],
                        "subtask": scene["subtask"],
                        "granularity": skill.granularity,
                        "question_type": question_type,
                        "key": str(key),
                        "level": scene["level"],
                        "factors": _factors(one, world),
                        **fields,
                    }
                )
                break
    return found


def _sound(one: Ask, world: World, wrong: Sequence[Any]) -> bool:
    """Whether the answer is true of what was drawn, and each of the others false."""
    return holds(one.program, world, one.answer) is True and all(
        holds(one.program, world, value) is False for value in wrong
    )


def _choice(one: Ask, draws: Any, world: World) -> Row | None:
    wrong = list(one.wrong)[: one.options - 1]
    if len(wrong) < one.options - 1 or not _sound(one, world, wrong):
        return None
    values = draws.shuffled([one.answer, *wrong])
    options = [one.show(value) for value in values]
    if len({*options}) < len(options):
        return None
    at = values.index(one.answer)
    return {
        "question": draws.pick(one.questions),
        "options": options,
        "answer": options[at],
        "answer_index": at,
        "chance": 1 / len(options),
        "claim": None,
        "program": text_of(one.program),
    }


def _statement(one: Ask, draws: Any, world: World) -> Row | None:
    if one.statements is None:
        return None
    claims = list(one.wrong if one.claims is None else one.claims)
    if not claims:
        return None
    claim = draws.pick(claims)
    if not _sound(one, world, [claim]):
        return None
    truth = draws.chance()
    said = one.answer if truth else claim
    options = draws.shuffled(TRUE_FALSE)
    statement = draws.pick(one.statements(said))
    return {
        "question": draws.pick(LEADS).format(statement=statement),
        "options": options,
        "answer": str(truth),
        "answer_index": options.index(str(truth)),
        "chance": 0.5,
        "claim": str(one.show(said)),
        "program": text_of(filled(one.program, said)),
    }


def _factors(one: Ask, world: World) -> Row:
    things = world.things
    return {
        "kinds": len({each.object.label for each in things}),
        "instances": len(things),
        "smallest": round(min((t.seen.span for t in things if t.seen), default=0.0), 4),
        "hidden": round(max((1 - t.seen.visible for t in things if t.seen), default=0.0), 4),
        "hops": one.hops,
        "near": one.near,
        "prior": one.prior,
    }
