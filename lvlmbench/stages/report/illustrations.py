"""Which figures the page shows, and which others lie beside it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from lvlmbench.config import Params
from lvlmbench.core.registry import LAST
from lvlmbench.stages.figures.figure import FIGURES
from lvlmbench.stages.figures.run import About, read_about
from lvlmbench.stages.report import embed


@dataclass(frozen=True)
class Illustration:
    """A figure in the page; ``scale`` tells that it stands on white paper in the dark, too."""

    about: About
    svg: Markup
    scale: bool


@dataclass(frozen=True)
class Illustrations:
    """Figures in the page by name, and all that were drawn, the others included."""

    shown: Mapping[str, Illustration]
    drawn: list[About]


def shown(params: Params) -> list[str]:
    """Return the figures that the page shows, of those that the parameters ask for.

    Tables of papers have no place there: the page has its own.
    """
    names = params.figures.names
    placed = [kind for kind in FIGURES.ordered() if kind.place < LAST]
    wanted = [kind for kind in placed if kind.when is None or kind.when(params)]
    return [kind.name for kind in wanted if names == "all" or kind.name in names]


def build(params: Params, folder: Path) -> Illustrations:
    """Read the figures that were asked for.

    Raises
    ------
    UserError
        One that the page shows is missing or damaged.
    """
    found = {}
    for name in shown(params):
        about = read_about(folder, name)
        if about.why_not is None:
            scale = FIGURES.get(name, "figures.names").scale
            svg = embed.inline_svg(folder / f"{name}.svg", about.title, follow=not scale)
            found[name] = Illustration(about, svg, scale)
    drawn = [read_about(folder, n) for n in FIGURES.names() if (folder / f"{n}.json").is_file()]
    return Illustrations(found, drawn)
