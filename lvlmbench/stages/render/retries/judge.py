"""The filters of ``render.retries.filters``, asked about one image at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.stages.render.renderer import Scene
from lvlmbench.stages.render.retries.records import Rejection
from lvlmbench.suites.drawing import Validator


class Looks(Protocol):
    """A filter, as :class:`lvlmbench.stages.filter.filter.Filter`."""

    name: str

    def judge(self, images: pa.Table, scenes: pa.Table) -> Sequence[Any]:
        """Return a verdict on each image: ``keep``, ``reason``, ``score``, ``threshold``."""
        ...


class Shown(NamedTuple):
    """An attempt at a scene, and its picture as a file."""

    scene: Scene
    attempt: int
    png: bytes

    @property
    def scene_id(self) -> str:
        """The scene's id."""
        return str(self.scene["scene_id"])


class Looker(Protocol):
    """Has models look at all pictures of a wave; ``attempts`` further ones at a scene, at most."""

    attempts: int

    def look(self, pictures: Iterable[Shown]) -> Mapping[str, Rejection]:
        """Return why pictures are rejected, by scene; those that are kept are not there."""
        ...

    def prompt(self, scene: Scene, number: int) -> str | None:
        """Return the prompt of a further attempt; None where it is the scene's own."""
        ...

    def rows(self, scene: Scene) -> list[dict[str, Any]]:
        """Return what was seen in all attempts at a scene, rows of ``tables.ATTEMPT_CHECKS``."""
        ...

    def requests(self) -> list[dict[str, Any]]:
        """Return all calls so far, rows of ``tables.ATTEMPT_REQUESTS``."""
        ...


class Judge:
    """A suite's validator, then filters in their order. May be asked by several threads."""

    def __init__(self, filters: Sequence[Looks], validator: Validator | None = None) -> None:
        self._filters, self._validator = tuple(filters), validator
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        """Whether anybody judges."""
        return bool(self._filters) or self._validator is not None

    def rejection(
        self,
        image: Mapping[str, Any],
        scene: Scene,
        layout: Sequence[Mapping[str, Any]] | None = None,
    ) -> Rejection | None:
        """What the first one says that rejects an image; None where all keep it.

        An image is judged by itself: in a batch, the last digits of a score may depend on the
        other images, and with them whether this one is drawn again.

        Parameters
        ----------
        image
            A row of :data:`lvlmbench.tables.IMAGES`.
        layout
            Rows of :data:`lvlmbench.tables.LAYOUTS`; None where nobody measured the image.
        """
        if self._validator is not None and layout is not None:
            with self._lock:
                found = self._validator.judge(scene, layout)
            if found is not None:
                return Rejection(self._validator.name, found.reason, found.score, found.threshold)
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
