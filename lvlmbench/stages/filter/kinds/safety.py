"""Filter ``safety``: no image shows what a benchmark must not show.

Text-to-image models make such images of harmless prompts now and then. Pictographs are drawn from
a fixed set of glyphs and pass unseen.
"""

from __future__ import annotations

from functools import cached_property
from typing import Annotated

import pyarrow as pa
from pydantic import Field

from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.section import Engined, Known, Name
from lvlmbench.core.exactness import NETWORK, Exactness, Promise
from lvlmbench.core.registry import kinds_of
from lvlmbench.stages.filter.decoding import UNDECODABLE, decoded
from lvlmbench.stages.filter.filter import FILTERS, Verdict, Weights
from lvlmbench.stages.filter.safety.engine import SAFETY_ENGINES, Engine

UNSAFE = "unsafe"


class Settings(Engined):
    """A safety filter: whether an image shows what a benchmark must not show. Pictographs pass."""

    registry = "safety_engines"

    engine: Annotated[Name, Known("safety_engines")] = Field(
        default_factory=lambda: SAFETY_ENGINES.first().name, description="What looks."
    )


class Safety:
    """Keeps an image that the engine gives a score below its threshold."""

    def __init__(self, name: str, settings: Settings) -> None:
        self.name, self._settings = name, settings

    @cached_property
    def _engine(self) -> Engine:
        # Loaded for the first image that it has to look at: a shard of pictographs needs none.
        found: Engine = self._settings.make(f"filter.filters: {self.name}: safety")
        return found

    def judge(self, images: pa.Table, scenes: pa.Table) -> list[Verdict]:
        """One verdict an image; those of the pictograph renderer have no score.

        Raises
        ------
        UserError
            The engine cannot be loaded.
        """
        verdicts = []
        # Images of renderers that draw from a fixed set are kept without a look.
        harmless = {kind.name for kind in kinds_of("renderers").ordered() if kind.simple}
        for batch in images.to_batches(max_chunksize=16):  # bytes of few images at a time
            for row in batch.select(["image", "renderer"]).to_pylist():
                if row["renderer"] in harmless:
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


def check(params: Params, spec: FilterSpec, where: str, early: bool = False) -> None:
    """Check that the engine's weights are there, as far as files tell."""
    spec.own(Settings).check(f"{where}: safety")


@FILTERS.register(
    "safety",
    vocabulary=False,
    settings=Settings,
    check=check,
    place=4,
    looks_with=lambda spec: str(spec.own(Settings).engine),
    exactness=(Promise(Exactness.HARDWARE, NETWORK),),
)
def make(params: Params, spec: FilterSpec, weights: Weights) -> Safety:
    """Return the filter."""
    return Safety(spec.name, spec.own(Settings))
