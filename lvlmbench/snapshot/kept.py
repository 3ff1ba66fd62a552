"""What counts: the scenes that filters keep."""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench.core.errors import UserError


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
