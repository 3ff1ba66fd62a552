"""One shard of the render stage: scenes in; images, verdicts and attempts out.

Scenes are drawn in waves (:mod:`lvlmbench.stages.render.retries.waves`). What no attempt mends,
and what the
renderer refuses, goes to the renderer ``render.fallback``, in waves of its own. The last image of
a scene is its image; whether it may be asked about is for ``filter.filters`` to say.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from lvlmbench import tables
from lvlmbench.config import Params
from lvlmbench.config.identity import params_id
from lvlmbench.scene.exclusion import Exclusion
from lvlmbench.scene.hiding import Hiding
from lvlmbench.scene.vocabulary import Vocabulary
from lvlmbench.stages.render.given import given_of
from lvlmbench.stages.render.renderer import Attempt, OneByOne, Renderer, Sampler, Scene, sampler
from lvlmbench.stages.render.retries.checkpoint import Checkpoint
from lvlmbench.stages.render.retries.judge import Judge, Looker, Looks
from lvlmbench.stages.render.retries.progress import Progress
from lvlmbench.stages.render.retries.records import FAILED, Record
from lvlmbench.stages.render.retries.waves import Waves, provenance_of
from lvlmbench.stages.render.shard import image_row, make_renderer, png_bytes, verdict_row
from lvlmbench.suites.suite import suite_of

Row = dict[str, Any]


@dataclass(frozen=True)
class SceneRows:
    """What a scene adds to the tables; ``image`` is None where it was not drawn."""

    image: Row | None
    verdict: Row
    attempts: list[Row]
    layouts: list[Row] = field(default_factory=list)
    checks: list[Row] = field(default_factory=list)
    requests: list[Row] = field(default_factory=list)


class Shard:
    """Draws the scenes of a shard and gives their rows.

    Parameters
    ----------
    scenes
        Rows of :data:`lvlmbench.tables.SCENES`.
    renderer
        The one to draw with; by default the one that ``params`` names.
    checkpoints
        Folder to keep attempts in until :meth:`forget`.
    filters
        Those of ``render.retries.filters``, which decide what is drawn again.
    looker
        Who looks at pictures; None where nobody does.
    """

    def __init__(
        self,
        params: Params,
        vocabulary: Vocabulary,
        scenes: pa.Table,
        renderer: Renderer | None,
        checkpoints: Path,
        progress: Progress,
        filters: Sequence[Looks] = (),
        looker: Looker | None = None,
    ) -> None:
        self._looker = looker
        self._params, self._vocabulary, self._progress = params, vocabulary, progress
        self._suite = suite_of(params)
        validator = self._suite.validator(params, vocabulary)
        self._again = None if validator is None else validator.attempts
        given = given_of(params) if renderer is None else renderer
        self._main = sampler(given or make_renderer(params, vocabulary), self._again)
        if len(filters) != len(params.render.retries.filters):
            raise ValueError("filters are not those of render.retries.filters")
        drawn = self._main.name != tables.GIVEN  # of a picture that is given, no other can be drawn
        self._judge = Judge(filters if drawn else (), validator)
        self._fallback = params.render.fallback if drawn else None
        self._exclusion = Exclusion(params.vocabulary.exclude)
        self._scenes: list[Scene] = scenes.to_pylist()
        self._checkpoint = Checkpoint(checkpoints, self._identity(scenes))
        again = params.render.retries.attempts
        again = again if validator is None else max(again, validator.attempts)
        again = again if looker is None else max(again, looker.attempts)
        self._waves = Waves(
            params.snapshot.seed, again, self._judge, self._checkpoint, progress, looker
        )
        #: Scene id -> who draws it when its rows are asked for.
        self._at_once: dict[str, OneByOne] = {}

    def _identity(self, scenes: pa.Table) -> Row:
        render = self._params.render
        return {
            "made_with": [params_id(self._params), self._vocabulary.digest],
            "scenes": tables.hash_batches([scenes])[0],
            "renderer": [self._main.name, self._main.version],
            "fallback": self._fallback,
            "retries": render.retries.model_dump(mode="json"),
        }

    def rows(self) -> Iterator[SceneRows]:
        """Draw; then the rows of each scene, in the order of the scenes."""
        wanted = [scene for scene in self._scenes if self._left_out(scene) is None]
        left = self._draw(self._main, wanted)
        name = self._fallback
        if left and name is not None and name != self._main.name:
            fallback = make_renderer(self._params, self._vocabulary, name, "render.fallback")
            self._draw(sampler(fallback, self._again), left)
        for scene in self._scenes:
            reason = self._left_out(scene)
            if reason is not None:
                yield SceneRows(None, verdict_row(scene, reason), [])
            else:
                yield self._rows_of(scene)

    def _left_out(self, scene: Scene) -> str | None:
        """Why nothing is to be drawn of a scene, whoever draws."""
        return self._suite.unplanned(scene) or self._exclusion.reason(scene)

    def _draw(self, draws: Sampler, scenes: list[Scene]) -> list[Scene]:
        """Draw what the renderer can show; returns the scenes that have no good image."""
        hiding = Hiding(self._vocabulary, draws.name)
        reasons = [(scene, draws.refuses(scene) or hiding.reason(scene)) for scene in scenes]
        accepted = [scene for scene, reason in reasons if reason is None]
        self._progress.total += sum(self._image_of(scene) is None for scene in accepted)
        for scene, reason in reasons:
            if reason is not None:
                self._waves.refuse(draws, scene, reason)
        if not self._judge and self._looker is None and isinstance(draws, OneByOne):
            # Cheap to draw, and nobody asks for another image: no need to keep it anywhere.
            self._at_once |= {scene["scene_id"]: draws for scene in accepted}
            rejected = set[str]()
        else:
            rejected = {scene["scene_id"] for scene in self._waves.run(draws, accepted)}
        return [s for s, reason in reasons if reason is not None or s["scene_id"] in rejected]

    def _image_of(self, scene: Scene) -> Record | None:
        """The last attempt at a scene that gave an image."""
        drawn = [r for r in self._waves.of(scene) if r.drew]
        return drawn[-1] if drawn else None

    def _rows_of(self, scene: Scene) -> SceneRows:
        draws = self._at_once.get(scene["scene_id"])
        png = self._drawn_now(draws, scene) if draws is not None else None
        records, last = self._waves.of(scene), self._image_of(scene)
        self._progress.settle(records, self._main.name)
        attempts = [record.row(scene) for record in records]
        requests = [row for record in records for row in record.request_rows(scene)]
        if last is None:
            failures = [record.reason for record in records if record.outcome == FAILED]
            reason = failures[-1] if failures else records[0].reason
            return SceneRows(None, verdict_row(scene, reason), attempts, requests=requests)
        checks = [] if self._looker is None else self._looker.rows(scene)
        if last.number not in {row["attempt"] for row in checks}:
            checks = []  # a filter has rejected the last picture: nobody has looked at it
        if png is None:
            png = self._checkpoint.png(scene, last)
        image = image_row(scene, last.seed, png, last.renderer, last.version)
        layout = last.layout_rows(scene)
        return SceneRows(image, verdict_row(scene, None), attempts, layout, checks, requests)

    def check_requests(self) -> list[Row]:
        """Return what validators were asked, rows of ``tables.ATTEMPT_REQUESTS``."""
        return [] if self._looker is None else self._looker.requests()

    def _drawn_now(self, draws: OneByOne, scene: Scene) -> bytes:
        records = self._waves.of(scene)
        attempt = Attempt(scene, len(records), scene["seed"])
        (drawn,) = draws.draw_batches([[attempt]])
        records.append(
            Record(
                attempt.number,
                attempt.seed,
                draws.name,
                draws.version,
                provenance_of(draws),
                drawn.making,
                layout=drawn.layout,
            )
        )
        self._progress.add(again=False)
        return png_bytes(drawn.image)

    def forget(self) -> None:
        """Remove what was kept to go on from."""
        self._checkpoint.remove()


def render_shard(
    params: Params,
    vocabulary: Vocabulary,
    scenes: pa.Table,
    renderer: Renderer | None = None,
    filters: Sequence[Looks] = (),
) -> tuple[pa.Table, pa.Table, pa.Table, pa.Table]:
    """Return images, verdicts, attempts and layouts of these scenes, in their order.

    A scene that shows what ``vocabulary.exclude`` lists gets a verdict and no image; the rows of
    all others are what they are without it.

    Parameters
    ----------
    scenes
        Rows of :data:`lvlmbench.tables.SCENES`.
    renderer
        One that is made already; by default the one that ``params`` names.
    """
    with tempfile.TemporaryDirectory() as folder:
        shard = Shard(params, vocabulary, scenes, renderer, Path(folder), Progress(), filters)
        found = list(shard.rows())
    return (
        tables.IMAGES.of([r.image for r in found if r.image]),
        tables.VERDICTS.of([r.verdict for r in found]),
        tables.ATTEMPTS.of([row for r in found for row in r.attempts]),
        tables.LAYOUTS.of([row for r in found for row in r.layouts]),
    )


@dataclass(frozen=True)
class Outputs:
    """Where the tables of a shard go."""

    images: Path
    verdicts: Path
    attempts: Path
    layouts: Path
    requests: Path
    checks: Path
    check_requests: Path


#: Output -> its table, of those that are small; in the order in which they are begun.
_SMALL = {
    "check_requests": tables.ATTEMPT_REQUESTS, "checks": tables.ATTEMPT_CHECKS,
    "requests": tables.IMAGE_REQUESTS, "layouts": tables.LAYOUTS, "attempts": tables.ATTEMPTS,
    "verdicts": tables.VERDICTS,
}  # fmt: skip


def write_shard(shard: Shard, outputs: Outputs, made_with: str) -> None:
    """Write the tables of a shard as its rows come.

    Few images are in memory at once. The images are finished first: where the disk is too small
    for them, no table is left.
    """
    images: list[Row] = []
    small: dict[str, list[Row]] = {name: [] for name in _SMALL}
    with ExitStack() as stack:
        add = {
            name: stack.enter_context(tables.writing(getattr(outputs, name), table, made_with))
            for name, table in _SMALL.items()
        }
        add_images = stack.enter_context(tables.writing(outputs.images, tables.IMAGES, made_with))
        for rows in shard.rows():
            for name in ("attempts", "layouts", "requests", "checks"):
                small[name] += getattr(rows, name)
            small["verdicts"].append(rows.verdict)
            if rows.image is not None:
                images.append(rows.image)
            if len(images) == tables.PICTURES_ROW_GROUP:
                add_images(tables.IMAGES.of(images))
                images.clear()
        add_images(tables.IMAGES.of(images))
        small["check_requests"] = shard.check_requests()
        for name, table in _SMALL.items():
            add[name](table.of(small[name]))
    shard.forget()
