"""The filters of ``render.retries.filters``, which look at each image as it is drawn."""

from __future__ import annotations

from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.core.errors import UserError
from lvlmbench.stages.filter.filter import FILTERS, Filter

WHERE = "render.retries.filters"
#: What a filter's own errors begin with.
_FILTERS_WHERE = "filter.filters"


def retry_filters(params: Params) -> list[Filter]:
    """Return the filters that the parameters name; loads their weights.

    Raises
    ------
    UserError
        One of them is not known or cannot be loaded.
    """
    return [_make(params, spec) for spec in params.render.retries.filters]


def _make(params: Params, spec: FilterSpec) -> Filter:
    where = f"{WHERE}: {spec.name}"
    kind = FILTERS.get(spec.registered, where)
    if kind.check is not None:
        kind.check(params, spec, where, True)
    try:
        found: Filter = kind(params, spec, {})
        return found
    except UserError as error:
        if not error.where.startswith(_FILTERS_WHERE):
            raise
        place = WHERE + error.where.removeprefix(_FILTERS_WHERE)
        raise UserError(place, error.what, error.fix) from None
