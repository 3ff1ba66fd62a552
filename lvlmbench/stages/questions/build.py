"""Shards of the questions about scenes."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.core.errors import UserError
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.scenes.build import build_scenes, drawn
from lvlmbench.suites.dysca.plan import plan_for
from lvlmbench.suites.dysca.questions import draw_questions


def build_questions(
    params: Params, vocabulary: Vocabulary, start: int, stop: int, scenes: pa.Table
) -> pa.Table:
    """Return the questions about the scenes with global indices ``start`` to ``stop`` (exclusive).

    Rows depend on what scenes depend on and on the question rates. The one exception is the last
    true-or-false item of a stream, which is asked only once its partner is there
    (:meth:`lvlmbench.suites.dysca.selection.Stream.select`).

    Parameters
    ----------
    scenes
        What the stage ``scenes`` made of them. What is asked follows from how they were drawn,
        which is done again here: that takes less than to read it from the table.

    Returns
    -------
    A table of :data:`lvlmbench.tables.QUESTIONS`, in the order of the scenes.

    Raises
    ------
    UserError
        More questions are wanted than a scene has aspects; the scenes are not those planned.
    """
    plan = plan_for(params, vocabulary)
    blocks = drawn(params, plan, start, stop)
    ids = scenes["scene_id"].to_pylist()
    for made, rows in blocks:
        planned = made.table["scene_id"].to_pylist()
        if len(ids) != stop - start or [ids[row] for row in rows.tolist()] != planned:
            raise UserError(
                "--scenes", "are not the scenes that the parameters plan", "make them again"
            )
    return draw_questions(params, plan, blocks, scenes)


def build_shard(
    params: Params, vocabulary: Vocabulary, start: int, stop: int
) -> tuple[pa.Table, pa.Table]:
    """Return scenes and the questions about them, as the two stages make them."""
    scenes = build_scenes(params, vocabulary, start, stop)
    return scenes, build_questions(params, vocabulary, start, stop, scenes)
