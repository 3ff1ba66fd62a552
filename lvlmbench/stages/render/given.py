"""Pictures that nobody draws: files of a user's own, named by the suite."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from lvlmbench.config import Params
from lvlmbench.core.errors import UserError
from lvlmbench.stages.render.renderer import Depiction, Scene
from lvlmbench.suites.suite import suite_of

#: What such pictures have in place of a renderer's name.
GIVEN = "given"

#: Longest side in pixels; a larger picture is refused before it is decoded.
_LONGEST = 16_384


class Given:
    """Takes each scene's picture from its file, pixel by pixel, in its own size.

    It is turned as its camera noted, what is transparent is white, and what is not RGB becomes so;
    nothing is scaled or compressed with loss.
    """

    name = GIVEN
    version = "1"

    def __init__(self, path_of: Callable[[Scene], Path]) -> None:
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
        from PIL import Image, ImageOps

        path = self._path_of(scene)
        try:
            with Image.open(path) as image:
                if max(image.size) > _LONGEST:
                    what = f"has {image.width} x {image.height} pixels"
                    raise UserError(str(path), what, f"give one of at most {_LONGEST} a side")
                turned = ImageOps.exif_transpose(image)
                clear = turned.has_transparency_data
                shown = turned.convert("RGBA" if clear else "RGB")
        except UserError:
            raise
        # Decoders raise whatever their format's code runs into on damaged input.
        except Exception as error:
            what = f"is no picture that can be read ({type(error).__name__})"
            raise UserError(str(path), what, "fetch it again, or take its entry out") from None
        if clear:
            white = Image.new("RGBA", shown.size, "white")
            shown = Image.alpha_composite(white, shown).convert("RGB")
        return Depiction(shown)


def given_of(params: Params) -> Given | None:
    """Return what takes a suite's own pictures; None where its scenes are drawn."""
    path_of = suite_of(params).pictures(params)
    return None if path_of is None else Given(path_of)
