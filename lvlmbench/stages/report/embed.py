"""Putting our SVG figures into the page so that they follow its colors."""

from __future__ import annotations

import re
from pathlib import Path

from markupsafe import Markup, escape

from lvlmbench.core.errors import UserError
from lvlmbench.stages.figures import plotting

#: Color in the files -> CSS variable in the page. The files keep their colors.
_VARIABLES = {
    plotting.INK: "ink",
    plotting.MUTED: "muted",
    plotting.GRID: "line",
    plotting.PAPER: "paper",
    plotting.FLOOR: "floor",
    plotting.GUESSER: "guesser",
    plotting.STAYS: "stays",
    **{color: f"type-{i}" for i, color in enumerate(plotting.TYPES.values())},
    **{color: f"model-{i}" for i, color in enumerate(plotting.MODELS)},
}


def variable(color: str) -> str:
    """Return the CSS variable of the page that a color of the figures becomes."""
    return _VARIABLES[color]


_COLOR = re.compile("|".join(re.escape(c) for c in _VARIABLES), re.IGNORECASE)
_ID = re.compile(r'\bid="([^"]+)"')
_REFERENCE = re.compile(r'(url\(#|href="#)')
#: Parts of a file that would be out of place in a page; its style sheet is part of report.css.
_APART = re.compile(r"<metadata>.*?</metadata>|<style[ >].*?</style>|<!--.*?-->", re.DOTALL)


def inline_svg(path: Path, title: str, follow: bool = True) -> Markup:
    """An SVG file of :mod:`lvlmbench.stages.figures` as an inline element.

    Ids get the file's name as a prefix, since several figures share one page. Text that stands
    for itself (file head, metadata) goes; ``title`` names the figure for screen readers. Unless it
    is to ``follow`` the page, it keeps its own colors.

    Raises
    ------
    UserError
        The file is missing or is no SVG.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError:
        raise UserError(str(path), "is missing", "run the rule 'figures' first") from None
    start = text.find("<svg ")
    if start < 0:
        raise UserError(str(path), "is not an SVG figure", "run the rule 'figures' again")
    text = _APART.sub("", text[start:])
    head, body = text.split(">", 1)
    view = re.search(r'viewBox="[0-9.]+ [0-9.]+ [0-9.]+ [0-9.]+"', head)
    if view is None:
        raise UserError(str(path), "has no viewBox", "run the rule 'figures' again")
    prefix = path.stem.replace("_", "-")
    body = _ID.sub(rf'id="{prefix}-\1"', body)
    body = _REFERENCE.sub(rf"\g<1>{prefix}-", body)
    if follow:
        body = _COLOR.sub(lambda m: f"var(--{_VARIABLES[m.group().lower()]})", body)
    body = re.sub(r"\n\s*", "\n", body)
    width = round(float(view.group().strip('"').split()[2]) * 4 / 3)  # points to pixels
    head = f'<svg role="img" aria-label="{escape(title)}" {view.group()} style="--width:{width}px"'
    return Markup(f"{head}>{body.strip()}")  # noqa: S704  (a file that we drew, not input)
