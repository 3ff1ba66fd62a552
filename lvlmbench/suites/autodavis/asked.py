"""The question about a picture: one of four options, which names nothing that went wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from lvlmbench.config import SUBTASKS
from lvlmbench.scene.asking import Key
from lvlmbench.scene.world import World
from lvlmbench.suites.autodavis.plan import Item, Planner
from lvlmbench.suites.graphs.ask import Ask
from lvlmbench.suites.graphs.making import choice

Row = dict[str, Any]

TYPE = "multiple_choice"
OPTIONS = 4


class Question(NamedTuple):
    """A question, as a row of the table ``questions`` and as what was asked."""

    row: Row
    ask: Ask


def about(
    planner: Planner, scene: Mapping[str, Any], item: Item, world: World, defects: Sequence[str]
) -> Question | None:
    """Return the question about a picture.

    None where nothing can be asked that is sure and names no defect, or by no embedded family.
    """
    family = planner.family(item.aspect)
    if family is None:
        return None
    key = Key(scene["subtask"], TYPE, (item.aspect.fine.name,))
    question_id = key.question_id(scene["scene_id"])
    kit = planner.kit(item.level, "question", question_id)
    asks = kit.draws.shuffled(family.ask(kit, world))
    for one in sorted(asks, key=lambda ask: -min(ask.near, 3)):  # what is there misleads most
        made = choice(one, kit.draws, [world], [one.answer]) if one.options == OPTIONS else None
        if made and not _names(made[0], defects):
            row = {
                "question_id": question_id,
                "scene_id": scene["scene_id"],
                "subtask": scene["subtask"],
                "granularity": SUBTASKS[scene["subtask"]].granularity,
                "question_type": TYPE,
                "key": str(key),
                "level": item.level,
                **placed(made[0], planner.place(item, OPTIONS)),
            }
            return Question(row, one)
    return None


def placed(row: Row, place: int) -> Row:
    """Return a question with its right option at a place; the others keep their order."""
    others = [option for at, option in enumerate(row["options"]) if at != row["answer_index"]]
    options = [*others[:place], row["answer"], *others[place:]]
    return {**row, "options": options, "answer_index": place}


def _names(row: Row, defects: Sequence[str]) -> bool:
    """Whether a question or an option names something that is not as described."""
    said = " ".join([row["question"], *row["options"]]).casefold()
    return any(defect.casefold() in said for defect in defects)
