"""Questions about what was drawn: each is true, and all that is offered beside it is false."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.scene.asking import Key
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.scene.world import World
from lvlmbench.suites.composed.scenes import Planner
from lvlmbench.suites.composed.skill import Skill
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.making import Make, Row, choice, short, statement
from lvlmbench.suites.graphs.pairing import together
from lvlmbench.tables import QUESTIONS

#: A question of each a scene, where it can be.
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

    One of each type a scene, in the order in which scenes are given; a short answer where something
    is there whose answer can be held exactly.
    """
    found: dict[str, list[Row]] = {each.scene["scene_id"]: [] for each in shown}
    shown = sorted(shown, key=lambda each: each.scene["ordinal"])  # what is asked is the first's
    scene = shown[0].scene
    skill = planner.skill(scene["subtask"])
    makers: tuple[Make, ...] = (choice, partial(statement, planner.leads), short)
    for question_type, make in zip(TYPES, makers, strict=True):
        key = Key(scene["subtask"], question_type)
        pair = key.question_id(scene["pair"] or scene["scene_id"])
        kits = [planner.kit(scene["level"], "question", pair) for _ in range(2)]
        made = _together(skill, make, shown, kits) if len(shown) == 2 else None
        for at, (row, world) in enumerate(shown):
            own_id = key.question_id(row["scene_id"])
            fields = made[at] if made else _alone(planner, skill, make, row, world, own_id)
            if fields is not None:
                found[row["scene_id"]].append(
                    {
                        "question_id": own_id,
                        "scene_id": row["scene_id"],
                        "subtask": row["subtask"],
                        "granularity": skill.granularity,
                        "question_type": question_type,
                        "key": str(key),
                        "level": row["level"],
                        "pair": pair if made else None,
                        **fields,
                    }
                )
    return [row for rows in found.values() for row in rows]


def _alone(
    planner: Planner, skill: Skill, make: Make, scene: Row, world: World, item: str
) -> Row | None:
    """A question about one picture."""
    kit = planner.kit(scene["level"], "question", item)
    for one in kit.draws.shuffled(skill.ask(kit, world)):
        found = make(one, kit.draws, [world], [one.answer])
        if found:
            return found[0]
    return None


def _together(
    skill: Skill, make: Make, shown: Sequence[Shown], kits: Sequence[Kit]
) -> list[Row] | None:
    """One question about both pictures, with another answer in each."""
    worlds = [each.world for each in shown]
    own, again = kits
    asks = own.draws.shuffled(skill.ask(own, worlds[0]))
    others = skill.ask(again, worlds[1])
    for one, rights in together(asks, others, worlds):
        found = make(one, own.draws, worlds, rights)
        if found:
            return found
    return None
