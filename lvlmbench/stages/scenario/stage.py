"""The stage ``scenario``: the conditions under which images are shown."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.adversarial import Adversarial
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.config.shards import image_range, parts_overlapping
from lvlmbench.core.exactness import NOTHING, Exactness, Promise
from lvlmbench.stages.reference.folder import NAMES
from lvlmbench.stages.scenario.scenario import SCENARIOS
from lvlmbench.stages.stage import Needs, Out, Stage, Values
from lvlmbench.tables import part_name

_REFERENCE = Promise(
    Exactness.EVERYWHERE,
    "gradients in 64-bit floats, of which a step takes the sign; what is zero but for "
    "rounding is zero",
    "`adversarial` through a reference model",
)
_PROXY = Promise(
    Exactness.HARDWARE,
    "gradients in 32-bit floats with one thread, one image at a time; a step takes their "
    "sign, which amplifies the last bit",
    "`adversarial` through another proxy, on the CPU",
)
_GPU = Promise(
    Exactness.ARTIFACT,
    "on a GPU the last bits of gradients depend on the batch, and a step takes their sign",
    "`adversarial`, where `device` allows a GPU",
)
_KINDS = {
    CLEAN: Promise(Exactness.EVERYWHERE, "takes the images as they were drawn", "`clean`"),
    "blind": Promise(Exactness.EVERYWHERE, "leaves them out", "`blind`"),
    "other_image": Promise(Exactness.EVERYWHERE, "chooses and copies", "`other_image`"),
    "print_attack": Promise(
        Exactness.EVERYWHERE,
        "letters by one pinned library, then integer arithmetic",
        "`print_attack`",
    ),
    "corruption": Promise(
        Exactness.EVERYWHERE,
        "whole numbers, and 64-bit floats in steps that IEEE 754 rounds in one way",
        "`corruption`",
    ),
}


def _exact(params: Params, values: Values) -> Promise:
    if values["scenario"] == CLEAN:
        return _KINDS[CLEAN]
    spec = params.scenarios.spec(values["scenario"])
    if spec.registered != "adversarial":
        return _KINDS.get(spec.registered, NOTHING)
    attack = spec.adversarial or Adversarial()  # type: ignore[call-arg]
    # Reference models compute on the CPU, whatever the machine has.
    if attack.proxy in NAMES:
        return _REFERENCE
    return _PROXY if attack.device == "cpu" else _GPU


def _weights(params: Params, values: Values) -> str | None:
    attack = params.scenarios.spec(values["scenario"]).adversarial
    return attack.proxy if attack else None


def looked_at(params: Params, scenario: str, shard: int) -> tuple[int, int]:
    """Return the planned scenes that an image shard is made from: its own, or whole blocks."""
    start, stop = image_range(params, shard)
    block = _block(params, scenario) or 1
    return start - start % block, min(stop + -stop % block, params.corpus.n_scenes)


def _block(params: Params, scenario: str) -> int | None:
    spec = params.scenarios.spec(scenario)
    return SCENARIOS.get(spec.registered, f"scenarios.noisy: {scenario}").block


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
        "{vocabulary.folder}",
        "data/{suite}/questions",
        "data/{suite}/scenes",
        "data/{suite}/rendered",
        "data/reference",
    ),
    makes=(Out("data/{suite}/images/{scenario}", split="images"),),
    params=("snapshot", "render", "reference.models", "suite.corpus", "item.scenario"),
    needs=lambda params, values: Needs(memory_mb=4000, minutes=240),
    promises=(*_KINDS.values(), _REFERENCE, _PROXY, _GPU),
    exact=_exact,
    weights=_weights,
)
