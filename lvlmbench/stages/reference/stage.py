"""The stage ``reference``: models that filters, attacks and answers can do with."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.reference.folder import FILES
from lvlmbench.stages.stage import Needs, Out, Stage, Values

_PINNED = Promise(
    Exactness.EVERYWHERE,
    "files that are kept with the code, held against the hashes on their card",
    "`weights: pinned`",
)
_TRAINED = Promise(
    Exactness.HARDWARE,
    "training in 16- and 32-bit floats with one thread; another processor's kernels add in "
    "another order, and steps amplify it",
    "`weights: trained`",
)


#: Where models are pinned, nothing is planned or drawn for them: what then is not read or run.
PINNED = ("reference.weights", "pinned")
FOR_TRAINING = ("{vocabulary.folder}", "lvlmbench/suites", "lvlmbench/stages/render")


def _exact(params: Params, values: Values) -> Promise:
    return _PINNED if params.reference.weights == "pinned" else _TRAINED


STAGE = Stage(
    name="reference",
    words="Train the reference models, or take the pinned ones",
    artifact="weights, thresholds, loss",
    axes=("reference",),
    reads=("{vocabulary.folder}", "{reference.pinned}", "data/reference/scenes"),
    unless=dict.fromkeys(FOR_TRAINING, PINNED),
    makes=(
        Out("data/reference/{reference}", names=lambda params: FILES),
        Out("results/reference/{reference}/loss.csv"),
        Out("results/reference/{reference}/metrics.json", metric=True),
    ),
    params=(
        "reference.weights",
        "reference.scenes",
        "reference.training",
        "reference.false_rejections",
    ),
    needs=lambda params, values: Needs(memory_mb=4000, minutes=600),
    promises=(_PINNED, _TRAINED),
    exact=_exact,
)
