"""A full-length person, as data."""

from __future__ import annotations

from dataclasses import dataclass

#: Width and height of the view box. The ground is at ``GROUND``, all figures share one scale.
VIEW = (220, 264)
GROUND = 254.0
MIDDLE = 110.0


@dataclass(frozen=True)
class Figure:
    """A person from head to foot.

    Parameters
    ----------
    age, gender, skin, expression, hair, hair_color, beard, action
        Labels of :mod:`~lvlmbench.scene.figures.labels`; ``skin`` is a
        modifier of :data:`~lvlmbench.stages.render.kinds.pictograph.art.SKIN_TONES`.
    garments
        (kind, color) pairs: three to five.
    held
        (thing, color) in the free hand, or None.
    """

    age: str
    gender: str
    skin: str
    expression: str
    hair: str
    hair_color: str
    beard: str
    garments: tuple[tuple[str, str], ...]
    action: str
    held: tuple[str, str] | None = None

    def color_of(self, kind: str) -> str | None:
        """Return the color of a garment that is worn, else None."""
        return dict(self.garments).get(kind)
