"""Shards of the corpus: scenes and the questions about them, for any range of scenes."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.config.shards import subtask_ranges
from lvlmbench.scene.pools import I64
from lvlmbench.scene.subtasks import SUBTASKS
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.dysca.plan import plan_for
from lvlmbench.suites.dysca.questions import draw_questions
from lvlmbench.suites.dysca.scenes import (
    Scenes,
    draw_scenes,
)
from lvlmbench.tables.files import SCENES


def build_shard(
    params: Params, vocabulary: Vocabulary, start: int, stop: int
) -> tuple[pa.Table, pa.Table]:
    """Scenes with global indices ``start`` to ``stop`` (exclusive) and the questions about them.

    Rows depend on the snapshot's seed, their subtask and ordinal, the vocabulary, the renderer
    that must be able to draw it, and the question rates; not on the range, on other subtasks or on
    how many scenes there are. The one exception is the last true-or-false item of a stream, which
    is asked only once its partner is there
    (:meth:`lvlmbench.suites.dysca.selection.Stream.select`).

    Returns
    -------
    Tables of :data:`lvlmbench.tables.files.SCENES` and :data:`lvlmbench.tables.files.QUESTIONS`,
    each in the order of the scenes.

    Raises
    ------
    UserError
        The vocabulary has too few entries for some question, or more questions are wanted than
        a scene has aspects.
    """
    plan = plan_for(params, vocabulary)
    seed = params.snapshot.seed
    blocks: list[tuple[Scenes, I64]] = []
    for subtask, (first, last) in subtask_ranges(params).items():
        ordinals = np.arange(max(start, first), min(stop, last), dtype=np.int64) - first
        variants = len(SUBTASKS[subtask].foregrounds)
        for number in range(variants):
            own = ordinals[ordinals % variants == number]
            if len(own):
                scenes = draw_scenes(plan, plan.variants[subtask, number], seed, own)
                blocks.append((scenes, own + first - start))
    if not blocks:
        scenes_table = SCENES.empty_table()
    else:
        order = np.argsort(np.concatenate([rows for _, rows in blocks]))
        joined = pa.concat_tables([scenes.table for scenes, _ in blocks]).combine_chunks()
        ascending = bool((order == np.arange(len(order))).all())
        scenes_table = joined if ascending else joined.take(pa.array(order))
    return scenes_table, draw_questions(params, plan, blocks, scenes_table)
