"""The stage ``scenario``: the conditions under which images are shown."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.adversarial import Adversarial
from lvlmbench.config.scenarios import CLEAN
from lvlmbench.core.exactness import NOTHING, Exactness, Promise
from lvlmbench.stages.reference.folder import NAMES
from lvlmbench.stages.stage import Needs, Out, Stage, Values

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
)
