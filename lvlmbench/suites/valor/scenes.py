"""Scenes to be described: planned graphs as rows."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.config.identity import templates_of
from lvlmbench.core.errors import UserError
from lvlmbench.core.seeding import item_id, seed_of
from lvlmbench.scene.subtasks import SUBTASKS, registered
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.graphs.draws import Draws
from lvlmbench.suites.graphs.kit import Kit
from lvlmbench.suites.graphs.rows import caption_of, table_of, wanted
from lvlmbench.suites.graphs.stock import Stock, stock_of
from lvlmbench.suites.graphs.wording import Words
from lvlmbench.suites.valor.settings import Hallucinating
from lvlmbench.suites.valor.subset import Site, Subset
from lvlmbench.tables import DESIGNS

#: What this suite hashes ids and choices with.
STAGE = "valor"


class Planner:
    """What all scenes of a suite are made with."""

    def __init__(self, params: Params, vocabulary: Vocabulary) -> None:
        self.seed = params.snapshot.seed
        self.stock: Stock = stock_of(vocabulary, params.corpus.drawable_by)
        self.words = Words(self.stock)
        self.leads = templates_of(params).instructions.leads
        self.own = params.corpus.own(Hallucinating)

    def scene_id(self, name: str, ordinal: int) -> str:
        """Return the id of a scene."""
        return item_id(self.seed, STAGE, name, ordinal)

    def shared(self, subset: Subset, ordinal: int) -> str | None:
        """Return what scenes of one layout share; None of a scene by itself."""
        first = subset.first(self.own, ordinal)
        return None if first is None else self.scene_id(subset.name, first)

    def site(self, subset: Subset, ordinal: int) -> Site:
        """Return what a scene is planned with."""
        item = self.shared(subset, ordinal) or self.scene_id(subset.name, ordinal)
        return Site(self.kit(subset, "scene", item), ordinal, self.own)

    def kit(self, subset: Subset, stage: str, item: str) -> Kit:
        """Return what an item is drawn with."""
        draws = Draws(self.seed, f"{STAGE} {stage}", item)
        return Kit(subset.level, self.stock, draws, self.words)


def subset_of(name: str) -> Subset:
    """Return a subset.

    Raises
    ------
    UserError
        The subtask is none.
    """
    found = SUBTASKS[name]
    if not isinstance(found, Subset):
        fix = ", ".join(registered(Subset))
        raise UserError("params.yaml: corpus.subtasks", f"'{name}' is no subset", f"use {fix}")
    return found


def sample(params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
    """Return the scenes of a range; a row depends on seed, subset and ordinal alone.

    Raises
    ------
    UserError
        The vocabulary has too few entries, or a subtask is no subset.
    """
    planner = Planner(params, vocabulary)
    return table_of([_row(planner, *each) for each in wanted(params, start, stop)])


def _row(planner: Planner, name: str, ordinal: int) -> dict[str, Any]:
    scene_id, subset = planner.scene_id(name, ordinal), subset_of(name)
    graph, pair = subset.plan(planner.site(subset, ordinal)), planner.shared(subset, ordinal)
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
        "pair": pair,
        **graph.row(),
    }


def designs(params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
    """Return what the scenes of a range are to tell, rows of the table designs."""
    planner = Planner(params, vocabulary)
    rows = []
    for name, ordinal in wanted(params, start, stop):
        subset = subset_of(name)
        if subset.designed is not None:
            about = subset.designed(planner.site(subset, ordinal))
            scene_id = planner.scene_id(name, ordinal)
            rows.append({"scene_id": scene_id, "triplet": planner.shared(subset, ordinal), **about})
    return DESIGNS.of(rows)
