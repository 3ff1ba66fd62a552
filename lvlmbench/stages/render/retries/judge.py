"""The filters of ``render.retries.filters``, asked about one image at a time."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.stages.render.renderer import Scene
from lvlmbench.stages.render.retries.records import Rejection


class Looks(Protocol):
    """A filter, as :class:`lvlmbench.stages.filter.filter.Filter`."""

    name: str

    def judge(self, images: pa.Table, scenes: pa.Table) -> Sequence[Any]:
        """Return a verdict on each image: ``keep``, ``reason``, ``score``, ``threshold``."""
        ...


class Judge:
    """Filters in their order. May be asked by several threads."""

    def __init__(self, filters: Sequence[Looks]) -> None:
        self._filters = tuple(filters)
        self._lock = threading.Lock()

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
