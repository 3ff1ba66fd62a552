"""The stage ``filter``: which images show what they should."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.core.exactness import Promise
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


def _spec(params: Params, values: Values) -> FilterSpec:
    return next(f for f in params.filter.filters if f.name == values["filter"])


def _exact(params: Params, values: Values) -> Promise:
    return promise_of(_spec(params, values), params)


STAGE = Stage(
    name="filter",
    words="Keep the images that show what they should",
    artifact="verdicts",
    axes=("suite", "filter"),
    reads=(
        VOCABULARY,
        "data/{suite}/scenes",
        "data/{suite}/rendered",
        "data/reference",
    ),
    spares=lambda params, values: wordless(_spec(params, values)),
    makes=(Out("data/{suite}/verdicts/{filter}", split="images"),),
    params=("snapshot", "render", "reference.models", "suite.corpus", "item.filter"),
    needs=lambda params, values: Needs(minutes=60),
    kinds="filters",
    exact=_exact,
    weights=lambda params, values: weights_of(_spec(params, values)),
)
