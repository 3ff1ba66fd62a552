"""The one order of rows about scenes, however many shards they lie in."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc


def behind_bases(rows: pa.Table, scenes: pa.Array | None = None) -> pa.Table:
    """Return rows with those about a scene that is shown again right behind its base's.

    So the shards of a table make one order when they stand one behind the other, whatever their
    size. Rows about one scene keep their order.

    Parameters
    ----------
    rows
        Rows with the columns ``scene_id`` and ``base``.
    scenes
        Ids of the scenes that are no copies, in their order; None: as they stand in ``rows``.
    """
    if rows["base"].null_count == len(rows):
        return rows
    if scenes is None:
        scenes = pc.unique(rows.filter(rows["base"].is_null())["scene_id"])
    of = pc.coalesce(rows["base"], rows["scene_id"])
    place = pc.index_in(of, value_set=scenes)
    copy = rows["base"].is_valid()
    at = pa.table({"place": place, "copy": copy, "row": pa.array(range(len(rows)), pa.int64())})
    keys = [(name, "ascending") for name in ("place", "copy", "row")]
    return rows.take(pc.sort_indices(at, sort_keys=keys))
