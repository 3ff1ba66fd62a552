"""The stage ``reference_scenes``: what the reference models are trained on."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.reference.shards import reference_shards
from lvlmbench.stages.reference.stage import FOR_TRAINING, PINNED
from lvlmbench.stages.stage import TEMPLATES, Needs, Out, Stage
from lvlmbench.tables import part_name


def _parts(params: Params) -> list[str]:
    return [part_name(shard) for shard in range(reference_shards(params))]


STAGE = Stage(
    name="reference_scenes",
    words="Draw scenes for the reference models",
    artifact="scenes, small images",
    axes=(),
    reads=("{vocabulary.folder}", *TEMPLATES),
    unless=dict.fromkeys((*FOR_TRAINING, *TEMPLATES), PINNED),
    makes=(Out("data/reference/scenes", names=_parts),),
    params=("reference.weights", "reference.scenes"),
    needs=lambda params, values: Needs(memory_mb=1000),
    promises=(Promise(Exactness.EVERYWHERE, "as scenes and pictographs"),),
)
