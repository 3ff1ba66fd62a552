"""Whether an image shows each thing that its scene names, one label after the other.

One cosine of a whole caption says little about one word of it. So a reference model is asked about
each aspect of the scene by itself: the log-odds of the scene's label against all labels of the same
list that would be wrong in its place. An image stays if each is at least the threshold of its
group (foreground, background, style, attribute), which was set on scenes held out from training.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from lvlmbench.scene.graph import arranged
from lvlmbench.stages.filter.decoding import UNDECODABLE, decoded
from lvlmbench.stages.filter.filter import TEXT_SUBTASK, Verdict
from lvlmbench.stages.reference.captions import aspects
from lvlmbench.stages.reference.zero_shot import DECIMALS, ZeroShot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


#: What is noted of a picture that shows several things: its layout was measured.
SEVERAL = "shows several things, which a reference model cannot tell apart"

#: And of one whose thing has a size of its own: reference models know large ones.
OTHER_SIZE = "shows a thing of another size than a reference model was trained on"


class LabelsFilter:
    """Keeps an image that shows every label of its scene which the model knows.

    Parameters
    ----------
    thresholds
        Group of aspects -> the least log-odds.
    batch_size
        Images encoded at once.
    """

    def __init__(
        self, name: str, model: ZeroShot, thresholds: Mapping[str, float], batch_size: int
    ) -> None:
        self.name = name
        self._model, self._thresholds, self._size = model, thresholds, batch_size
        self._told = False

    def judge(self, images: pa.Table, scenes: pa.Table) -> list[Verdict]:
        """One verdict an image. The score is the least margin over a threshold, so its own is 0."""
        verdicts: list[Verdict] = []
        unknown: set[str] = set()
        for start in range(0, images.num_rows, self._size):
            rows = images.slice(start, self._size).to_pylist()
            about = scenes.slice(start, self._size).to_pylist()
            verdicts += self._batch(rows, about, unknown)
        if unknown and not self._told:
            self._told = True
            names = ", ".join(sorted(unknown)[:5]) + (", ..." if len(unknown) > 5 else "")
            print(
                f"{self.name}: {self._model.encoder.name} was not trained on {names}; "
                "no image is removed because of that",
                file=sys.stderr,
            )
        return verdicts

    def _batch(
        self, rows: Sequence[Mapping[str, Any]], about: list[dict[str, Any]], unknown: set[str]
    ) -> list[Verdict]:
        verdicts = [Verdict(keep=True)] * len(rows)
        for i, scene in enumerate(about):
            if arranged(scene):
                several = len(scene["objects"]) > 1
                verdicts[i] = Verdict(keep=True, note=SEVERAL if several else OTHER_SIZE)
        judged = [
            i
            for i, scene in enumerate(about)
            if scene["subtask"] != TEXT_SUBTASK and not arranged(scene)
        ]
        pictures = {i: decoded(dict(rows[i])) for i in judged}
        seen = {i: picture for i, picture in pictures.items() if picture is not None}
        for i in judged:
            if i not in seen:
                verdicts[i] = Verdict(keep=False, reason=UNDECODABLE)
        vectors = self._model.encoder.images(list(seen.values()))
        for i, vector in zip(seen, vectors, strict=True):
            verdicts[i] = self._verdict(aspects(about[i]), vector, unknown)
        return verdicts

    def _verdict(
        self, labels: Mapping[str, str], image: NDArray[np.float64], unknown: set[str]
    ) -> Verdict:
        margins: list[tuple[float, str, str]] = []
        strange = []
        for aspect, label in labels.items():
            if self._model.labels.number(aspect, label) is None:
                strange.append(f"{aspect} '{label}'")
                continue
            group = self._model.labels.group(aspect)
            margin = self._model.odds(aspect, label, image) - self._thresholds[group]
            margins.append((round(margin, DECIMALS), group, aspect))
        unknown.update(strange)
        note = f"not known to {self._model.encoder.name}: {', '.join(strange)}" if strange else None
        if not margins:
            return Verdict(keep=True, note=note)
        score, group, aspect = min(margins)
        if score >= 0:
            return Verdict(keep=True, score=score, threshold=0.0, note=note)
        instead = self._model.best(aspect, image)
        return Verdict(
            keep=False,
            reason=f"another {group}",
            score=score,
            threshold=0.0,
            note=f"{aspect} '{labels[aspect]}' looks like '{instead}'",
        )
