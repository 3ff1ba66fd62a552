"""What is so in each scene, read from its tables when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.core.errors import UserError
from lvlmbench.scene.claims import Truth
from lvlmbench.scene.graph import Graph
from lvlmbench.scene.truth import measured_of
from lvlmbench.scene.truth.rows import from_rows
from lvlmbench.tables.by_scene import ByScene

_SCENES = ["scene_id", "objects", "relations", "setting"]


class Truths(Mapping[str, Truth]):
    """Truths by scene. Columns are held in Arrow; a scene's truth is made anew each time.

    Parameters
    ----------
    scenes, layouts, truth
        Shards of these tables.
    wanted
        Ids of the scenes to hold.
    """

    def __init__(
        self,
        params: Params,
        scenes: Sequence[Path],
        layouts: Sequence[Path],
        truth: Sequence[Path],
        wanted: Set[str],
    ) -> None:
        keep = pc.field("scene_id").isin(pa.array(sorted(wanted), pa.string()))
        self._side = params.render.size
        self._scenes = ByScene(tables.read(scenes, tables.SCENES, _SCENES, keep))
        self._layouts = ByScene(tables.read(layouts, tables.LAYOUTS, where=keep))
        self._truth = ByScene(tables.read(truth, tables.TRUTH, where=keep))

    def __getitem__(self, scene_id: str) -> Truth:
        """Return what is so in a scene; one that was not drawn has no features."""
        found = self._scenes.of(scene_id)
        if len(found) != 1:
            what = f"scene '{scene_id}' of an answer stands there {len(found)} times"
            raise UserError("scenes", what, "give the tables of one snapshot")
        [scene] = found
        layout = self._layouts.of(scene_id)
        features = self._truth.of(scene_id)
        geometry = measured_of(Graph.of(scene), layout, self._side) if layout else None
        return from_rows(features, geometry)

    def __iter__(self) -> Iterator[str]:
        """Iterate over the scenes' ids."""
        return iter(self._scenes)

    def __len__(self) -> int:
        """Return how many scenes there are."""
        return len(self._scenes)
