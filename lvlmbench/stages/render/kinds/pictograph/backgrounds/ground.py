"""Where in each background the ground begins, so that what is nearer can stand lower."""

from __future__ import annotations

from collections.abc import Mapping

#: Background -> share of the height below which there is ground in every drawing of it, however
#: close the view is. Left out is what has no ground to stand on (water, space, a wall) or shows
#: less than a tenth of the height of it.
GROUND: Mapping[str, float] = {
    "basketball court": 0.60,
    "beach": 0.82,
    "classroom": 0.73,
    "desert": 0.65,
    "farm": 0.60,
    "forest": 0.88,
    "highway": 0.55,
    "meadow": 0.70,
    "northern lights": 0.87,
    "rainy day": 0.76,
    "snowy mountains": 0.82,
    "soccer field": 0.46,
}


def ground(label: str | None) -> float | None:
    """Return the share of the height where a background's ground begins; None for none."""
    return GROUND.get(label or "")
