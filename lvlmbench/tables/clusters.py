"""Which scenes hang together, so that answers about them are not independent."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

#: What is looked at of scenes.
CLUSTER_COLUMNS = ("scene_id", "pair", "base")


def clusters_of(ids: pa.Array | pa.ChunkedArray, scenes: pa.Table | None) -> pa.Array:
    """Return the cluster of each scene: a name that scenes with the same layout share.

    A scene shares it with its twin, with the other scenes of its triplet, and with those that show
    it in another style. A scene that ``scenes`` do not hold is a cluster of its own.

    Parameters
    ----------
    ids
        Ids of scenes.
    scenes
        Rows of :data:`lvlmbench.tables.SCENES` with at least :data:`CLUSTER_COLUMNS`; None: every
        scene is a cluster of its own.
    """
    plain = ids.combine_chunks() if isinstance(ids, pa.ChunkedArray) else ids
    if scenes is None:
        return plain
    known, pair, base = (scenes[name].combine_chunks() for name in CLUSTER_COLUMNS)
    root = pc.coalesce(base, known)
    shared = pair.take(pc.index_in(root, value_set=known))  # of a scene shown again: its base's
    cluster = pc.coalesce(shared, pair, root)
    return pc.coalesce(cluster.take(pc.index_in(plain, value_set=known)), plain)


def cluster_names(scenes: pa.Table) -> dict[str, str]:
    """Return scene -> its cluster, of all scenes of a table as :func:`clusters_of` takes it."""
    ids = scenes["scene_id"]
    return dict(zip(ids.to_pylist(), clusters_of(ids, scenes).to_pylist(), strict=True))
