"""The stage ``distances``: how far sets of images are from each other."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.core.exactness import NETWORK, Exactness, Promise
from lvlmbench.stages.reference.folder import NAMES
from lvlmbench.stages.stage import Needs, Out, Stage, Values

_REFERENCE = Promise(
    Exactness.EVERYWHERE,
    "64-bit floats, rounded to nine decimals",
    "by a reference model, or none",
)
_OTHERS = Promise(
    Exactness.HARDWARE,
    NETWORK,
    "by another model",
)


def _small(params: Params) -> bool:
    encoder = params.validity.kmmd.encoder
    return encoder is None or encoder in NAMES


def _exact(params: Params, values: Values) -> Promise:
    return _REFERENCE if _small(params) else _OTHERS


def _needs(params: Params, values: Values) -> Needs:
    return Needs(memory_mb=3000, minutes=120, threads=1 if _small(params) else 2)


STAGE = Stage(
    name="distances",
    words="Measure how far image sets are from each other",
    artifact="distances",
    reads=(
        "{vocabulary.folder}/style.yaml",
        "{validity.image_sets}",
        "data/{suite}/scenes",
        "data/{suite}/images",
        "data/{suite}/verdicts",
        "data/reference",
    ),
    makes=(
        Out("results/{suite}/validity/distances.csv"),
        Out("results/{suite}/validity/image_sets.csv"),
    ),
    params=(
        "snapshot",
        "filter",
        "reference.models",
        "validity.image_sets",
        "validity.kmmd",
        "suite.corpus",
        "suite.scenarios",
    ),
    needs=_needs,
    promises=(_REFERENCE, _OTHERS),
    exact=_exact,
    weights=lambda params, values: params.validity.kmmd.encoder,
)
