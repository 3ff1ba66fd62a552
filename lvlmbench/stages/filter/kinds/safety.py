"""Filter ``safety``: no image shows what a benchmark must not show.

Text-to-image models make such images of harmless prompts now and then. Pictographs are drawn from
a fixed set of glyphs and pass unseen.
"""

from __future__ import annotations

from functools import cached_property

import pyarrow as pa

from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.cleaning import Safety as Settings
from lvlmbench.stages.filter.decoding import (
    UNDECODABLE,
    decoded,
)
from lvlmbench.stages.filter.filter import (
    FILTERS,
    Verdict,
    Weights,
)
from lvlmbench.stages.filter.safety.engine import (
    Engine,
    load,
)

#: Renderers whose images are kept without a look.
HARMLESS = frozenset({"pictograph"})
UNSAFE = "unsafe"


class Safety:
    """Keeps an image that the engine gives a score below its threshold."""

    def __init__(self, name: str, settings: Settings) -> None:
        self.name, self._settings = name, settings

    @cached_property
    def _engine(self) -> Engine:
        # Loaded for the first image that it has to look at: a shard of pictographs needs none.
        return load(self._settings, f"filter.filters: {self.name}")

    def judge(self, images: pa.Table, scenes: pa.Table) -> list[Verdict]:
        """One verdict an image; those of the pictograph renderer have no score.

        Raises
        ------
        UserError
            The engine cannot be loaded.
        """
        verdicts = []
        for batch in images.to_batches(max_chunksize=16):  # bytes of few images at a time
            for row in batch.select(["image", "renderer"]).to_pylist():
                if row["renderer"] in HARMLESS:
                    verdicts.append(Verdict(keep=True))
                    continue
                picture = decoded(row)
                if picture is None:
                    verdicts.append(Verdict(keep=False, reason=UNDECODABLE))
                    continue
                score, threshold = self._engine.score(picture), self._engine.threshold
                keep = score < threshold
                reason = None if keep else UNSAFE
                verdicts.append(Verdict(keep, reason, score=score, threshold=threshold))
        return verdicts


@FILTERS.register("safety")
def make(params: Params, spec: FilterSpec, weights: Weights) -> Safety:
    """The filter as ``spec.safety`` describes it."""
    return Safety(spec.name, spec.safety or Settings())  # type: ignore[call-arg]
