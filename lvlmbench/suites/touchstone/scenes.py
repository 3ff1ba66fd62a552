"""Scenes to be asked about: planned graphs as rows."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import item_id, seed_of
from lvlmbench.scene.subtasks import SUBTASKS, registered
from lvlmbench.scene.truth.names import names_of
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.graphs.rows import caption_of, table_of, wanted
from lvlmbench.suites.graphs.stock import Stock, stock_of
from lvlmbench.suites.graphs.wording import Words
from lvlmbench.suites.touchstone.kit import TaskKit
from lvlmbench.suites.touchstone.settings import Conversing
from lvlmbench.suites.touchstone.task import DrawnTask

#: What this suite hashes ids and choices with.
STAGE = "touchstone"
#: One of so many scenes of a task is asked about in several turns.
EACH = 3


class Planner:
    """What all scenes of a suite are made with."""

    def __init__(self, params: Params, vocabulary: Vocabulary) -> None:
        self.seed = params.snapshot.seed
        self.stock: Stock = stock_of(vocabulary, params.corpus.drawable_by)
        self.words = Words(self.stock)
        self.names = names_of(vocabulary, params.corpus.drawable_by)
        self.own = params.corpus.own(Conversing)

    def scene_id(self, name: str, ordinal: int) -> str:
        """Return the id of a scene."""
        return item_id(self.seed, STAGE, name, ordinal)

    def turned(self, ordinal: int) -> bool:
        """Return whether a scene is to be asked about in several turns."""
        return self.own.turns and ordinal % EACH == EACH - 1

    def kit(self, task: DrawnTask, stage: str, item: str, ordinal: int) -> TaskKit:
        """Return what an item is drawn with."""
        draws = Draws(self.seed, f"{STAGE} {stage}", item)
        return TaskKit(
            task.level,
            self.stock,
            draws,
            self.words,
            self.names,
            self.turned(ordinal),
            self.seed,
            task.name,
            ordinal,
        )


def task_of(name: str) -> DrawnTask:
    """Return a task.

    Raises
    ------
    UserError
        The subtask is none that is drawn.
    """
    found = SUBTASKS[name]
    if not isinstance(found, DrawnTask):
        fix = ", ".join(registered(DrawnTask))
        raise UserError("params.yaml: corpus.subtasks", f"'{name}' is not drawn", f"use {fix}")
    return found


def sample(params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
    """Return the scenes of a range; a row depends on seed, task and ordinal alone.

    Raises
    ------
    UserError
        The vocabulary has too few entries, or a subtask is none that is drawn.
    """
    planner = Planner(params, vocabulary)
    return table_of([_row(planner, *each) for each in wanted(params, start, stop)])


def _row(planner: Planner, name: str, ordinal: int) -> dict[str, Any]:
    scene_id, task = planner.scene_id(name, ordinal), task_of(name)
    graph = task.plan(planner.kit(task, "scene", scene_id, ordinal))
    caption = caption_of(graph, planner.stock, planner.words)
    return {
        "scene_id": scene_id,
        "subtask": name,
        "ordinal": ordinal,
        "prompt": caption,
        "negative_prompt": "",
        "caption": caption,
        "seed": seed_of(planner.seed, STAGE, scene_id),
        "level": None,
        "pair": None,
        **graph.row(),
    }
