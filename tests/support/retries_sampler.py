"""A sampler without weights and a filter for it: noise whose brightness comes from the seed."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from PIL import Image

from lvlmbench import tables
from lvlmbench.config import Params, validate
from lvlmbench.core import seeding
from lvlmbench.stages.filter.decoding import decoded
from lvlmbench.stages.filter.filter import Verdict
from lvlmbench.stages.filter.retries import retry_filters
from lvlmbench.stages.render.renderer import Attempt, Depiction, Drawn, Failed, Making, Scene
from lvlmbench.stages.render.retries.progress import Progress
from lvlmbench.stages.render.retries.shard import Outputs, Shard, write_shard
from support.render_scenes import graph, vocabulary

SIZE = 64


words = cache(vocabulary)


def scenes(count: int, subtasks: Sequence[str] = ("animal", "object")) -> pa.Table:
    """Scenes whose seeds differ, in turn of these subtasks."""
    rows = [
        {
            "scene_id": seeding.item_id("rework", i),
            "subtask": subtasks[i % len(subtasks)],
            "ordinal": i,
            "foreground_list": subtasks[i % len(subtasks)],
            "foreground": "owl" if subtasks[i % len(subtasks)] == "animal" else "umbrella",
            "prompt": "an owl",
            "negative_prompt": "",
            "caption": "an owl",
            "seed": 1000 + i,
        }
        for i in range(count)
    ]
    rows = [row | graph(row) for row in rows]
    return pa.Table.from_pylist(rows, schema=tables.SCENES.schema)


def params(attempts: int = 0, filters: Sequence[Any] = (), **render: Any) -> Params:
    """Parameters with a retries section; a filter may be a name alone."""
    specs = [{"name": each} if isinstance(each, str) else each for each in filters]
    retries = {"attempts": attempts, "filters": specs}
    return validate(
        {"snapshot": {"seed": 7}, "render": {"size": SIZE, "retries": retries, **render}}
    )


def flat(seed: int) -> bool:
    """Whether :class:`Noise` draws one color alone for a seed, which ``integrity`` rejects."""
    return seed % 3 == 0


class Noise:
    """Noise from the seeds of a batch: an image depends on what is drawn with it.

    Parameters
    ----------
    batch
        Attempts drawn together; 1 is exact.
    log
        File that gets a line for each image that is drawn.
    seconds
        What an image takes.
    failing
        Seeds of attempts that fail.
    """

    name = "noise"
    provenance: Mapping[str, Any] | None = {"weights": "none", "device": "cpu"}

    def __init__(
        self,
        batch: int = 1,
        *,
        version: str = "noise-1",
        refused: Sequence[str] = (),
        log: Path | None = None,
        seconds: float = 0.0,
        failing: Container[int] = (),
    ) -> None:
        self.version, self._batch, self._refused = version, batch, refused
        self._log, self._seconds, self._failing = log, seconds, failing
        self.asked: list[list[list[Attempt]]] = []

    def refuses(self, scene: Scene) -> str | None:
        """Subtasks in ``refused``."""
        return "noise shows none" if scene["subtask"] in self._refused else None

    def draw(self, scene: Scene) -> Depiction:
        """The first attempt, alone."""
        return Depiction(self.picture(Attempt(scene, 0, scene["seed"]), []))

    @staticmethod
    def picture(attempt: Attempt, batch: Sequence[Attempt]) -> Image.Image:
        """Noise from the attempt's seed and those of its batch, or one color."""
        if flat(attempt.seed):
            return Image.new("RGB", (SIZE, SIZE), (attempt.seed % 251, 3, 3))
        drawn = np.random.default_rng([attempt.seed, *(other.seed for other in batch)])
        return Image.fromarray(drawn.integers(0, 256, (SIZE, SIZE, 3), np.uint8))

    def batches(self, attempts: Sequence[Attempt]) -> list[list[Attempt]]:
        """So many at a time, in their order."""
        return [list(attempts[i : i + self._batch]) for i in range(0, len(attempts), self._batch)]

    def draw_batches(self, batches: Iterable[Sequence[Attempt]]) -> Iterator[Drawn | Failed]:
        """The images of each batch, the last one first."""
        given = [list(batch) for batch in batches]
        self.asked.append(given)
        for batch in given:
            for attempt in reversed(batch):
                time.sleep(self._seconds)
                if self._log is not None:
                    with self._log.open("a") as log:
                        log.write(f"{attempt.scene['scene_id']} {attempt.number}\n")
                if attempt.seed in self._failing:
                    yield Failed(attempt, "timeout", "no reply within 1 s")
                    continue
                making = Making(
                    "text-to-image", 80, 2, attempt.number, self._batch == 1, len(batch)
                )
                yield Drawn(attempt, self.picture(attempt, batch), making)


class Dark:
    """Rejects images whose hash ends on an odd digit; the digit is the score."""

    name = "dark"

    def __init__(self, rejects_all: bool = False) -> None:
        self._rejects_all = rejects_all
        self.rows = 0

    def judge(self, images: pa.Table, scenes: pa.Table) -> list[Verdict]:
        """One verdict an image."""
        verdicts = []
        for row, scene in zip(images.to_pylist(), scenes.to_pylist(), strict=True):
            assert row["scene_id"] == scene["scene_id"] and decoded(row) is not None
            self.rows += 1
            score = float(int(hashlib.sha256(row["image"]["bytes"]).hexdigest()[-1], 16))
            keep = score % 2 == 0 and not self._rejects_all
            verdicts.append(Verdict(keep, None if keep else "too dark", score, 0.5, "a note"))
        return verdicts


def outputs(folder: Path) -> Outputs:
    """Where :func:`write` leaves its tables."""
    names = ("images", "verdicts", "attempts", "layouts", "requests", "checks", "check_requests")
    return Outputs(*(folder / f"{name}.parquet" for name in names))


def write(folder: Path, about: dict[str, Any], count: int, noise: dict[str, Any]) -> None:
    """Render to ``folder`` with a checkpoint in it; may run in a process of its own."""
    folder.mkdir(exist_ok=True)
    renderer = Noise(**noise, log=folder / "drawn.log")
    settings = params(**about)
    kept, filters = folder / "kept", retry_filters(settings)
    shard = Shard(settings, words(), scenes(count), renderer, kept, Progress(), filters)
    write_shard(shard, outputs(folder), "test")
