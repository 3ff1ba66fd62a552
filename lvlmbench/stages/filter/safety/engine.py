"""What a safety engine is.

To add one, write a module in ``kinds`` (or an outside package with an entry point in the group
``lvlmbench.safety_engines``) that registers ``make(settings, where)``: ``settings`` is the engine's
own model (None where it has none), ``where`` the filter in the parameters.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from lvlmbench.core.registry import Kind, Kinds

if TYPE_CHECKING:
    from PIL import Image


class Engine(Protocol):
    """Looks at one picture at a time: what it says does not depend on other pictures.

    Attributes
    ----------
    threshold
        Score from which a picture is unsafe.
    """

    threshold: float

    def score(self, picture: Image.Image) -> float:
        """How sure the engine is that an RGB picture is unsafe; rounded to 6 decimals."""
        ...


SAFETY_ENGINES: Kinds[Kind] = Kinds("safety_engines", "lvlmbench.stages.filter.safety.kinds", Kind)
