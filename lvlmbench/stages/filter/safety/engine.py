"""What a safety engine is, and which one a filter's settings ask for."""

from __future__ import annotations

from typing import Protocol

from PIL import Image

from lvlmbench.config.cleaning import Safety


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


def load(settings: Safety, where: str) -> Engine:
    """The engine that the settings of a filter name.

    Parameters
    ----------
    where
        What the user is told to look at: the filter in the parameters.

    Raises
    ------
    UserError
        It is not installed, or its weights are missing, damaged or of something else.
    """
    if settings.engine == "nudenet":
        from lvlmbench.stages.filter.safety.nudenet import NudeNet

        return NudeNet(settings.threshold, f"{where}: safety: engine")
    from lvlmbench.stages.filter.safety.checker import (
        OFFICIAL,
        SafetyChecker,
    )

    return SafetyChecker(settings.model or OFFICIAL, f"{where}: safety: model")
