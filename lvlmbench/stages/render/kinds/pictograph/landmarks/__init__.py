"""Landmarks drawn here, by the name that the vocabulary's entries give."""

from __future__ import annotations

from lvlmbench.stages.render.kinds.pictograph.landmarks.halls import HALLS
from lvlmbench.stages.render.kinds.pictograph.landmarks.land import LAND
from lvlmbench.stages.render.kinds.pictograph.landmarks.shapes import Landmark
from lvlmbench.stages.render.kinds.pictograph.landmarks.towers import TOWERS

__all__ = ["LANDMARKS", "Landmark"]

LANDMARKS: dict[str, Landmark] = {**TOWERS, **HALLS, **LAND}
