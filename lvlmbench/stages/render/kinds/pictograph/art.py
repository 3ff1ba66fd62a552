"""The vector art: OpenMoji's SVG files as the wheel ``emosvg`` carries them (CC BY-SA 4.0)."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from lvlmbench.core.errors import UserError
from lvlmbench.scene.figures.labels import SKIN_TONES as SKIN_TONES
from lvlmbench.stages.render.kinds.pictograph.redrawn import redrawn

_GENDER_SIGNS = {"2640", "2642"}
_PEOPLE = {"1F468", "1F469", "1F9D1"}

_WRITTEN = """
1F3B5 1F3B6 1F3BC 1F4C5 1F4C6 1F5D3 1F4F0 1F5DE 1F522 1F523 1F524 1F520 1F521 1F3E7 1F194 1F192
1F193 1F195 1F199 1F19A 1F198 1F197 1F51D 1F51B 1F519 1F51A 1F51C 1F51F 1F18E 1F17F 1F170 1F171
1F17E 1F6D1 1F0CF 1F004 1F3B4 1F4AF 1F51E 1F3B1 1F9EE 1F4DF 1F4C8 1F4C9 1F5FA 1F30D 1F30E 1F30F
231A 23F0 23F1 23F2 1F570 1F553 1F554 1F555 1F4B5 1F4B4 1F4B6 1F4B7 1F4B0 1F4B2 1F3E5 1F3E4 1F3E3
1F3E6 1F3E8 1F3EA 1F3EB 1F4DC 1F4D6 1F4D7 1F4D8 1F4D9 1F3AE 1F58A 1F58B 1F3B9 1F39F 1F3AB 1F6A7
1F6A5 1F3C1 2328 1F4E0 1F9FE 1F5C3 1F4B3 1FAAA 1FA99 1F4DB 1F3C5 1F947 1F948 1F949 1F4C7 1F550 1F551
1F552 1F556 1F557 1F558 1F559 1F55A 1F55B 1F68F 2139 1F6BE 1F691 1F693 1F695 1F46E
"""

#: Glyphs that hold letters, digits, notes or a dial: mirrored they would be wrong.
NEVER_MIRRORED = frozenset(_WRITTEN.split())


@cache
def folder() -> Path:
    """Folder of the SVG files.

    Raises
    ------
    UserError
        The package ``emosvg`` is not installed or carries no art.
    """
    spec = importlib.util.find_spec("emosvg")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(place) / "resources" / "openmoji-svg-color"
        if path.is_dir():
            return path
    raise UserError(
        "render.renderer: pictograph",
        "the package emosvg with the vector art is not installed",
        "install requirements.lock",
    )


@cache
def codes() -> frozenset[str]:
    """Every glyph that has a file, e.g. ``1F98A`` or ``1F468-1F3FD-200D-1F373``."""
    return frozenset(path.stem for path in folder().glob("*.svg"))


@cache
def resolve(code: str) -> str | None:
    """The code under which a glyph's file lies (with or without FE0F), or None."""
    code = code.upper()
    bare = "-".join(part for part in code.split("-") if part != "FE0F")
    for candidate in (code, f"{code}-FE0F", bare):
        if candidate in codes():
            return candidate
    return _by_bare().get(bare)


@cache
def _by_bare() -> dict[str, str]:
    return {
        "-".join(part for part in code.split("-") if part != "FE0F"): code
        for code in sorted(codes(), reverse=True)
    }


@cache
def svg(code: str) -> str:
    """Source of a glyph; ``code`` as :func:`resolve` gives it."""
    return redrawn(code, (folder() / f"{code}.svg").read_text(encoding="utf-8"))


def _canonical(parts: Iterable[str]) -> str:
    """A person's code without gender and skin: what all its variants share."""
    kept = [p for p in parts if p not in SKIN_TONES and p != "FE0F" and p not in _GENDER_SIGNS]
    while kept and kept[-1] == "200D":
        kept.pop()
    kept = [p for i, p in enumerate(kept) if not (p == "200D" and kept[i + 1 : i + 2] == ["200D"])]
    if kept and kept[0] in _PEOPLE:
        kept[0] = "1F9D1"
    return "-".join(kept)


@cache
def _variants() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for code in sorted(codes()):
        found.setdefault(_canonical(code.split("-")), []).append(code)
    return {key: tuple(value) for key, value in found.items()}


@cache
def person_variants(code: str) -> tuple[str, ...]:
    """All glyphs that show the same activity with another gender or skin, sorted."""
    return _variants()[_canonical(code.split("-"))]


def _rgb(color: str) -> tuple[int, int, int]:
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def _luma(rgb: tuple[int, int, int]) -> int:
    return 299 * rgb[0] + 587 * rgb[1] + 114 * rgb[2]


def recolored(source: str, fills: tuple[str, ...], rgb: tuple[int, int, int]) -> str:
    """The SVG with the body's fills turned to ``rgb``, their shading kept.

    The first of ``fills`` is the body's main color and becomes ``rgb`` itself; the others become
    darker or lighter than it in the proportion in which they were. All other fills (tyres,
    glass, outline) stay.
    """
    main = max(_luma(_rgb(fills[0])), 1)
    shades = {}
    for fill in fills:
        ratio = _luma(_rgb(fill)) / main
        if ratio <= 1:
            shade = [round(c * max(ratio, 0.55)) for c in rgb]
        else:
            shade = [round(c + (255 - c) * min((ratio - 1) * 0.6, 0.5)) for c in rgb]
        shades[_rgb(fill)] = "#" + "".join(f"{c:02x}" for c in shade)

    def replace(match: re.Match[str]) -> str:
        digits = match[0][1:]
        full = "#" + (digits if len(digits) == 6 else "".join(d + d for d in digits))
        return shades.get(_rgb(full), match[0])

    return re.sub(r"#(?:[0-9a-fA-F]{6}|[0-9a-fA-F]{3})(?![0-9a-fA-F])", replace, source)
