"""Which layouts belong to a shard of scenes."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.shards import parts_overlapping, scene_range
from lvlmbench.tables import part_name


def shown_parts(params: Params, shard: int) -> list[str]:
    """Return the file names of the image shards that show scenes of a scene shard."""
    numbers = parts_overlapping(*scene_range(params, shard), params.render.shard_images)
    return [part_name(number) for number in numbers]
