"""Drawing scenes in waves: all of them, those that failed or were rejected, those again ..."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import replace

from lvlmbench.core import seeding
from lvlmbench.stages.render.renderer import Attempt, Drawn, Failed, Sampler, Scene, can_redraw
from lvlmbench.stages.render.retries.checkpoint import Checkpoint
from lvlmbench.stages.render.retries.finish import finished
from lvlmbench.stages.render.retries.judge import Judge, Looker, Shown
from lvlmbench.stages.render.retries.progress import Progress
from lvlmbench.stages.render.retries.records import KEPT, Record, rows_of
from lvlmbench.stages.render.shard import image_row, png_bytes


def provenance_of(draws: Sampler) -> str | None:
    """What draws, as JSON."""
    if draws.provenance is None:
        return None
    return json.dumps(dict(draws.provenance), sort_keys=True)


class Waves:
    """All attempts at the scenes of a shard.

    Attributes
    ----------
    records
        Scene id -> its attempts so far. Attempts are numbered through, whoever draws.

    Parameters
    ----------
    seed
        The snapshot's, from which the seeds of further attempts come.
    again
        Further attempts at most that one renderer has at a scene.
    looker
        Who looks at the pictures that ``judge`` keeps; None where nobody does.
    """

    def __init__(
        self,
        seed: int,
        again: int,
        judge: Judge,
        checkpoint: Checkpoint,
        progress: Progress,
        looker: Looker | None = None,
    ) -> None:
        self._seed, self._again, self._looker = seed, again, looker
        self._judge, self._checkpoint, self._progress = judge, checkpoint, progress
        self.records: dict[str, list[Record]] = {}

    def of(self, scene: Scene) -> list[Record]:
        """Attempts at a scene so far."""
        return self.records.setdefault(scene["scene_id"], [])

    def refuse(self, draws: Sampler, scene: Scene, reason: str) -> None:
        """Note that a renderer draws nothing of a scene."""
        attempt = self._attempt(scene, first=True)
        self.of(scene).append(
            Record(attempt.number, attempt.seed, draws.name, draws.version, refusal=reason)
        )

    def run(self, draws: Sampler, scenes: Sequence[Scene]) -> list[Scene]:
        """Draw scenes that the renderer does not refuse; returns those of which no image passed."""
        pending = list(scenes)
        for number in range(1 + (self._again if can_redraw(draws) else 0)):
            if not pending:
                break
            self._wave(draws, [self._attempt(scene, first=number == 0) for scene in pending])
            pending = [scene for scene in pending if self.of(scene)[-1].may_be_tried]
        return pending

    def _attempt(self, scene: Scene, *, first: bool) -> Attempt:
        number = len(self.of(scene))
        if first:  # of this renderer: what it draws does not depend on those asked before it
            return Attempt(scene, number, scene["seed"])
        item = f"{scene['scene_id']}/{number}"
        # The label of the seeds is older than the word retries; another one would change images.
        seed = seeding.seed_of(self._seed, "rework", item)
        prompt = None if self._looker is None else self._looker.prompt(scene, number)
        changed = scene if prompt is None else {**scene, "prompt": prompt}
        return Attempt(changed, number, seed, prompt)

    def _wave(self, draws: Sampler, attempts: Sequence[Attempt]) -> None:
        found: dict[str, Record] = {}
        for attempt in attempts:
            record = self._checkpoint.find(attempt, draws)
            if record is not None:
                found[attempt.scene["scene_id"]] = record
        # Batches are those of a run that nothing disturbed: one that lacks an image is drawn whole.
        missing = [
            batch
            for batch in draws.batches(attempts)
            if any(attempt.scene["scene_id"] not in found for attempt in batch)
        ]
        for attempt in attempts:
            if attempt.scene["scene_id"] in found:
                self._progress.known += 1
                self._count(attempt.scene)
        if missing:
            provenance = provenance_of(draws)

            def finish(drawn: Drawn | Failed) -> tuple[Scene, Record]:
                return drawn.attempt.scene, self._finish(draws, provenance, drawn)

            for scene, record in finished(draws.draw_batches(missing), finish):
                if scene["scene_id"] not in found and record.drew:
                    self._count(scene)
                found[scene["scene_id"]] = record
        self._look([attempt.scene for attempt in attempts], found)
        for attempt in attempts:
            self.of(attempt.scene).append(found[attempt.scene["scene_id"]])

    def _look(self, scenes: Sequence[Scene], found: dict[str, Record]) -> None:
        """Have validators look at what was drawn of scenes; they see all of a wave at once."""
        if self._looker is None:
            return
        drawn = ((scene, found[scene["scene_id"]]) for scene in scenes)
        shown = (
            Shown(scene, record.number, self._checkpoint.png(scene, record))
            for scene, record in drawn
            if record.outcome == KEPT
        )
        for scene_id, rejection in self._looker.look(shown).items():
            found[scene_id] = replace(found[scene_id], rejection=rejection)

    def _count(self, scene: Scene) -> None:
        self._progress.add(again=any(r.drew for r in self.of(scene)))

    def _finish(self, draws: Sampler, provenance: str | None, drawn: Drawn | Failed) -> Record:
        """Encode an image, have it judged, and store it; called by several threads.

        A failure is not stored: a run that goes on after a kill tries again.
        """
        attempt = drawn.attempt
        if isinstance(drawn, Failed):
            return Record(
                attempt.number,
                attempt.seed,
                draws.name,
                draws.version,
                provenance,
                failure=drawn.reason,
                prompt=attempt.prompt,
                request=drawn.request,
            )
        png = png_bytes(drawn.image)
        image = image_row(attempt.scene, attempt.seed, png, draws.name, draws.version)
        record = Record(
            attempt.number,
            attempt.seed,
            draws.name,
            draws.version,
            provenance,
            drawn.making,
            hashlib.sha256(png).hexdigest(),
            self._judge.rejection(image, attempt.scene, rows_of(attempt.scene, drawn.layout)),
            drawn.layout,
            prompt=attempt.prompt,
            request=drawn.request,
        )
        self._checkpoint.keep(attempt.scene, record, png)
        return record
