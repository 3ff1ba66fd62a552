"""Rows of a table by the scene that they are about."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc


class ByScene:
    """Looks up rows of a table by scene; rows about one scene must stand side by side.

    Columns are held in Arrow, and rows made anew each time.
    """

    def __init__(self, table: pa.Table) -> None:
        self._table = table.combine_chunks()
        self._places: dict[str, tuple[int, int]] = {}
        ids = self._table["scene_id"].combine_chunks()
        runs = pc.run_end_encode(ids)
        start = 0
        for scene_id, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True):
            self._places[scene_id] = start, end
            start = end

    def __iter__(self) -> Iterator[str]:
        """Iterate over the scenes' ids."""
        return iter(self._places)

    def __len__(self) -> int:
        """Return how many scenes there are."""
        return len(self._places)

    def of(self, scene_id: str) -> list[dict[str, Any]]:
        """Return the rows about a scene; none where there is none."""
        start, end = self._places.get(scene_id, (0, 0))
        rows: list[dict[str, Any]] = self._table.slice(start, end - start).to_pylist()
        return rows
