"""Where the OpenMoji art lies (CC BY-SA 4.0; the wheel of emosvg carries it)."""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path

from lvlmbench.core.errors import UserError


@cache
def glyph_folder() -> Path:
    """Folder of the SVGs, found without importing emosvg, which would import Cairo.

    Raises
    ------
    UserError
        The package is not installed.
    """
    spec = importlib.util.find_spec("emosvg")
    if spec is None or spec.origin is None:
        raise UserError("package emosvg", "is not installed", "install requirements.lock")
    return Path(spec.origin).parent / "resources" / "openmoji-svg-color"


@cache
def _glyphs() -> dict[str, Path]:
    return {_bare(path.stem): path for path in sorted(glyph_folder().glob("*.svg"))}


def _bare(code: str) -> str:
    """A code without the variation selector, which file names carry only here and there."""
    return "-".join(part for part in code.upper().split("-") if part != "FE0F")


def glyph_path(code: str) -> Path | None:
    """SVG of a code such as ``"1F98A"`` or ``"1F9D1-200D-1F33E"``; None where there is none."""
    return _glyphs().get(_bare(code))
