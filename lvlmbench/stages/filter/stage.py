"""The stage ``filter``: which images show what they should."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.cleaning import Clip, FilterSpec
from lvlmbench.core.exactness import NOTHING, Exactness, Promise
from lvlmbench.stages.reference.folder import NAMES
from lvlmbench.stages.stage import Needs, Out, Stage, Values

_NETWORK = "a neural network in its own precision; scores are rounded to six decimals"
_REFERENCE = Promise(
    Exactness.EVERYWHERE,
    "64-bit floats; scores are rounded to six decimals before they are compared and stored",
    "`clip` with a reference model",
)
_KINDS = {
    "integrity": Promise(Exactness.EVERYWHERE, "compares and counts", "`integrity`"),
    "clip": Promise(Exactness.HARDWARE, _NETWORK, "`clip` with another model"),
    "ocr": Promise(
        Exactness.HARDWARE,
        "a neural network in 32-bit floats whose kernels cannot be chosen; only the text that it "
        "reads counts, so a verdict differs only where a letter does",
        "`ocr`",
    ),
    "safety": Promise(Exactness.HARDWARE, _NETWORK, "`safety`"),
}


def filter_promise(spec: FilterSpec) -> Promise:
    """Return what a filter promises."""
    if spec.registered == "clip" and (spec.clip or Clip()).engine in NAMES:  # type: ignore[call-arg]
        return _REFERENCE
    return _KINDS.get(spec.registered, NOTHING)


def _exact(params: Params, values: Values) -> Promise:
    return filter_promise(next(f for f in params.filter.filters if f.name == values["filter"]))


def _weights(params: Params, values: Values) -> str | None:
    spec = next(f for f in params.filter.filters if f.name == values["filter"])
    return spec.clip.engine if spec.clip else None


STAGE = Stage(
    name="filter",
    words="Keep the images that show what they should",
    artifact="verdicts",
    axes=("suite", "filter"),
    reads=(
        "{vocabulary.folder}",
        "data/{suite}/scenes",
        "data/{suite}/rendered",
        "data/reference",
    ),
    makes=(Out("data/{suite}/verdicts/{filter}", split="images"),),
    params=("snapshot", "render", "reference.models", "suite.corpus", "item.filter"),
    needs=lambda params, values: Needs(minutes=60),
    promises=(_KINDS["integrity"], _REFERENCE, *list(_KINDS.values())[1:]),
    exact=_exact,
    weights=_weights,
)
