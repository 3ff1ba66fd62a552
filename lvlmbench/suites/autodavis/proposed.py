"""Questions that examiners behind endpoints have proposed, as rows of the table ``questions``."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

import pyarrow as pa

from lvlmbench.config import SUBTASKS
from lvlmbench.scene.asking import Key
from lvlmbench.scene.evidence import Fact, holds, mistake
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.asked import OPTIONS, TYPE, placed
from lvlmbench.suites.autodavis.plan import Item, Planner
from lvlmbench.suites.autodavis.restyled import alike
from lvlmbench.suites.graphs.making import measured

Row = Mapping[str, Any]


class Proposed:
    """What was proposed about some scenes.

    Parameters
    ----------
    proposals
        Rows of ``tables.PROPOSALS``, one a scene at most.
    """

    def __init__(self, planner: Planner, proposals: pa.Table) -> None:
        self._planner = planner
        self._rows: dict[str, Row] = {row["scene_id"]: row for row in proposals.to_pylist()}
        self._first: dict[str, World] = {}

    def __contains__(self, scene_id: str) -> bool:
        """Whether an examiner was to ask about a scene."""
        return scene_id in self._rows

    def rows(self, scene: Row, item: Item, world: World) -> list[dict[str, Any]]:
        """Return the question about a scene, if one was made of it that its picture supports.

        About a picture that shows a scene again in another style it is the same, where all lies
        where it did and the evidence holds there, too. Its base comes before it.
        """
        base, scene_id = scene["base"], scene["scene_id"]
        proposal = self._rows[base or scene_id]
        if proposal["status"] != "made":
            return []
        if base is None:
            self._first[scene_id] = world
        elif not self._again(base, world, proposal):
            return []
        return [self._row(scene, item, proposal) | {"factors": measured(world)}]

    def stated(self, scene: Row, item: Item, facts: Collection[str]) -> list[dict[str, Any]]:
        """Return the question about a picture of which these statements are confirmed, by their
        ids; none where it rests on another one."""
        proposal = self._rows.get(scene["base"] or scene["scene_id"])
        if proposal is None or proposal["status"] != "made":
            return []
        if not all(each["subject"] in facts for each in proposal["evidence"]):
            return []
        return [self._row(scene, item, proposal)]

    def _again(self, base: str, world: World, proposal: Row) -> bool:
        """Whether a picture can be asked the same as its base."""
        first = self._first.get(base)
        if first is None or not alike(first, world):
            return False
        ids = {thing.id for thing in world.graph.objects}
        facts = [_fact(each) for each in proposal["evidence"] or ()]
        return all(mistake(fact, ids) is None and holds(fact, world) for fact in facts)

    def _row(self, scene: Row, item: Item, proposal: Row) -> dict[str, Any]:
        key = Key(scene["subtask"], TYPE, (proposal["examiner"], item.aspect.fine.name))
        own_id = key.question_id(scene["scene_id"])
        if scene["base"] is None:
            place = self._planner.place(item, OPTIONS)
        else:
            place = self._planner.place_again(own_id, OPTIONS)
        said = {
            "question": proposal["question"],
            "options": proposal["options"],
            "answer": proposal["options"][proposal["answer_index"]],
            "answer_index": proposal["answer_index"],
            "replaced": _replaced(proposal),
        }
        return {
            "question_id": own_id,
            "scene_id": scene["scene_id"],
            "subtask": scene["subtask"],
            "granularity": SUBTASKS[scene["subtask"]].granularity,
            "question_type": TYPE,
            "key": str(key),
            "level": item.level,
            "base": scene["base"],
            "chance": 1 / OPTIONS,
            "examiner": proposal["examiner"],
            **placed(said, place),
        }


def _replaced(proposal: Row) -> list[str | None] | None:
    """What each option took the place of; the first wrong ones are those that took one."""
    spare, right = iter(proposal["spare"] or ()), proposal["answer_index"]
    found = [None if at == right else next(spare, None) for at in range(len(proposal["options"]))]
    return found if any(found) else None


def _fact(row: Row) -> Fact:
    return Fact(row["subject"], row["predicate"], row["object"])
