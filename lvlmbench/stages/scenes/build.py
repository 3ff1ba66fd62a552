"""Shards of scenes and of the questions about them, for any range of scenes."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.suite import suite_of


def build_scenes(params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
    """Return the scenes with global indices ``start`` to ``stop`` (exclusive), in their order.

    They are rows of :data:`lvlmbench.tables.files.SCENES`. A row depends on the snapshot's seed
    and on what its suite says; not on the range, nor on how many scenes there are.

    Raises
    ------
    UserError
        The vocabulary has too few entries to draw from.
    """
    return suite_of(params).scenes(params, vocabulary, start, stop)


def build_questions(params: Params, vocabulary: Vocabulary, scenes: pa.Table) -> pa.Table:
    """Return the questions about a shard's scenes, in the order of the scenes.

    They are rows of :data:`lvlmbench.tables.files.QUESTIONS`.

    Raises
    ------
    UserError
        More questions are wanted than a scene has aspects, or the vocabulary has too few entries
        for some of them.
    """
    return suite_of(params).questions(params, vocabulary, scenes)


def build_shard(
    params: Params, vocabulary: Vocabulary, start: int, stop: int
) -> tuple[pa.Table, pa.Table]:
    """Return the scenes of a range and the questions about them."""
    scenes = build_scenes(params, vocabulary, start, stop)
    return scenes, build_questions(params, vocabulary, scenes)
