"""Some scenes of an exam, drawn only where a test asks for them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.stages.render.kinds.pictograph.renderer import PictographRenderer
from lvlmbench.stages.render.retries.shard import render_shard
from lvlmbench.suites.autodavis.plan import Planner
from lvlmbench.suites.suite import suite_of
from support.exam.made import params_of
from support.exam.oracle.verdict import families
from support.exam.oracle.world import picture_of
from support.oracle.picture import Picture
from support.render_scenes import vocabulary

Row = Mapping[str, Any]

_LEVELS = 3


class Sample:
    """One picture of each aspect of an exam at each level; drawn when asked for."""

    def __init__(self, seed: int, **own: Any) -> None:
        self.params = params_of(seed=seed, **own)
        n = self.params.corpus.n_scenes
        self._scenes = suite_of(self.params).scenes(self.params, vocabulary(), 0, n)

    def aspects(self) -> list[str]:
        """Return the aspect of each scene."""
        planner = Planner(self.params, vocabulary())
        return [
            planner.item(scene["subtask"], scene["ordinal"]).aspect.fine.name
            for scene in self._scenes.select(["subtask", "ordinal"]).to_pylist()
        ]

    def in_turn(self) -> Drawn:
        """Return a picture of each aspect, at one level after the other."""
        found = [at for at in range(len(self._scenes)) if at // _LEVELS % _LEVELS == at % _LEVELS]
        return Drawn(self.params, self._scenes.take(found))

    def of(self, names: Iterable[str]) -> Drawn:
        """Return the pictures of some families."""
        return Drawn(self.params, self.scenes_of(names))

    def of_scenes(self, ids: Iterable[str]) -> Drawn:
        """Return the pictures of some scenes."""
        at = self._scenes["scene_id"].to_pylist()
        return Drawn(self.params, self._scenes.take([at.index(each) for each in ids]))

    def scenes_of(self, names: Iterable[str]) -> pa.Table:
        """Return the scenes of some families."""
        known, wanted = families(), {*names}
        found = [at for at, each in enumerate(self.aspects()) if known.get(each) in wanted]
        return self._scenes.take(found)


class Drawn:
    """Scenes that were drawn."""

    def __init__(
        self,
        params: Params,
        scenes: pa.Table,
        renderer: Callable[[], PictographRenderer] | None = None,
    ) -> None:
        self._params, self._scenes = params, scenes
        *_, self._layouts = render_shard(params, vocabulary(), scenes, renderer and renderer())
        by_scene: dict[str, list[Row]] = {}
        for row in self._layouts.to_pylist():
            by_scene.setdefault(row["scene_id"], []).append(row)
        side = params.render.size
        self.pictures: Mapping[str, Picture] = {
            scene["scene_id"]: picture_of(scene, by_scene[scene["scene_id"]], side)
            for scene in scenes.to_pylist()
            if scene["scene_id"] in by_scene
        }

    def asked(self) -> list[Row]:
        """Return the questions about them."""
        rows: list[Row] = (
            suite_of(self._params)
            .questions(self._params, vocabulary(), self._scenes, self._layouts)
            .to_pylist()
        )
        return rows
