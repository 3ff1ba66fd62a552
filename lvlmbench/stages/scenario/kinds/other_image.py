"""Scenario ``other_image``: the question with the image of another scene.

The second control beside ``blind``, for models that do not answer without an image: what they
see has nothing to do with what they are asked.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from lvlmbench.config import Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.config.shards import subtask_ranges
from lvlmbench.core import seeding
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.scenario.scenario import (
    SCENARIOS,
    Row,
    Shard,
    Weights,
    perturbation,
    shown,
    stage_of,
)

#: Planned scenes among which the other one is looked for. Blocks make the choice independent of
#: shards without reading all of them.
BLOCK = 64


class OtherImage:
    """Shows the image of another scene of the same subtask, of any other where there is none."""

    def __init__(self, params: Params, spec: ScenarioSpec) -> None:
        self._params, self._spec = params, spec

    def apply(self, shard: Shard) -> Iterator[Row]:
        """One row a clean image that has another in its block."""
        first = {name: start for name, (start, _) in subtask_ranges(self._params).items()}
        columns = (shard.scenes[name].to_pylist() for name in ("scene_id", "subtask", "ordinal"))
        subtasks: dict[str, str] = {}
        block: dict[str, int] = {}
        for scene, subtask, ordinal in zip(*columns, strict=True):
            subtasks[scene], block[scene] = subtask, (first[subtask] + ordinal) // BLOCK
        at = {scene: i for i, scene in enumerate(shard.around["scene_id"].to_pylist())}
        blocks: dict[int, list[str]] = defaultdict(list)
        for scene in sorted(at.keys() & block.keys()):  # shards reach beyond the blocks
            blocks[block[scene]].append(scene)
        columns_but_image = [name for name in shard.images.schema.names if name != "image"]
        for clean in shard.images.select(columns_but_image).to_pylist():
            mine = clean["scene_id"]
            others = [scene for scene in blocks[block[mine]] if scene != mine]
            alike = [scene for scene in others if subtasks[scene] == subtasks[mine]] or others
            if not alike:
                continue
            rng = seeding.generator(self._params.snapshot.seed, stage_of(self._spec), mine)
            chosen = alike[int(rng.integers(len(alike)))]
            other = shard.around.slice(at[chosen], 1).to_pylist()[0]
            size, png = (other["width"], other["height"]), other["image"]["bytes"]
            done = perturbation("other_image", parameters={"scene_id": chosen})
            yield shown(self._params, self._spec, clean, png, done, size=size)


@SCENARIOS.register(
    "other_image",
    vocabulary=False,
    place=6,
    defaults={50: {"name": "other_image"}},
    block=BLOCK,
    control=True,
    about="the image of another scene, so that no answer can be seen in it; a control",
    exactness=(Promise(Exactness.EVERYWHERE, "chooses and copies"),),
)
def make(params: Params, spec: ScenarioSpec, weights: Weights) -> OtherImage:
    """The scenario; it needs no settings."""
    return OtherImage(params, spec)
