"""The things that words are written on, by the name that the vocabulary's carriers give."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.carriers.objects import OBJECTS
from lvlmbench.stages.render.kinds.pictograph.carriers.papers import PAPERS
from lvlmbench.stages.render.kinds.pictograph.carriers.shapes import Carrier
from lvlmbench.stages.render.kinds.pictograph.carriers.signs import SIGNS

__all__ = ["CARRIERS", "Carrier"]

CARRIERS: dict[str, Carrier] = {**SIGNS, **PAPERS, **OBJECTS}
