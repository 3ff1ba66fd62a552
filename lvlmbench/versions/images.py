"""The pictures of a snapshot, read shard by shard, and which of two snapshots look alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import numpy as np
import pyarrow as pa

from lvlmbench.config.scenarios import CLEAN
from lvlmbench.snapshot.place import Place
from lvlmbench.tables import IMAGES
from lvlmbench.versions.perceptual import ALIKE, U64, nearest, perceptual_hash

#: Pictures that are read at once.
_BATCH = 32


@dataclass(frozen=True)
class Pictures:
    """Pictures of a snapshot in the order of their ids, whatever the order of the shards.

    Attributes
    ----------
    hashes
        Perceptual hashes; shape (n,).
    unreadable
        How many more there are that cannot be decoded.
    """

    ids: list[str]
    scene_ids: list[str]
    sha256: list[str]
    hashes: U64
    unreadable: int = 0


@dataclass(frozen=True)
class Pair:
    """A picture of B, the nearest one of A, and the bits in which their hashes differ."""

    distance: int
    a: str
    b: str
    a_shows: str
    b_shows: str


@dataclass(frozen=True)
class SharedPictures:
    """What two snapshots' pictures have in common.

    Attributes
    ----------
    identical
        Pictures of B whose very bytes A has.
    alike
        Pictures of B that differ in at most ``max_distance`` bits from one of A.
    alike_inside
        Those that differ as little from another one of B: so much alike are unrelated ones.
    pairs
        Pairs of A and B that differ in at most ``max_distance`` bits.
    nearest
        The nearest pairs, one a picture of B.
    """

    n_a: int
    n_b: int
    identical: int
    max_distance: int
    alike: int
    alike_inside: int
    pairs: int
    unreadable_a: int = 0
    unreadable_b: int = 0
    nearest: list[Pair] = field(default_factory=list)


def pictures_of(
    batches: Iterable[pa.Table], tell: Callable[[int], None] = lambda n: None
) -> Pictures:
    """Hash pictures, a few at a time, on as many threads as there are cores.

    Parameters
    ----------
    batches
        Rows of ``tables.IMAGES``; those without a picture are passed over.
    tell
        Is told now and then how many have been hashed.
    """
    found: list[tuple[str, str, str, int]] = []
    unreadable = 0
    with ThreadPoolExecutor() as pool:
        for batch in batches:
            rows = [r for r in batch.to_pylist() if r["image"] and r["image"]["bytes"] is not None]
            hashes = pool.map(perceptual_hash, [row["image"]["bytes"] for row in rows])
            for row, value in zip(rows, hashes, strict=True):
                if value is None:
                    unreadable += 1
                else:
                    found.append((row["image_id"], row["scene_id"], row["sha256"], value))
            tell(len(found) + unreadable)
    found.sort()
    return Pictures(
        ids=[row[0] for row in found],
        scene_ids=[row[1] for row in found],
        sha256=[row[2] for row in found],
        hashes=np.array([row[3] for row in found], dtype=np.uint64),
        unreadable=unreadable,
    )


def read_pictures(view: Place, tell: Callable[[int], None]) -> Pictures | None:
    """Those of a snapshot; None where it has none."""
    if not view.files(view.where(IMAGES, scenario=CLEAN)):
        return None
    columns = ["image_id", "scene_id", "sha256", "image"]
    return pictures_of(view.batches(IMAGES, columns, _BATCH, scenario=CLEAN), tell)


def shared_pictures(
    a: Pictures,
    b: Pictures,
    shown_a: Mapping[str, str],
    shown_b: Mapping[str, str],
    max_distance: int = ALIKE,
    listed: int = 10,
) -> SharedPictures:
    """Compare all pictures of A with all of B.

    Parameters
    ----------
    shown_a, shown_b
        Scene -> what it shows.
    listed
        How many of the nearest pairs to name.
    """
    across = nearest(a.hashes, b.hashes, max_distance)
    inside = nearest(b.hashes, b.hashes, max_distance, others=True)
    same = {digest: j for j, digest in enumerate(a.sha256)}
    other = np.array([digest not in same for digest in b.sha256], dtype=bool)
    pairs = []
    # Of pairs as near as each other those with the same bytes come first.
    for i in np.lexsort((other, across.distance))[:listed] if a.ids else ():
        j = same.get(b.sha256[i], int(across.index[i]))
        pairs.append(
            Pair(
                distance=int(across.distance[i]),
                a=a.ids[j],
                b=b.ids[i],
                a_shows=shown_a.get(a.scene_ids[j], "?"),
                b_shows=shown_b.get(b.scene_ids[i], "?"),
            )
        )
    return SharedPictures(
        n_a=len(a.ids),
        n_b=len(b.ids),
        identical=len(b.ids) - int(other.sum()),
        max_distance=max_distance,
        alike=int(np.count_nonzero(across.distance <= max_distance)),
        alike_inside=int(np.count_nonzero(inside.distance <= max_distance)),
        pairs=across.pairs,
        unreadable_a=a.unreadable,
        unreadable_b=b.unreadable,
        nearest=pairs,
    )


def encoded(view: Place, ids: Set[str]) -> dict[str, bytes]:
    """The encoded pictures of these ids."""
    found: dict[str, bytes] = {}
    for batch in view.batches(IMAGES, ["image_id", "image"], _BATCH, scenario=CLEAN):
        for i, image_id in enumerate(batch["image_id"].to_pylist()):
            if image_id in ids:
                found[image_id] = batch["image"][i].as_py()["bytes"]
        if len(found) == len(ids):
            break
    return found
