"""Shards of the scenes, for any range of them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.config.shards import subtask_ranges
from lvlmbench.scene.pools import I64
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.dysca.plan import Plan, plan_for
from lvlmbench.suites.dysca.scenes import (
    Scenes,
    draw_scenes,
)
from lvlmbench.suites.dysca.subtasks import RECIPES
from lvlmbench.tables import SCENES


def drawn(params: Params, plan: Plan, start: int, stop: int) -> list[tuple[Scenes, I64]]:
    """Return the scenes with global indices ``start`` to ``stop`` (exclusive), variant by variant,
    each with its rows in the shard's table."""
    blocks: list[tuple[Scenes, I64]] = []
    for subtask, (first, last) in subtask_ranges(params).items():
        ordinals = np.arange(max(start, first), min(stop, last), dtype=np.int64) - first
        variants = len(RECIPES[subtask].foregrounds)
        for number in range(variants):
            own = ordinals[ordinals % variants == number]
            if len(own):
                variant = plan.variants[subtask, number]
                scenes = draw_scenes(plan, variant, params.snapshot.seed, own)
                blocks.append((scenes, own + first - start))
    return blocks


def build_scenes(params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
    """Return the scenes with global indices ``start`` to ``stop`` (exclusive), in their order.

    Rows depend on the snapshot's seed, their subtask and ordinal, the vocabulary and the renderer
    that must be able to draw it; not on the range, on other subtasks or on how many scenes there
    are.

    Returns
    -------
    A table of :data:`lvlmbench.tables.SCENES`.

    Raises
    ------
    UserError
        The vocabulary has too few entries for some question.
    """
    blocks = drawn(params, plan_for(params, vocabulary), start, stop)
    if not blocks:
        return SCENES.empty_table()
    order = np.argsort(np.concatenate([rows for _, rows in blocks]))
    joined = pa.concat_tables([scenes.table for scenes, _ in blocks]).combine_chunks()
    ascending = bool((order == np.arange(len(order))).all())
    return joined if ascending else joined.take(pa.array(order))
