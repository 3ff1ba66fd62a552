"""The stage ``scenario``: the conditions under which images are shown."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.config.shards import image_range, parts_overlapping
from lvlmbench.core.exactness import Promise
from lvlmbench.stages.scenario.scenario import SCENARIOS, place_of
from lvlmbench.stages.stage import (
    VOCABULARY,
    Needs,
    Out,
    Stage,
    Values,
    promise_of,
    weights_of,
    wordless,
)
from lvlmbench.tables import part_name


def _exact(params: Params, values: Values) -> Promise:
    return promise_of(params.scenarios.spec(values["scenario"]), params)


def _weights(params: Params, values: Values) -> str | None:
    return weights_of(params.scenarios.spec(values["scenario"]))


def looked_at(params: Params, scenario: str, shard: int) -> tuple[int, int]:
    """Return the planned scenes that an image shard is made from: its own, or whole blocks."""
    start, stop = image_range(params, shard)
    block = _block(params, scenario) or 1
    return start - start % block, min(stop + -stop % block, params.corpus.n_scenes)


def _block(params: Params, scenario: str) -> int | None:
    spec = params.scenarios.spec(scenario)
    return SCENARIOS.get(spec.registered, place_of(params, scenario)).block


def scene_parts(params: Params, scenario: str, shard: int) -> list[str]:
    """Return the parts of the scenes that an image shard is made from."""
    found = parts_overlapping(*looked_at(params, scenario, shard), params.corpus.shard_scenes)
    return [part_name(number) for number in found]


def around(params: Params, scenario: str, shard: int) -> list[str]:
    """Return the parts of the images that may be shown instead; none where each is for itself."""
    if _block(params, scenario) is None:
        return []
    found = parts_overlapping(*looked_at(params, scenario, shard), params.render.shard_images)
    return [part_name(number) for number in found]


STAGE = Stage(
    name="scenario",
    words="Show the images in other conditions",
    artifact="images",
    axes=("suite", "scenario"),
    also={"scenario": (CLEAN,)},
    reads=(
        VOCABULARY,
        "data/{suite}/questions",
        "data/{suite}/scenes",
        "data/{suite}/rendered",
        "data/reference",
    ),
    spares=lambda params, values: wordless(params.scenarios.spec(values["scenario"])),
    makes=(Out("data/{suite}/images/{scenario}", split="images"),),
    params=("snapshot", "render", "reference.models", "suite.corpus", "item.scenario"),
    needs=lambda params, values: Needs(memory_mb=4000, minutes=240),
    kinds="scenarios",
    exact=_exact,
    weights=_weights,
)
