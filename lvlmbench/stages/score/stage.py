"""The stage ``score``: which answers are right."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.headline import headline_of
from lvlmbench.core.exactness import Exactness, Promise
from lvlmbench.stages.replies.data import REPLIES
from lvlmbench.stages.stage import Needs, Out, Stage, Values

_CHOICES = Promise(
    Exactness.EVERYWHERE, "text rules and integer distances", "options, without captions"
)
_CAPTIONS = Promise(
    Exactness.EVERYWHERE,
    "a neural sentence encoder in 64-bit floats wherever 32 bits leave open how the second "
    "decimal is rounded",
    "options and captions",
)


def _exact(params: Params, values: Values) -> Promise:
    captions = headline_of(params).captions and params.corpus.type_proportions.free_form > 0
    return _CAPTIONS if captions else _CHOICES


STAGE = Stage(
    name="score",
    words="Hold the answers against what is right",
    artifact="parsed options, similarities",
    axes=("suite", "model", "scenario"),
    reads=(
        REPLIES,
        "data/{suite}/answers/{model}/{scenario}",
        "data/{suite}/questions",
        "data/{suite}/scenes",
        "data/{suite}/images/{scenario}",
    ),
    makes=(Out("data/{suite}/scores/{model}/{scenario}", split="one"),),
    params=("score", "suite.kind", "suite.headline"),
    needs=lambda params, values: Needs(minutes=120),
    promises=(_CHOICES, _CAPTIONS),
    exact=_exact,
)
