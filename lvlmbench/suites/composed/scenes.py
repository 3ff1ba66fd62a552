"""Scenes of several things: planned graphs as rows."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.config.identity import templates_of
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import item_id, seed_of
from lvlmbench.scene.subtasks import SUBTASKS, registered
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.composed.settings import Composing, check_twins
from lvlmbench.suites.composed.skill import Skill
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.rows import caption_of, table_of, wanted
from lvlmbench.suites.graphs.stock import Stock, stock_of
from lvlmbench.suites.graphs.wording import Words

#: What this suite hashes ids and choices with.
STAGE = "composed"


class Planner:
    """What all scenes of a suite are made with."""

    def __init__(self, params: Params, vocabulary: Vocabulary) -> None:
        self.seed = params.snapshot.seed
        self.stock: Stock = stock_of(vocabulary, params.corpus.drawable_by)
        self.words = Words(self.stock)
        self.leads = templates_of(params).instructions.leads
        own = params.corpus.own(Composing)
        self.levels, self.twins, self.questions = own.levels, own.twins, own.questions
        check_twins(params, "params.yaml")

    def skill(self, name: str) -> Skill:
        """Return a skill.

        Raises
        ------
        UserError
            The subtask is none.
        """
        found = SUBTASKS[name]
        if not isinstance(found, Skill):
            fix = ", ".join(registered(Skill))
            where = "params.yaml: corpus.subtasks"
            raise UserError(where, f"'{name}' is no skill of composed scenes", f"use {fix}")
        return found

    def scene_id(self, name: str, ordinal: int) -> str:
        """Return the id of a scene."""
        return item_id(self.seed, STAGE, name, ordinal)

    def level(self, ordinal: int) -> str:
        """Return the level of a scene: they take turns, twins together."""
        turn = ordinal // 2 if self.twins else ordinal
        return list(self.levels)[turn % len(self.levels)]

    def kit(self, ordinal: int, stage: str, item: str) -> Kit:
        """Return what an item about the scene of an ordinal is drawn with."""
        draws = Draws(self.seed, f"{STAGE} {stage}", item)
        turn = (ordinal // 2 if self.twins else ordinal) // len(self.levels)
        return Kit(self.levels[self.level(ordinal)], self.stock, draws, self.words, turn=turn)


def sample(params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
    """Return the scenes of a range; a row depends on seed, skill and ordinal alone.

    Raises
    ------
    UserError
        The vocabulary has too few entries, or a subtask is no skill.
    """
    planner = Planner(params, vocabulary)
    return table_of([_row(planner, *each) for each in wanted(params, start, stop)])


def _row(planner: Planner, name: str, ordinal: int) -> dict[str, Any]:
    scene_id = planner.scene_id(name, ordinal)
    first = ordinal - ordinal % 2 if planner.twins else ordinal
    pair, level = planner.scene_id(name, first), planner.level(first)
    skill = planner.skill(name)
    graph = skill.plan(planner.kit(first, "scene", pair))
    if first != ordinal:
        graph = skill.twin(planner.kit(first, "twin", scene_id), graph)
    caption = caption_of(graph, planner.stock, planner.words)
    return {
        "scene_id": scene_id,
        "subtask": name,
        "ordinal": ordinal,
        "prompt": caption,
        "negative_prompt": "",
        "caption": caption,
        "seed": seed_of(planner.seed, STAGE, scene_id),
        "level": level,
        "pair": pair if planner.twins else None,
        **graph.row(),
    }
