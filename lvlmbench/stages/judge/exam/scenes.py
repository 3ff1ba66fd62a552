"""Drawn scenes of a suite to plant answers about."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from pathlib import Path

import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.identity import vocabulary_dir
from lvlmbench.scene.vocabulary import load_vocabulary
from lvlmbench.stages.judge.exam.planting.ground import Ground
from lvlmbench.stages.judge.exam.planting.nouns import Lexis, lexis_of
from lvlmbench.stages.judge.exam.planting.plant import grounds
from lvlmbench.stages.judge.truths import Truths
from lvlmbench.suites.suite import measuring


def drawn_scenes(
    params: Params,
    scenes: Sequence[Path],
    layouts: Sequence[Path],
    truth: Sequence[Path],
    most: int | None = None,
) -> list[Ground]:
    """Return scenes whose features are all known, in an order that the snapshot's seed decides.

    Parameters
    ----------
    scenes, layouts, truth
        Shards of these tables.
    most
        So many of them; None for all.

    Raises
    ------
    UserError
        A file is missing or damaged.
    """
    wanted: set[str] = set()
    for path in truth:
        rows = tables.read([path], tables.TRUTH, ["scene_id", "closed"])
        wanted.update(pc.unique(rows.filter(rows["closed"])["scene_id"]).to_pylist())
    truths = Truths(params, scenes, layouts, truth, wanted)
    found = grounds(truths, lexis(params), params.snapshot.seed)
    return list(islice(found, most))


def lexis(params: Params) -> Lexis:
    """Return the words that answers are planted with."""
    return lexis_of(load_vocabulary(vocabulary_dir(params)), measuring(params))
