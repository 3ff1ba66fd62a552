"""The filter ``bright``, with settings."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
from pydantic import Field

from lvlmbench.config import Params
from lvlmbench.config.cleaning import FilterSpec
from lvlmbench.config.section import Section
from lvlmbench.stages.filter.filter import FILTERS, Filter, Verdict, Weights
from lvlmbench.stages.scenario.pixels import decode


class Brightness(Section):
    """How light an image must be."""

    least: float = Field(0.0, ge=0, le=255, description="Least mean of all its values.")


class Bright:
    """Removes what is too dark."""

    def __init__(self, name: str, least: float) -> None:
        self.name, self.least = name, least

    def judge(self, images: pa.Table, scenes: pa.Table) -> list[Verdict]:
        """Return one verdict an image."""
        return [self._verdict(row) for row in images.to_pylist()]

    def _verdict(self, row: dict[str, object]) -> Verdict:
        pixels = decode(row)
        if pixels is None:
            return Verdict(keep=False, reason="undecodable")
        mean = float(np.mean(pixels))
        keep = mean >= self.least
        return Verdict(keep, None if keep else "too dark", mean, self.least)


@FILTERS.register("bright", settings=Brightness)
def make(params: Params, spec: FilterSpec, weights: Weights) -> Filter:
    """Return the filter of an item."""
    return Bright(spec.name, spec.own(Brightness).least)
