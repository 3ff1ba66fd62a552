"""Questions that were asked, by what they are about, and who got them right."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from lvlmbench import tables
from lvlmbench.snapshot.reader import Snapshot

F64: TypeAlias = npt.NDArray[np.float64]


def right_of(snapshot: Snapshot, model: str, questions: pa.Table) -> F64:
    """Return 1 and 0 of each question in the scenario that charts show; nan where the model has no
    scored answer to it."""
    scores: dict[str, float] = {}
    for shard in snapshot.shards(
        tables.SCORES, ["question_id", "correct"], model=model, scenario=snapshot.first_scenario
    ):
        pairs = zip(*(shard[name].to_pylist() for name in shard.column_names), strict=True)
        scores |= {key: float(correct) for key, correct in pairs if correct is not None}
    return np.array([scores.get(key, np.nan) for key in questions["question_id"].to_pylist()])


def aspects_of(snapshot: Snapshot) -> dict[str, tuple[str, str]]:
    """Return request and aspect of each scene that an examiner planned."""
    described = tables.read(
        snapshot.folder(tables.DESCRIPTIONS), tables.DESCRIPTIONS, ["scene_id", "subtask", "aspect"]
    )
    return {row["scene_id"]: (row["subtask"], row["aspect"]) for row in described.to_pylist()}
