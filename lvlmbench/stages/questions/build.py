"""Shards of the questions about scenes."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.scenes.build import build_scenes
from lvlmbench.suites.suite import suite_of


def build_questions(params: Params, vocabulary: Vocabulary, scenes: pa.Table) -> pa.Table:
    """Return the questions about scenes, in the order of the scenes.

    They are rows of :data:`lvlmbench.tables.QUESTIONS`; those about a scene do not depend on
    which other scenes are there.

    Raises
    ------
    UserError
        More questions are wanted than a scene has aspects, or the vocabulary does not hold what
        the scenes show, or has too few entries for some question.
    """
    return suite_of(params).questions(params, vocabulary, scenes)


def build_shard(
    params: Params, vocabulary: Vocabulary, start: int, stop: int
) -> tuple[pa.Table, pa.Table]:
    """Return scenes and the questions about them, as the two stages make them."""
    scenes = build_scenes(params, vocabulary, start, stop)
    return scenes, build_questions(params, vocabulary, scenes)
