"""Pairs of pictures of two snapshots side by side, to be looked at by a person."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from PIL import Image, ImageDraw

from lvlmbench.core.files import atomic_bytes
from lvlmbench.stages.render.kinds.pictograph.lettering import font
from lvlmbench.versions.images import Pair

_SIDE, _GAP, _LINE, _LINES, _COLUMNS = 192, 8, 15, 3, 3
_TEXT = 11


def _folded(text: str, width: int) -> list[str]:
    """Text in at most :data:`_LINES` lines of ``width`` pixels, cut where that is not enough."""
    letters = font("DejaVuSans", _TEXT)
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if letters.getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    shown = [line for line in lines if line]
    if len(shown) > _LINES:
        shown = [*shown[: _LINES - 1], f"{shown[_LINES - 1]} …"]
    for i, line in enumerate(shown):
        while letters.getlength(line) > width:
            line = line.removesuffix("…")[:-1].rstrip() + "…"
        shown[i] = line
    return shown


def draw_sheet(
    pairs: Sequence[Pair], pictures_a: Mapping[str, bytes], pictures_b: Mapping[str, bytes]
) -> Image.Image:
    """The pairs from left to right and down: A left, B right, below them what each shows."""
    cell = (2 * _SIDE + 2 * _GAP, _SIDE + (_LINES + 1) * _LINE + _GAP)
    columns = max(1, min(_COLUMNS, len(pairs)))
    rows = max(1, -(-len(pairs) // columns))
    sheet = Image.new("RGB", (columns * cell[0], rows * cell[1]), "white")
    pen, letters = ImageDraw.Draw(sheet), font("DejaVuSans", _TEXT)
    for number, pair in enumerate(pairs):
        left, top = number % columns * cell[0], number // columns * cell[1]
        pen.text((left + 2, top + _SIDE + 1), f"{pair.distance} bits", "black", letters)
        for i, (data, shows) in enumerate(
            ((pictures_a[pair.a], pair.a_shows), (pictures_b[pair.b], pair.b_shows))
        ):
            x = left + i * _SIDE + i * 2
            with Image.open(io.BytesIO(data)) as picture:
                small = picture.convert("RGB").resize((_SIDE, _SIDE), Image.Resampling.BOX)
            sheet.paste(small, (x, top))
            for line, text in enumerate(_folded(shows, _SIDE - 6), start=1):
                pen.text((x + 2, top + _SIDE + 1 + line * _LINE), text, "black", letters)
    return sheet


def write_sheet(path: Path, sheet: Image.Image) -> None:
    """Write the sheet as PNG, whatever the file is called."""
    out = io.BytesIO()
    sheet.save(out, "PNG")
    atomic_bytes(path, out.getvalue())
