"""Styles as image transforms: what a composed picture looks like in another medium.

Exact on any x86-64 processor: integer arithmetic, float64 with + - * / and square root alone,
Pillow's integer filters. data/vocabulary/style.yaml says what each style hides.
"""

from __future__ import annotations

import numpy as np
from PIL import Image

from lvlmbench.stages.render.kinds.pictograph.picture import Picture, Styled, ids_of
from lvlmbench.stages.render.kinds.pictograph.styles.registry import STYLES

#: Labels that can be drawn, sorted.
LABELS: tuple[str, ...] = tuple(STYLES.names())


def apply(label: str, picture: Picture, rng: np.random.Generator) -> Image.Image:
    """Return ``picture`` in a style: mode RGB, same size, the foreground still nameable.

    Raises
    ------
    lvlmbench.core.errors.UserError
        The label is none of :data:`LABELS`.
    """
    return styled(label, picture, rng).image


def styled(label: str, picture: Picture, rng: np.random.Generator) -> Styled:
    """Return the same with what the style did to the id buffer; raises as :func:`apply`."""
    found = STYLES.get(label, "pictograph: style")(picture, rng)
    return found if isinstance(found, Styled) else Styled(found, ids_of(picture))
