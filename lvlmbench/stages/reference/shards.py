"""Where the scenes of the reference models lie: which scenes a shard holds."""

from __future__ import annotations

from lvlmbench.config import Params

#: First seed that no snapshot can have: that of these scenes is not below it.
FIRST_SEED = 2**63


def reference_count(params: Params) -> int:
    """Scenes planned: for training, then for validation; none where the models are pinned."""
    if params.reference.weights == "pinned":
        return 0
    return params.reference.scenes.training + params.reference.scenes.validation


def reference_shards(params: Params) -> int:
    """Number of shards, at least one."""
    return max(1, -(-reference_count(params) // params.reference.scenes.shard_scenes))


def reference_range(params: Params, shard: int) -> tuple[int, int]:
    """First scene of a shard and the one after its last."""
    size = params.reference.scenes.shard_scenes
    return shard * size, min((shard + 1) * size, reference_count(params))
