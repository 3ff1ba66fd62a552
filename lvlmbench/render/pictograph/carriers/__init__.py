"""The things that words are written on, by the name that the vocabulary's carriers give."""

from __future__ import annotations

from lvlmbench.render.pictograph.carriers.objects import OBJECTS
from lvlmbench.render.pictograph.carriers.papers import PAPERS
from lvlmbench.render.pictograph.carriers.shapes import Carrier
from lvlmbench.render.pictograph.carriers.signs import SIGNS

__all__ = ["CARRIERS", "Carrier"]

CARRIERS: dict[str, Carrier] = {**SIGNS, **PAPERS, **OBJECTS}
