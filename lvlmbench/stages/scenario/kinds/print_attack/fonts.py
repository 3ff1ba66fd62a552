"""The font that is printed with: where it lies, and which letters it lacks."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from lvlmbench.config.identity import PROJECT_ROOT
from lvlmbench.core.errors import UserError

_DEFAULT = "DejaVuSans-Bold.ttf"
#: No character at all: every font draws its sign for missing ones.
_NO_CHARACTER = "\uffff"
_TRIAL = 40


@cache
def default_font() -> Path:
    """DejaVu Sans Bold in matplotlib's wheel, found without importing it.

    Raises
    ------
    UserError
        It is not there.
    """
    spec = importlib.util.find_spec("matplotlib")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(place) / "mpl-data" / "fonts" / "ttf" / _DEFAULT
        if path.is_file():
            return path
    raise UserError(
        "print_attack: font",
        "DejaVu Sans Bold, which matplotlib brings, is not installed",
        "install requirements.lock",
    )


def font_path(setting: str | None) -> Path:
    """The file that ``print_attack.font`` names."""
    return default_font() if setting is None else PROJECT_ROOT / setting


@lru_cache(maxsize=512)
def face(path: Path, size: int) -> ImageFont.FreeTypeFont:
    """The font at a size in pixels; basic layout, so that no shaping library is asked."""
    return ImageFont.truetype(str(path), size, layout_engine=ImageFont.Layout.BASIC)


def font_name(path: Path) -> str:
    """Family and style, as the font itself gives them: "DejaVu Sans Bold"."""
    return " ".join(part for part in face(path, _TRIAL).getname() if part)


def check_font(path: Path, where: str) -> None:
    """The file is a font that can be scaled.

    Raises
    ------
    UserError
        It is missing, or something else.
    """
    fix = "give the path of a .ttf or .otf file, or null for DejaVu Sans Bold"
    if not path.is_file():
        raise UserError(where, f"there is no file '{path}'", fix)
    try:
        face(path, _TRIAL)
    except (OSError, ValueError):
        raise UserError(where, f"'{path}' is no TrueType or OpenType font", fix) from None


def _drawn(font: ImageFont.FreeTypeFont, character: str) -> bytes:
    image = Image.new("L", (3 * _TRIAL, 3 * _TRIAL))
    ImageDraw.Draw(image).text((_TRIAL, 2 * _TRIAL), character, fill=255, font=font, anchor="ls")
    return image.tobytes()


def missing(path: Path, characters: Iterable[str]) -> list[str]:
    """The characters, sorted, that the font has no glyph for; blanks are not looked at."""
    font = face(path, _TRIAL)
    nothing = _drawn(font, _NO_CHARACTER)
    lacking = []
    for character in sorted(set(characters)):
        if character.isspace():
            continue
        found = _drawn(font, character)
        if found == nothing or not any(found):
            lacking.append(character)
    return lacking
