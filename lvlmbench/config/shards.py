"""Which shard holds which scenes. Pure arithmetic: the DAG is planned with it.

Scenes have global indices: the subtasks of ``corpus.subtasks`` in canonical order, then ordinals.
Shard ``i`` of size ``s`` holds the indices from ``i * s`` up to, but not including,
``(i + 1) * s``, the last one fewer.
"""

from __future__ import annotations

from lvlmbench.config import SUBTASKS, Params


def n_shards(total: int, shard_size: int) -> int:
    """How many shards of ``shard_size`` items hold ``total`` items."""
    return -(-total // shard_size)


def scene_shards(params: Params) -> int:
    """Shards of the tables scenes and questions."""
    return n_shards(params.corpus.n_scenes, params.corpus.shard_scenes)


def image_shards(params: Params) -> int:
    """Shards of images, verdicts and answers."""
    return n_shards(params.corpus.n_scenes, params.render.shard_images)


def shard_range(shard: int, shard_size: int, total: int) -> tuple[int, int]:
    """First and one-past-last item of a shard.

    Raises
    ------
    IndexError
        There is no such shard.
    """
    if not 0 <= shard < n_shards(total, shard_size):
        raise IndexError(f"shard {shard} of {n_shards(total, shard_size)}")
    return shard * shard_size, min((shard + 1) * shard_size, total)


def scene_range(params: Params, shard: int) -> tuple[int, int]:
    """Global scene indices of a corpus shard."""
    return shard_range(shard, params.corpus.shard_scenes, params.corpus.n_scenes)


def image_range(params: Params, shard: int) -> tuple[int, int]:
    """Global scene indices of an image shard."""
    return shard_range(shard, params.render.shard_images, params.corpus.n_scenes)


def parts_overlapping(start: int, stop: int, shard_size: int) -> range:
    """Shards of ``shard_size`` that hold some item of ``start`` to ``stop`` (exclusive)."""
    if stop <= start:
        return range(0)
    return range(start // shard_size, (stop - 1) // shard_size + 1)


def subtask_ranges(params: Params) -> dict[str, tuple[int, int]]:
    """Subtask -> its global scene indices, in canonical order whatever order params name."""
    out: dict[str, tuple[int, int]] = {}
    at = 0
    for subtask in SUBTASKS:
        if count := params.corpus.count(subtask):
            out[subtask] = (at, at + count)
            at += count
    return out
