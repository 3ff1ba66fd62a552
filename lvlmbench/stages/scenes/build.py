"""Shards of the scenes, for any range of them."""

from __future__ import annotations

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.suites.suite import suite_of


def build_scenes(params: Params, vocabulary: Vocabulary, start: int, stop: int) -> pa.Table:
    """Return the scenes with global indices ``start`` to ``stop`` (exclusive), in their order.

    They are rows of :data:`lvlmbench.tables.SCENES`. A row depends on the snapshot's seed
    and on what its suite says; not on the range, nor on how many scenes there are.

    Raises
    ------
    UserError
        The vocabulary has too few entries to draw from.
    """
    return suite_of(params).scenes(params, vocabulary, start, stop)
