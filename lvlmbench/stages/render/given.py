"""Pictures that nobody draws: files of a user's own, or parts of one, named by the suite."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lvlmbench.config import Params
from lvlmbench.core.decoding import Held, given_picture
from lvlmbench.stages.render.renderer import Depiction, Scene
from lvlmbench.suites.suite import suite_of
from lvlmbench.tables import GIVEN


class Given:
    """Takes each scene's picture from its file, pixel by pixel, in its own size.

    It is shown as :func:`lvlmbench.core.decoding.given_picture` says; nothing is scaled or
    compressed with loss.
    """

    name = GIVEN
    version = "1"

    def __init__(self, path_of: Callable[[Scene], Path | Held]) -> None:
        self._path_of = path_of

    def refuses(self, scene: Scene) -> str | None:
        """Refuse no scene: a picture that cannot be read ends the run."""
        return None

    def draw(self, scene: Scene) -> Depiction:
        """Return the picture of a scene; nobody has measured it.

        Raises
        ------
        UserError
            The file is missing, no picture, or too large.
        """
        place = self._path_of(scene)
        where = place.where if isinstance(place, Held) else str(place)
        return Depiction(given_picture(place, where))


def given_of(params: Params) -> Given | None:
    """Return what takes a suite's own pictures; None where its scenes are drawn."""
    path_of = suite_of(params).pictures(params)
    return None if path_of is None else Given(path_of)
