"""The filters of ``render.retries.filters``, asked about one image at a time."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.core.errors import UserError
from lvlmbench.stages.filter.filter import FILTERS, Filter
from lvlmbench.stages.render.renderer import Scene
from lvlmbench.stages.render.retries.records import Rejection

WHERE = "render.retries.filters"
#: What a filter's own errors begin with.
_FILTERS_WHERE = "filter.filters"


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


class Judge:
    """Filters in their order. May be asked by several threads."""

    def __init__(self, filters: Sequence[Filter]) -> None:
        self._filters = tuple(filters)
        self._lock = threading.Lock()

    @classmethod
    def of(cls, params: Params) -> Judge:
        """The filters that the parameters name; loads their weights.

        Raises
        ------
        UserError
            One of them is not known or cannot be loaded.
        """
        return cls([_make(params, spec) for spec in params.render.retries.filters])

    def __bool__(self) -> bool:
        """Whether there is a filter."""
        return bool(self._filters)

    def rejection(self, image: Mapping[str, Any], scene: Scene) -> Rejection | None:
        """What the first filter says that rejects an image; None where all keep it.

        An image is judged by itself: in a batch, the last digits of a score may depend on the
        other images, and with them whether this one is drawn again.

        Parameters
        ----------
        image
            A row of :data:`lvlmbench.tables.IMAGES`.
        """
        if not self._filters:
            return None
        images = tables.IMAGES.of([dict(image)])
        scenes = tables.SCENES.of([dict(scene)])
        with self._lock:
            for each in self._filters:
                (verdict,) = each.judge(images, scenes)
                if not verdict.keep:
                    return Rejection(each.name, verdict.reason, verdict.score, verdict.threshold)
        return None
