"""What counts: the scenes that filters keep, and the questions that the consensus keeps."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.core.errors import UserError

#: What is said beside numbers that ``statistics.questions: consensus`` cuts down.
WITHOUT = "without questions that the consensus dropped"


def kept_scenes(scene_ids: pa.Array, verdicts: pa.Table, filters: Sequence[str]) -> pa.Array:
    """Return those of the scenes that no verdict drops, each once, in their order.

    Raises
    ------
    UserError
        One of ``filters`` has not judged one of the scenes.
    """
    ids = pc.unique(scene_ids)
    for name in filters:
        judged = verdicts.filter(pc.equal(verdicts["filter"], name))["scene_id"]
        lacking = ids.filter(pc.invert(pc.is_in(ids, value_set=pc.unique(judged))))
        if len(lacking):
            raise UserError(
                f"verdicts of filter '{name}'",
                f"hold none for scene {lacking[0]}",
                "run the rule 'filter' again for this shard",
            )
    dropped = verdicts.filter(pc.invert(verdicts["keep"]))["scene_id"]
    return ids.filter(pc.invert(pc.is_in(ids, value_set=pc.unique(dropped))))


def dropped_questions(consensus: Path | Sequence[Path]) -> pa.Array:
    """Return the ids of the questions that the consensus drops (Dysca, section 3.3, step 3).

    Parameters
    ----------
    consensus
        The table's folder, or its shards.

    Raises
    ------
    UserError
        A file is missing or damaged.
    """
    where = ~pc.field("keep")
    found = tables.read(consensus, tables.CONSENSUS, ["question_id", "keep"], where=where)
    return pc.unique(found["question_id"])


def left_out(params: Params, consensus: Path | Sequence[Path]) -> pa.Array:
    """Return the ids of the questions that ``statistics.questions`` leaves out: none, or those
    that the consensus drops.

    Raises
    ------
    UserError
        A file is needed, and missing or damaged.
    """
    if params.statistics.questions == "all":
        return pa.array([], pa.string())
    return dropped_questions(consensus)


def without(rows: pa.Table, dropped: pa.Array) -> pa.Table:
    """Return the rows, by ``question_id``, that are not about one of these questions."""
    if not len(dropped):
        return rows
    return rows.filter(pc.invert(pc.is_in(rows["question_id"], value_set=dropped)))
