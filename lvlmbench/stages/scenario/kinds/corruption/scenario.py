"""Which image gets which damage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from lvlmbench.config import SUBTASKS, Params
from lvlmbench.config.scenarios import ScenarioSpec
from lvlmbench.core import seeding
from lvlmbench.stages.scenario.kinds.corruption.kind import CORRUPTIONS, SLOTS, corrupt
from lvlmbench.stages.scenario.kinds.corruption.settings import SEVERITIES, Corruption, Severity
from lvlmbench.stages.scenario.pixels import Pixels, decode, encode
from lvlmbench.stages.scenario.scenario import Row, Shard, first_of, perturbation, shown, stage_of

#: Images that are held as Python objects at once.
_BATCH = 16


class Corruptions:
    """Damages each image in one way that is drawn for it, or in every way.

    The choice is drawn from the scene's own generator; the damage from one of the scene, the kind
    and the severity, so that an image is the same whether its kind was drawn or all were asked.
    """

    def __init__(self, params: Params, spec: ScenarioSpec) -> None:
        self._params, self._spec = params, spec
        self._settings = spec.own(Corruption)

    def kinds(self, subtask: str) -> list[str]:
        """Return the kinds that leave a subtask's questions their answers."""
        placed = SUBTASKS[subtask].placed
        return [
            name
            for name in self._settings.kinds
            if not (placed and CORRUPTIONS.get(name, "corruption.kinds").moves)
        ]

    def choice(self, scene_id: str, subtask: str) -> tuple[str, int]:
        """Kind and severity that are drawn for a scene of a subtask that some kind leaves as it is.

        Every kind and severity there is gets a number, and the largest among the allowed ones
        wins: to leave one out changes only the images that had it, and one that joins changes
        only those that it gets.
        """
        seed, stage = self._params.snapshot.seed, stage_of(self._spec)
        rng = seeding.generator(seed, stage, scene_id)
        slots = rng.random(SLOTS)
        severities = dict(zip(SEVERITIES, rng.random(len(SEVERITIES)), strict=True))

        def number(name: str) -> float:
            slot = CORRUPTIONS.get(name, "corruption.kinds").slot
            if slot is not None:
                return float(slots[slot])
            return float(seeding.generator(seed, stage, f"{scene_id}/{name}").random())

        return (
            max(self.kinds(subtask), key=number),
            max(self._settings.severities, key=severities.__getitem__),
        )

    def ways(self, scene_id: str, subtask: str) -> Iterator[tuple[str, int]]:
        """(kind, severity) of each image that a scene of a subtask gives."""
        kinds = self.kinds(subtask)
        if not self._settings.every:
            if kinds:
                yield self.choice(scene_id, subtask)
            return
        for kind in CORRUPTIONS.ordered():
            for severity in SEVERITIES:
                if kind.name in kinds and severity in self._settings.severities:
                    yield kind.name, severity

    def damaged(self, clean: Row, pixels: Pixels, kind: str, severity: int) -> Row:
        """The row of one damaged image."""
        variant = f"{kind}-{severity}"
        rng = seeding.generator(
            self._params.snapshot.seed, stage_of(self._spec), f"{clean['scene_id']}/{variant}"
        )
        strength = self._settings.strength(kind, cast(Severity, severity))
        found, about = corrupt(pixels, kind, severity, rng, strength)
        done = perturbation(kind, severity, about)
        return shown(
            self._params,
            self._spec,
            clean,
            encode(found),
            done,
            variant=variant if self._settings.every else "",
        )

    def apply(self, shard: Shard) -> Iterator[Row]:
        """One row a clean image, or one for each kind and severity of it."""
        import cv2

        cv2.setNumThreads(1)  # a job is given one core; the bytes are the same with more
        first = first_of(self._params, shard.scenes, self._settings.scenes_per_subtask)
        columns = (shard.scenes[name].to_pylist() for name in ("scene_id", "subtask"))
        subtasks = dict(zip(*columns, strict=True))
        for batch in shard.images.to_batches(max_chunksize=_BATCH):
            for clean in batch.to_pylist():
                scene = clean["scene_id"]
                if scene not in first:
                    continue
                pixels = decode(clean)
                if pixels is None:
                    continue
                for kind, severity in self.ways(scene, subtasks[scene]):
                    yield self.damaged(clean, pixels, kind, severity)
