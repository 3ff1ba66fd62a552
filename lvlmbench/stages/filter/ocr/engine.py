"""What an OCR engine is.

To add one, write a module in ``kinds`` (or an outside package with an entry point in the group
``lvlmbench.ocr_engines``) that registers ``make(settings, where)``: ``settings`` is the engine's
own model (None where it has none), ``where`` the filter in the parameters.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from lvlmbench.core.errors import UserError
from lvlmbench.core.registry import Kind, Kinds

if TYPE_CHECKING:
    from PIL import Image

# All engines detect boxes of text and then recognize each, and differ in their defaults. These
# are set everywhere alike, to what reads pictures of 512 pixels well.

#: Pictures are scaled until their shorter side has so many pixels, before boxes are looked for.
SHORT_SIDE = 736
#: Probability from which a pixel, and mean probability from which a box, counts as text.
PIXEL, BOX = 0.3, 0.5
#: How far a box is grown.
GROWTH = 1.6
#: Confidence from which what was recognized counts.
CONFIDENCE = 0.5
#: Longest side of a picture that is read, in multiples of its shortest.
LONGEST_STRIP = 20


class Reader(Protocol):
    """Reads one picture at a time: what it reads does not depend on other pictures."""

    def read(self, picture: Image.Image) -> list[str]:
        """The text of each box in an RGB picture, from top to bottom, left to right.

        Raises
        ------
        UserError
            The engine's weights are missing, damaged or cannot be fetched.
        """
        ...


OCR_ENGINES: Kinds[Kind] = Kinds("ocr_engines", "lvlmbench.stages.filter.ocr.kinds", Kind)


def is_strip(picture: Image.Image) -> bool:
    """Whether a picture is so long that engines fail on it."""
    return max(picture.size) > LONGEST_STRIP * min(picture.size)


def require(packages: Sequence[str], group: str, where: str) -> None:
    """Stop if one of these packages, of a group of requirements.lock, is not installed.

    Raises
    ------
    UserError
        It names the command that installs the group.
    """
    for package in packages:
        if importlib.util.find_spec(package) is None:
            fix = f"run 'python3 scripts/setup_env.py {group}'"
            raise UserError(where, f"the package {package} is not installed", fix)


def first_line(error: BaseException) -> str:
    """What a library's error says, short enough for the one line a user is shown."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return (lines[0] if lines else type(error).__name__)[:200].rstrip(".")
